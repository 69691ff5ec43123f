package greenformer

import (
	"fmt"

	"greenroom/engine/program"
)

// dilations are those of the refiner's four residual blocks. Convolutions reach 1 + 2*(1+2+4+8) = 31 pixels.
var dilations = [...]int{1, 2, 4, 8}

const (
	// groupNormEps is the epsilon of every GroupNorm.
	groupNormEps = 1e-5
	// deltaGain is what the refiner's last map is multiplied by; it is folded into that map's weights.
	deltaGain = 10
)

// refine adds the refiner over the network's input and the coarse logits, and the outputs alpha and fg.
func (b *builder) refine(input, coarse program.ID) {
	b.Stage = program.Refiner
	half := b.Storage
	c := b.model.Config.Refiner

	// Logits, what becomes of them, and the plate's own colour stay float32: the last bits of an edge are in them.
	b.Storage = program.F32
	guess := b.activate("refiner.coarse", b.resize("refiner.logits", coarse, b.h, b.w), program.Sigmoid)
	x := b.TempMap("refiner.input", b.h, b.w, 7)
	op := b.Op(program.Concat, "refiner.input", x)
	op.X = []program.View{{Tensor: input, Cols: 3}, b.Program.All(guess)}
	b.Do(op)

	b.Storage = half
	x = b.conv("refiner.stem.0", x, c, 1)
	x = b.activate("refiner.stem.relu", b.groupNorm("refiner.stem.1", x), program.ReLU)
	for i, dilation := range dilations {
		name := func(part string) string { return fmt.Sprintf("refiner.res%d.%s", i+1, part) }
		y := b.groupNorm(name("gn1"), b.conv(name("conv1"), x, c, dilation))
		y = b.activate(name("relu1"), y, program.ReLU)
		y = b.groupNorm(name("gn2"), b.conv(name("conv2"), y, c, dilation))
		x = b.activate(name("relu2"), b.add(name("residual"), y, x), program.ReLU)
	}

	delta := b.Map("delta", b.h, b.w, 4, program.F32, b.role())
	op = b.Op(program.Gemm, "refiner.final", delta, x)
	op.W = b.scaled("refiner.final.weight", 4, c)
	op.B = b.scaled("refiner.final.bias", 4)
	b.Do(op)

	// The logits are made anew: to keep them would cost more memory than to resize them twice costs time.
	b.Storage = program.F32
	final := delta
	if b.settings.Slim {
		op = b.Op(program.Resize, "refiner.sum", delta, coarse)
		op.Accumulate = true
		b.Do(op)
	} else {
		final = b.add("refiner.sum", b.resize("refiner.logits_again", coarse, b.h, b.w), delta)
	}
	for _, out := range []struct {
		name      string
		col, cols int
	}{{"alpha", 0, 1}, {"fg", 1, 3}} {
		y := b.Map(out.name, b.h, b.w, out.cols, program.F32, program.Output)
		op := b.Op(program.Activate, "refiner."+out.name, y)
		op.X = []program.View{{Tensor: final, Col: out.col, Cols: out.cols}}
		op.Act = program.Sigmoid
		b.Do(op)
	}
}

// scaled adds a tensor of the checkpoint times deltaGain.
func (b *builder) scaled(name string, shape ...int) int {
	return b.Weight(fmt.Sprintf("%s*%d", name, deltaGain), func(dst []float32) error {
		err := b.model.read(name, dst)
		for i := range dst {
			dst[i] *= deltaGain
		}
		return err
	}, shape...)
}

// conv adds a dilated 3x3 convolution to c channels that keeps the map's size.
func (b *builder) conv(name string, x program.ID, c, dilation int) program.ID {
	y := b.TempMap(name, b.h, b.w, c)
	op := b.Op(program.Conv2D, name, y, x)
	op.Conv = program.ConvShape{Kernel: 3, Stride: 1, Pad: dilation, Dilation: dilation}
	op.W, op.B = b.affine(name, c, 3, 3, b.Program.Tensors[x].Cols)
	b.Do(op)
	return y
}

// groupNorm adds statistics over the whole map and their application.
func (b *builder) groupNorm(name string, x program.ID) program.ID {
	n := b.Program.Tensors[x].Cols
	stats := b.Tensor(name+".statistics", refinerGroups, 2, program.F32, program.Temp)
	op := b.Op(program.GroupNormStats, name+".statistics", stats, x)
	op.Groups, op.Eps = refinerGroups, groupNormEps
	b.Do(op)
	y := b.like(name, x)
	op = b.Op(program.GroupNormApply, name, y, x, stats)
	op.Groups = refinerGroups
	op.W, op.B = b.weight(name+".weight", n), b.weight(name+".bias", n)
	b.Do(op)
	return y
}
