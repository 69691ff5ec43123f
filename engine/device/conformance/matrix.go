package conformance

import (
	"math"
	"math/rand/v2"

	"greenroom/engine/program"
)

// epilogue picks an activation that may follow in a gemm or a convolution.
func (m *maker) epilogue() program.Act { return pick(m, program.Identity, program.GELU, program.ReLU) }

// GemmShape says which gemm a case tries.
type GemmShape struct {
	M, N, K        int
	Act            program.Act
	Bias, Residual bool
	// Half stores weights in half width, HalfX and HalfY the operands; Float16 says that half width is float16, and not
	// bfloat16.
	Half, HalfX, HalfY, Float16 bool
	// Spare is how many columns wider than the view the tensors are.
	Spare int
}

// Gemm returns a case of that shape.
func Gemm(rng *rand.Rand, s GemmShape) Case {
	m := newMaker(rng, s.Float16)
	m.half = s.Half
	x := m.in("x", s.M, 1, s.K, m.dtype(s.HalfX), s.Spare)
	var residual program.View
	if s.Residual {
		residual = m.in("residual", s.M, 1, s.N, m.dtype(s.HalfY), 0)
	}
	y, end := m.out(s.M, 1, s.N, m.dtype(s.HalfY))
	op := m.Op(program.Gemm, "gemm", y.Tensor)
	op.X, op.Act, op.Storage = []program.View{x}, s.Act, m.dtype(s.Half)
	op.W = m.constant("w", 0, float32(1/math.Sqrt(float64(s.K))), s.N, s.K)
	if s.Bias {
		op.B = m.constant("b", 0, 1, s.N)
	}
	if s.Residual {
		op.Residual = residual
	}
	m.Do(op)
	end()
	return m.done("gemm %+v", s)
}

func randomGemm(rng *rand.Rand) Case {
	m := newMaker(rng, false)
	s := GemmShape{
		M: m.between(1, 150), N: m.between(1, 150), K: m.between(1, 150),
		Act: m.epilogue(), Bias: m.one(), Residual: m.one(), Half: m.one(), HalfX: m.one(), HalfY: m.one(), Float16: m.one(),
	}
	if m.one() {
		// What networks have: multiples of eight.
		s.N, s.K = 8*m.between(1, 20), 8*m.between(1, 20)
	}
	if m.one() {
		s.Spare = m.between(1, 9)
	}
	return Gemm(rng, s)
}

// ConvShape says which convolution a case tries.
type ConvShape struct {
	H, W, Cin, Cout int
	program.ConvShape
	Act program.Act
	// Pre reads through a group normalisation, Stats also writes statistics.
	Pre, Stats                  bool
	Half, HalfX, HalfY, Float16 bool
	// Wave writes over the map that is read, in waves of so many rows.
	Wave int
}

// groups is the number of groups of every group normalisation.
const groups = 8

// Conv returns a case of that shape.
func Conv(rng *rand.Rand, s ConvShape) Case {
	m := newMaker(rng, s.Float16)
	m.half = s.Half
	// Reads through a temporary, because a wave may not write over what the caller gave.
	x := m.in("x", s.H, s.W, s.Cin, m.dtype(s.HalfX), 0)
	if s.Wave > 0 && !s.HalfX {
		t := m.TempMap("x copied", s.H, s.W, s.Cin)
		m.Do(m.Op(program.Concat, "copy", t, x.Tensor))
		x = m.Program.All(t)
	}
	var pre *program.GroupNorm
	if s.Pre {
		pre = &program.GroupNorm{
			Stats: m.statistics("pre", x), Groups: groups,
			W: m.constant("gamma", 1, 0.3, s.Cin), B: m.constant("beta", 0, 0.3, s.Cin),
		}
	}
	reach := s.Dilation*(s.Kernel-1) + 1
	h, w := (s.H+2*s.Pad-reach)/s.Stride+1, (s.W+2*s.Pad-reach)/s.Stride+1
	var y program.View
	var end func()
	if s.Wave == 0 {
		y, end = m.out(h, w, s.Cout, m.dtype(s.HalfY))
	} else {
		t := m.Map("y", h, w, s.Cout, m.dtype(s.HalfX), program.Temp)
		row := int64(w*s.Cout) * m.dtype(s.HalfX).Size()
		m.Program.Tensors[t].Alias = x.Tensor
		m.Program.Tensors[t].Shift = (int64(s.Wave+s.Dilation)*row + 255) / 256 * 256
		y, end = m.Program.All(t), func() {
			out := m.Map("y copied", h, w, s.Cout, program.F32, program.Output)
			m.Do(m.Op(program.Concat, "copy", out, t))
		}
	}
	op := m.Op(program.Conv2D, "conv", y.Tensor)
	op.X, op.Act, op.Storage, op.Conv, op.Pre, op.Wave = []program.View{x}, s.Act, m.dtype(s.Half), s.ConvShape, pre, s.Wave
	taps := s.Kernel * s.Kernel * s.Cin
	op.W = m.constant("w", 0, float32(1/math.Sqrt(float64(taps))), s.Cout, s.Kernel, s.Kernel, s.Cin)
	op.B = m.constant("b", 0, 1, s.Cout)
	if s.Stats {
		op.Stats = m.Tensor("statistics", groups, 2, program.F32, program.Output)
		op.Groups, op.Eps = groups, 1e-5
	}
	m.Do(op)
	end()
	return m.done("conv %+v", s)
}

