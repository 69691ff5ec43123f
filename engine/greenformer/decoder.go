package greenformer

import (
	"fmt"
	"math"

	"greenroom/engine/program"
)

// heads are the two decoders, in the order of the logits' channels.
var heads = [...]struct {
	name     string
	logits   string
	channels int
}{
	{"alpha_decoder", "alpha_logits", 1},
	{"fg_decoder", "fg_logits", 3},
}

// batchNormEps is the epsilon of the decoders' BatchNorm.
const batchNormEps = 1e-5

// decoders adds both heads over the encoder's four maps and returns the coarse logits, [H/4, W/4, 4].
func (b *builder) decoders(features [4]program.ID) program.ID {
	b.Stage = program.Decoder
	coarse := b.Map("coarse", b.h/4, b.w/4, 4, program.F32, program.Output)
	if b.settings.FusedDecode {
		b.foldedHeads(features, coarse)
		return coarse
	}
	op := b.Op(program.Concat, "decoder.coarse", coarse)
	for i := range heads {
		op.X = append(op.X, b.Program.All(b.head(i, features)))
	}
	b.Do(op)
	return coarse
}

// head adds one decoder as written: a linear map a scale, resize, concatenate from coarse to fine, one 1x1
// convolution with BatchNorm folded in, ReLU, classifier.
func (b *builder) head(i int, features [4]program.ID) program.ID {
	h, w, d := b.h/4, b.w/4, b.model.Config.Decoder
	name := heads[i].name
	scales := b.TempMap(name+".scales", h, w, 4*d)
	concat := b.Op(program.Concat, name+".concat", scales)
	for s := 3; s >= 0; s-- {
		y := b.linear(fmt.Sprintf("%s.linear_c%d.proj", name, s+1), features[s], d)
		t := &b.Program.Tensors[y]
		t.H, t.W = h>>s, w>>s
		if s > 0 {
			y = b.resize(fmt.Sprintf("%s.resize_c%d", name, s+1), y, h, w)
		}
		concat.X = append(concat.X, b.Program.All(y))
	}
	b.Do(concat)

	fused := b.TempMap(name+".linear_fuse", h, w, d)
	op := b.Op(program.Gemm, name+".linear_fuse", fused, scales)
	op.W = b.Weight(name+".linear_fuse*bn", func(dst []float32) error {
		fuse, _, err := b.model.fuse(i)
		copy(dst, fuse)
		return err
	}, d, 4*d)
	op.B = b.Weight(name+".bn", func(dst []float32) error {
		_, bias, err := b.model.fuse(i)
		copy(dst, bias)
		return err
	}, d)
	b.Do(op)
	fused = b.activate(name+".relu", fused, program.ReLU)

	logits := b.Map(heads[i].logits, h, w, heads[i].channels, program.F32, b.role())
	op = b.Op(program.Gemm, name+".classifier", logits, fused)
	op.W, op.B = b.affine(name+".classifier", heads[i].channels, d)
	b.Do(op)
	return logits
}

// role is that of an intermediate map that is an output when Slim is off.
func (b *builder) role() program.Role {
	if b.settings.Slim {
		return program.Temp
	}
	return program.Output
}

// foldedHeads adds both decoders at once. A 1x1 map commutes with a bilinear resize, so linear_fuse, BatchNorm
// and linear_c of a scale are one matrix at that scale's own resolution; its results are resized and summed.
// Both heads stand side by side: channels [alpha head, foreground head].
func (b *builder) foldedHeads(features [4]program.ID, coarse program.ID) {
	h, w, d := b.h/4, b.w/4, b.model.Config.Decoder
	n := 2 * d
	// Four scales are summed here: in half width each would be rounded again.
	sum := b.Map("decoders.sum", h, w, n, program.F32, program.Temp)
	for s := range 4 {
		width := b.model.Config.Width(s)
		y := sum
		if s > 0 {
			y = b.TempMap(fmt.Sprintf("decoders.scale%d", s+1), h>>s, w>>s, n)
		}
		op := b.Op(program.Gemm, fmt.Sprintf("decoders.scale%d", s+1), y, features[s])
		op.W = b.Weight(fmt.Sprintf("decoders.fold%d", s+1), func(dst []float32) error {
			return b.model.fold(s, dst)
		}, n, width)
		if s == 0 {
			op.B = b.Weight("decoders.fold_bias", b.model.foldBias, n)
		}
		b.Do(op)
		if s > 0 {
			op = b.Op(program.Resize, fmt.Sprintf("decoders.add%d", s+1), sum, y)
			op.Accumulate = true
			b.Do(op)
		}
	}
	// The ReLU writes over the sum, which the last accumulation leaves complete.
	active := b.activate("decoders.relu", sum, program.ReLU)

	logits := coarse
	op := b.Op(program.Gemm, "decoders.classifier", logits, active)
	op.W = b.Weight("decoders.classifier", b.model.foldClassifier, 4, n)
	op.B = b.Weight("decoders.classifier_bias", func(dst []float32) error {
		if err := b.model.read(heads[0].name+".classifier.bias", dst[:1]); err != nil {
			return err
		}
		return b.model.read(heads[1].name+".classifier.bias", dst[1:])
	}, 4)
	b.Do(op)
	if b.settings.Slim {
		return
	}
	col := 0
	for _, head := range heads {
		y := b.Map(head.logits, h, w, head.channels, program.F32, program.Output)
		op := b.Op(program.Concat, "decoders."+head.logits, y)
		op.X = []program.View{{Tensor: coarse, Col: col, Cols: head.channels}}
		b.Do(op)
		col += head.channels
	}
}

