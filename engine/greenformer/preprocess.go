package greenformer

import "greenroom/engine/program"

// mean and std are ImageNet's, per channel of sRGB-encoded colour in 0..1; the network was trained on
// (colour - mean) / std.
var (
	mean = [3]float32{0.485, 0.456, 0.406}
	std  = [3]float32{0.229, 0.224, 0.225}
)

// Normalise writes the network's input [H, W, 4] from a plate [H, W, 3], sRGB-encoded in 0..1, and a hint
// [H, W, 1] in 0..1. It does on the host what the Pack op does on a device.
func Normalise(input, plate, hint []float32) {
	for i, h := range hint {
		in, rgb := input[4*i:4*i+4], plate[3*i:3*i+3]
		for c := range 3 {
			in[c] = (rgb[c] - mean[c]) / std[c]
		}
		in[3] = h
	}
}

// preprocess adds what makes the network's input, [H, W, 4].
func (b *builder) preprocess(size Size) program.ID {
	b.Stage = program.Preprocess
	if !b.settings.GPUPreprocess {
		return b.Map("input", b.h, b.w, 4, program.F32, program.Input)
	}
	h, w := size.H, size.W
	if size.SourceH != 0 {
		h, w = size.SourceH, size.SourceW
	}
	plate := b.Map("plate", h, w, 3, program.F32, program.Input)
	hint := b.Map("hint", h, w, 1, program.F32, program.Input)
	if h != b.h || w != b.w {
		plate = b.resize("preprocess.plate", plate, b.h, b.w)
		hint = b.resize("preprocess.hint", hint, b.h, b.w)
	}
	return b.pack(4, plate, hint)
}

// pack adds the normalisation of a plate, with a hint to the network's input.
func (b *builder) pack(channels int, from ...program.ID) program.ID {
	input := b.TempMap("network_input", b.h, b.w, channels)
	op := b.Op(program.Pack, "preprocess.normalise", input, from...)
	op.Pack = program.Normalisation{Mean: mean, Std: std}
	b.Do(op)
	return input
}

// resize adds a bilinear resize to h x w.
func (b *builder) resize(name string, x program.ID, h, w int) program.ID {
	y := b.TempMap(name, h, w, b.Program.Tensors[x].Cols)
	b.Do(b.Op(program.Resize, name, y, x))
	return y
}
