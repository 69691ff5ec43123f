package greenformer

import (
	"fmt"
	"slices"
	"strings"

	"greenroom/engine/checkpoint"
)

// tensor is one tensor that the network needs, by its torch-layout name and shape.
type tensor struct {
	name  string
	shape []int // convolutions as [out, in, height, width]
	// statistic marks BatchNorm's running statistics.
	statistic bool
}

func (t tensor) elements() int {
	n := 1
	for _, s := range t.shape {
		n *= s
	}
	return n
}

// convolution reports whether the tensor is a convolution's weight, whose axes differ between layouts.
func (t tensor) convolution() bool { return len(t.shape) == 4 }

func blockName(i int, rest string) string {
	return fmt.Sprintf("encoder.model.blocks.%d.%s", i, rest)
}

// tensors lists every tensor of the network.
func (c Config) tensors() []tensor {
	var list []tensor
	add := func(name string, shape ...int) { list = append(list, tensor{name: name, shape: shape}) }
	affine := func(name string, n int) {
		add(name+".weight", n)
		add(name+".bias", n)
	}
	linear := func(name string, out, in int) {
		add(name+".weight", out, in)
		add(name+".bias", out)
	}
	conv := func(name string, out, in, k int) {
		add(name+".weight", out, in, k, k)
		add(name+".bias", out)
	}

	conv("encoder.model.patch_embed.proj", c.Embed, 4, 7)
	add("encoder.model.pos_embed", 1, c.Grid*c.Grid, c.Embed)
	for _, b := range c.blocks() {
		affine(blockName(b.index, "norm1"), b.in)
		if b.in != b.out {
			linear(blockName(b.index, "proj"), b.out, b.in)
		}
		linear(blockName(b.index, "attn.qkv"), 3*b.out, b.in)
		linear(blockName(b.index, "attn.proj"), b.out, b.out)
		affine(blockName(b.index, "norm2"), b.out)
		linear(blockName(b.index, "mlp.fc1"), 4*b.out, b.out)
		linear(blockName(b.index, "mlp.fc2"), b.out, 4*b.out)
	}
	for _, h := range heads {
		for i := range 4 {
			linear(fmt.Sprintf("%s.linear_c%d.proj", h.name, i+1), c.Decoder, c.Width(i))
		}
		add(h.name+".linear_fuse.weight", c.Decoder, 4*c.Decoder, 1, 1)
		affine(h.name+".bn", c.Decoder)
		add(h.name+".bn.running_mean", c.Decoder)
		list[len(list)-1].statistic = true
		add(h.name+".bn.running_var", c.Decoder)
		list[len(list)-1].statistic = true
		conv(h.name+".classifier", h.channels, c.Decoder, 1)
	}
	conv("refiner.stem.0", c.Refiner, 7, 3)
	affine("refiner.stem.1", c.Refiner)
	for i := range len(dilations) {
		for j := 1; j <= 2; j++ {
			conv(fmt.Sprintf("refiner.res%d.conv%d", i+1, j), c.Refiner, c.Refiner, 3)
			affine(fmt.Sprintf("refiner.res%d.gn%d", i+1, j), c.Refiner)
		}
	}
	conv("refiner.final", 4, c.Refiner, 1)
	return list
}

// layout says how a checkpoint spells the network: which names, and how convolution axes are ordered.
type layout struct {
	// names maps a torch-layout prefix to this file's.
	names map[string]string
	// channelsLast says that convolutions are [out, height, width, in] (MLX) instead of [out, in, height, width].
	channelsLast bool
}

// mlxNames are the names that corridorkey-mlx gives to what PyTorch numbers.
var mlxNames = map[string]string{"refiner.stem.0.": "refiner.stem_conv.", "refiner.stem.1.": "refiner.stem_gn."}

// readLayout finds the layout from a name and a shape that differ.
func readLayout(f *checkpoint.File) layout {
	var l layout
	if _, ok := f.Tensor("refiner.stem_conv.weight"); ok {
		l.names = mlxNames
	}
	if t, ok := f.Tensor("encoder.model.patch_embed.proj.weight"); ok && len(t.Shape) == 4 {
		l.channelsLast = t.Shape[3] == 4 && t.Shape[1] == 7
	}
	return l
}

// inFile returns the name that the file gives to a torch-layout name.
func (l layout) inFile(name string) string {
	for from, to := range l.names {
		if rest, ok := strings.CutPrefix(name, from); ok {
			return to + rest
		}
	}
	return name
}

// shapeInFile returns the shape that the file gives to a tensor.
func (l layout) shapeInFile(t tensor) []int {
	if t.convolution() && l.channelsLast {
		return []int{t.shape[0], t.shape[2], t.shape[3], t.shape[1]}
	}
	return t.shape
}

// MismatchError says which tensors of a file are not those of the network that it seems to hold.
type MismatchError struct {
	// File is the checkpoint's name.
	File string
	// Missing and Extra are tensor names; Misshapen are sentences that name a tensor and both shapes.
	Missing, Extra, Misshapen []string
}

// listed is how many names of one kind an error message shows.
const listed = 40

func (e *MismatchError) Error() string {
	var parts []string
	for _, p := range []struct {
		what  string
		names []string
	}{{"missing", e.Missing}, {"of the wrong shape", e.Misshapen}, {"not part of the network", e.Extra}} {
		if len(p.names) == 0 {
			continue
		}
		shown := p.names[:min(len(p.names), listed)]
		text := fmt.Sprintf("%d %s: %s", len(p.names), p.what, strings.Join(shown, ", "))
		if len(shown) < len(p.names) {
			text += fmt.Sprintf(" and %d more", len(p.names)-len(shown))
		}
		parts = append(parts, text)
	}
	return fmt.Sprintf("%s: its tensors are not a GreenFormer's: %s (choose a CorridorKey checkpoint)", e.File, strings.Join(parts, "; "))
}

// compare holds a file's tensors against the network's and names every difference.
func compare(f *checkpoint.File, c Config, l layout) error {
	e := &MismatchError{File: f.Name()}
	known := make(map[string]bool)
	for _, t := range c.tensors() {
		name := l.inFile(t.name)
		known[name] = true
		got, ok := f.Tensor(name)
		want := l.shapeInFile(t)
		switch {
		case !ok:
			e.Missing = append(e.Missing, name)
		case !slices.Equal(got.Shape, want):
			e.Misshapen = append(e.Misshapen, fmt.Sprintf("%s is %v, not %v", name, got.Shape, want))
		case !got.DType.Float():
			e.Misshapen = append(e.Misshapen, fmt.Sprintf("%s is of type %s, not floating-point", name, got.DType))
		}
	}
	for _, name := range f.Names() {
		if !known[name] && !strings.HasSuffix(name, ".num_batches_tracked") {
			e.Extra = append(e.Extra, name)
		}
	}
	if len(e.Missing)+len(e.Extra)+len(e.Misshapen) > 0 {
		return e
	}
	return nil
}

// Tensors lists every tensor of a checkpoint of this size in the PyTorch layout, as float32.
func (c Config) Tensors() []checkpoint.Tensor {
	var list []checkpoint.Tensor
	for _, t := range c.tensors() {
		list = append(list, checkpoint.Tensor{Name: t.name, Shape: slices.Clone(t.shape), DType: checkpoint.Float32})
	}
	return list
}
