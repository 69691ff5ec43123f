package greenformer

import (
	"fmt"

	"greenroom/engine/program"
	"greenroom/engine/settings"
)

// Size is what a program is built for.
type Size struct {
	// H and W are what the network sees, in pixels: multiples of 32.
	H, W int
	// SourceH and SourceW are the size of the plate and hint given to the program, resized by it to H x W; 0
	// where they have that size already. They need settings.GPUPreprocess.
	SourceH, SourceW int
}

// Build returns the program for one input size under the given settings. Tile, Overlap, Frame and Refine are
// the caller's business. Tensors for the caller:
//
//	plate   in   [H, W, 3]      sRGB-encoded, 0..1; with GPUPreprocess on
//	hint    in   [H, W, 1]      0..1; with GPUPreprocess on
//	input   in   [H, W, 4]      what Normalise makes; with GPUPreprocess off
//	alpha   out  [H, W, 1]      linear matte, 0..1
//	fg      out  [H, W, 3]      foreground, straight, sRGB-encoded, 0..1
//	coarse  out  [H/4, W/4, 4]  logits of matte and foreground before the refiner
//
// and with Slim off also feature1 to feature4, alpha_logits, fg_logits and delta.
func (m *Model) Build(size Size, s settings.Settings) (*program.Program, error) {
	return m.build(size, s, func(b *builder) {
		input := b.preprocess(size)
		features := b.encoder(input)
		b.Storage = storage(s)
		b.refine(input, b.decoders(features))
	})
}

// BuildCoarse returns the part of the network up to the coarse logits, for plates whose refiner runs over all
// tiles at once: the tensors of Build without alpha, fg, and what Slim adds after the decoders.
func (m *Model) BuildCoarse(size Size, s settings.Settings) (*program.Program, error) {
	return m.build(size, s, func(b *builder) {
		features := b.encoder(b.preprocess(size))
		b.Storage = storage(s)
		b.decoders(features)
	})
}

// BuildRefiner returns the refiner alone, for a whole frame. Tensors for the caller:
//
//	plate   in   [H, W, 3]      sRGB-encoded, 0..1
//	coarse  in   [H/4, W/4, 4]  logits of matte and foreground
//	alpha   out  [H, W, 1]      linear matte, 0..1
//	fg      out  [H, W, 3]      foreground, straight, sRGB-encoded, 0..1
//
// and with Slim off also delta. Over a frame that is one tile it computes what the program of Build does.
func (m *Model) BuildRefiner(size Size, s settings.Settings) (*program.Program, error) {
	return m.build(Size{H: size.H, W: size.W}, s, func(b *builder) {
		b.Stage = program.Preprocess
		plate := b.Map("plate", b.h, b.w, 3, program.F32, program.Input)
		coarse := b.Map("coarse", b.h/4, b.w/4, 4, program.F32, program.Input)
		input := b.pack(3, plate)
		b.Storage = storage(s)
		b.refine(input, coarse)
	})
}

// build makes a program of the parts that add adds.
func (m *Model) build(size Size, s settings.Settings, add func(*builder)) (*program.Program, error) {
	if size.H <= 0 || size.W <= 0 || size.H%32 != 0 || size.W%32 != 0 {
		return nil, fmt.Errorf("a network input of %d x %d: both must be multiples of 32", size.W, size.H)
	}
	resized := size.SourceH != 0 || size.SourceW != 0
	if resized && (size.SourceH <= 0 || size.SourceW <= 0 || !s.GPUPreprocess) {
		return nil, fmt.Errorf("a source of %d x %d cannot be resized without gpu_preprocess", size.SourceW, size.SourceH)
	}
	b := &builder{Builder: program.NewBuilder(m.Hash), model: m, settings: s, h: size.H, w: size.W}
	add(b)
	p := b.Program
	p.StageGC, p.Record = s.StageGC, s.Compile
	if s.Compile {
		program.Fuse(p)
	}
	program.InPlace(p)
	if err := program.Check(p); err != nil {
		return nil, fmt.Errorf("build the network for %d x %d: %w", size.W, size.H, err)
	}
	return p, nil
}

// storage is how what may be in half width is stored.
func storage(s settings.Settings) program.DType {
	switch {
	case !s.BF16:
		return program.F32
	case s.Half == settings.Float16:
		return program.F16
	}
	return program.BF16
}

// builder adds the network's parts to a program.
type builder struct {
	*program.Builder
	model    *Model
	settings settings.Settings
	h, w     int // the network's input in pixels
}

// kept adds a map that is an output when Slim is off, and a temporary otherwise.
func (b *builder) kept(name string, h, w, cols int) program.ID {
	if b.settings.Slim {
		return b.TempMap(name, h, w, cols)
	}
	return b.Map(name, h, w, cols, program.F32, program.Output)
}

// like adds a temporary of x's shape.
func (b *builder) like(name string, x program.ID) program.ID {
	t := b.Program.Tensors[x]
	y := b.Temp(name, t.Rows, t.Cols)
	b.Program.Tensors[y].H, b.Program.Tensors[y].W = t.H, t.W
	return y
}

// weight adds a tensor of the checkpoint as it is.
func (b *builder) weight(name string, shape ...int) int {
	return b.Weight(name, func(dst []float32) error { return b.model.read(name, dst) }, shape...)
}

// affine adds NAME.weight of the given shape, output channels first, and NAME.bias.
func (b *builder) affine(name string, shape ...int) (w, bias int) {
	return b.weight(name+".weight", shape...), b.weight(name+".bias", shape[0])
}

// position adds the position grid resized to h x w tokens, in the given order.
func (b *builder) position(h, w int, order []int32) int {
	m := b.model
	grid, c := m.Config.Grid, m.Config.Embed
	key := fmt.Sprintf("encoder.model.pos_embed@%dx%d", w, h)
	return b.Weight(key, func(dst []float32) error {
		stored := make([]float32, grid*grid*c)
		if err := m.read("encoder.model.pos_embed", stored); err != nil {
			return err
		}
		resized := resizeGrid(stored, grid, grid, c, h, w)
		for place, token := range order {
			copy(dst[place*c:(place+1)*c], resized[int(token)*c:])
		}
		return nil
	}, h*w, c)
}