// fuse returns a head's linear_fuse [d, 4d], its columns in the order c4, c3, c2, c1, with BatchNorm folded
// in: y = gamma*(Wx - mean)/sqrt(var + eps) + beta is one linear map with bias [d].
func (m *Model) fuse(head int) (weight, bias []float32, err error) {
	d := m.Config.Decoder
	name := heads[head].name
	weight, bias = make([]float32, d*4*d), make([]float32, d)
	gamma, beta := make([]float32, d), make([]float32, d)
	average, variance := make([]float32, d), make([]float32, d)
	for _, r := range []struct {
		name string
		dst  []float32
	}{
		{".linear_fuse.weight", weight},
		{".bn.weight", gamma},
		{".bn.bias", beta},
		{".bn.running_mean", average},
		{".bn.running_var", variance},
	} {
		if err := m.read(name+r.name, r.dst); err != nil {
			return nil, nil, err
		}
	}
	for o := range d {
		scale := float64(gamma[o]) / math.Sqrt(float64(variance[o])+batchNormEps)
		row := weight[o*4*d : (o+1)*4*d]
		for i := range row {
			row[i] = float32(float64(row[i]) * scale)
		}
		bias[o] = float32(float64(beta[o]) - float64(average[o])*scale)
	}
	return weight, bias, nil
}

// fold writes the folded matrix of a scale, 0 to 3: [2d, width], both heads.
func (m *Model) fold(scale int, dst []float32) error {
	d, width := m.Config.Decoder, m.Config.Width(scale)
	linear, row := make([]float32, d*width), make([]float64, width)
	for i, head := range heads {
		fuse, _, err := m.fuse(i)
		if err != nil {
			return err
		}
		if err := m.read(fmt.Sprintf("%s.linear_c%d.proj.weight", head.name, scale+1), linear); err != nil {
			return err
		}
		for o := range d {
			clear(row)
			for k, f := range fuse[o*4*d+(3-scale)*d:][:d] {
				for c, v := range linear[k*width : (k+1)*width] {
					row[c] += float64(f) * float64(v)
				}
			}
			for c, v := range row {
				dst[(i*d+o)*width+c] = float32(v)
			}
		}
	}
	return nil
}

// foldBias writes what the biases of the linear maps and BatchNorm come to together, [2d].
func (m *Model) foldBias(dst []float32) error {
	d := m.Config.Decoder
	linear := make([]float32, d)
	for i, head := range heads {
		fuse, bias, err := m.fuse(i)
		if err != nil {
			return err
		}
		sum := make([]float64, d)
		for o := range sum {
			sum[o] = float64(bias[o])
		}
		for s := range 4 {
			if err := m.read(fmt.Sprintf("%s.linear_c%d.proj.bias", head.name, s+1), linear); err != nil {
				return err
			}
			for o := range sum {
				for k, f := range fuse[o*4*d+(3-s)*d:][:d] {
					sum[o] += float64(f) * float64(linear[k])
				}
			}
		}
		for o, v := range sum {
			dst[i*d+o] = float32(v)
		}
	}
	return nil
}

// foldClassifier writes both classifiers as one matrix over both heads' channels, [4, 2d].
func (m *Model) foldClassifier(dst []float32) error {
	d := m.Config.Decoder
	clear(dst)
	row := 0
	for i, head := range heads {
		w := make([]float32, head.channels*d)
		if err := m.read(head.name+".classifier.weight", w); err != nil {
			return err
		}
		for c := range head.channels {
			copy(dst[row*2*d+i*d:][:d], w[c*d:])
			row++
		}
	}
	return nil
}