func randomConv(rng *rand.Rand) Case {
	m := newMaker(rng, false)
	d := pick(m, 1, 2, 4, 8)
	s := ConvShape{
		H: m.between(1, 40), W: m.between(1, 40),
		Cin: pick(m, 1, 3, 7, 8, 16, 24, 40, 64), Cout: pick(m, 1, 5, 8, 16, 24, 64),
		ConvShape: program.ConvShape{Kernel: 3, Stride: 1, Pad: d, Dilation: d},
		Act:       m.epilogue(), Half: m.one(), HalfX: m.one(), HalfY: m.one(), Float16: m.one(),
	}
	if m.rng.IntN(4) == 0 {
		s.ConvShape = program.ConvShape{Kernel: 7, Stride: 4, Pad: 3, Dilation: 1}
		s.Cin = 4
		return Conv(rng, s)
	}
	s.Pre = s.Cin%groups == 0 && m.one()
	if s.Stats = s.Cout%groups == 0 && m.one(); s.Stats {
		s.Act = program.Identity
	}
	if m.rng.IntN(3) == 0 {
		s.Cout, s.HalfY, s.Wave, s.Stats = s.Cin, s.HalfX, m.between(1, 9), false
	}
	return Conv(rng, s)
}

// AttentionShape says which attention a case tries.
type AttentionShape struct {
	// Kind is Attention, or one of its three steps with the scores stored: Scores, Softmax, Product.
	Kind program.Kind
	program.AttentionShape
	HalfX, HalfY, Float16 bool
	// Spare is how many columns wider than the view the tensor of queries is.
	Spare int
}

// Attention returns a case of that shape. Keys and values lie beside each other, as a network's do.
func Attention(rng *rand.Rand, s AttentionShape) Case {
	m := newMaker(rng, s.Float16)
	m.half = s.HalfX || s.HalfY
	a := s.AttentionShape
	d := a.Heads * a.HeadDim
	q := func() program.View {
		return m.in("q", a.Windows*a.Queries, 1, d, m.dtype(s.HalfX), s.Spare)
	}
	kv := m.in("kv", a.Windows*a.Keys, 1, 3*d, m.dtype(s.HalfX), 0).Tensor
	k, v := program.View{Tensor: kv, Col: d, Cols: d}, program.View{Tensor: kv, Col: 2 * d, Cols: d}
	scores := func() program.View {
		return m.in("scores", a.Windows*a.Heads*a.Queries, 1, a.Keys, program.F32, 0)
	}
	var op program.Op
	var end func()
	var y program.View
	switch s.Kind {
	case program.Attention:
		x := []program.View{q(), k, v}
		y, end = m.out(a.Windows*a.Queries, 1, d, m.dtype(s.HalfY))
		op = m.Op(s.Kind, "attention", y.Tensor)
		op.X = x
	case program.Scores:
		x := []program.View{q(), k}
		y, end = m.out(a.Windows*a.Heads*a.Queries, 1, a.Keys, program.F32)
		op = m.Op(s.Kind, "scores", y.Tensor)
		op.X = x
	case program.Softmax:
		// In place, so not in what the caller gave.
		t := m.Map("scores copied", a.Windows*a.Heads*a.Queries, 1, a.Keys, program.F32, program.Temp)
		m.Do(m.Op(program.Concat, "copy", t, scores().Tensor))
		op = m.Op(s.Kind, "softmax", t, t)
		end = func() {
			m.Do(m.Op(program.Concat, "copy", m.Map("y", a.Windows*a.Heads*a.Queries, 1, a.Keys, program.F32, program.Output), t))
		}
	case program.Product:
		x := []program.View{scores(), v}
		y, end = m.out(a.Windows*a.Queries, 1, d, m.dtype(s.HalfY))
		op = m.Op(s.Kind, "product", y.Tensor)
		op.X = x
	default:
		panic("conformance: no attention by " + s.Kind.String())
	}
	op.Attention = a
	m.Do(op)
	end()
	return m.done("%s %+v", s.Kind, s)
}

func randomAttention(rng *rand.Rand, kind program.Kind) Case {
	m := newMaker(rng, false)
	s := AttentionShape{Kind: kind, HalfX: m.one(), HalfY: m.one(), Float16: m.one()}
	s.HeadDim, s.Heads = pick(m, 8, 32, 56, 64, m.between(1, 128)), m.between(1, 3)
	s.Spare = pick(m, 0, s.Heads*s.HeadDim)
	s.Windows, s.Queries, s.Keys = m.between(1, 6), m.between(1, 70), m.between(1, 70)
	if m.one() {
		s.Windows, s.Queries, s.Keys = 1, m.between(1, 200), m.between(1, 200)
	}
	return Attention(rng, s)
}
