package conformance

import (
	"math/rand/v2"

	"greenroom/engine/program"
)

// statistics adds the op that takes x's group statistics, and returns where they are.
func (m *maker) statistics(name string, x program.View) program.ID {
	stats := m.Tensor(name+" statistics", groups, 2, program.F32, program.Temp)
	op := m.Op(program.GroupNormStats, name, stats)
	op.X, op.Groups, op.Eps = []program.View{x}, groups, 1e-5
	m.Do(op)
	return stats
}

// RowShape says which op over the rows of a map a case tries.
type RowShape struct {
	Kind       program.Kind
	H, W, Cols int
	// HalfX and HalfY store what is read and what is written in half width, in float16 with Float16, else in bfloat16.
	HalfX, HalfY, Float16 bool
	Act                   program.Act
	// Second adds what is optional: a residual, a constant, a second operand to a sum.
	Second bool
	// Spare is how many columns wider than the view the tensors read are.
	Spare int
	// ToH and ToW are the size of what a resize writes; Accumulate adds to what is there.
	ToH, ToW   int
	Accumulate bool
	// InPlace writes over what is read, where the op allows it.
	InPlace bool
}

// Rows returns a case of that shape.
func Rows(rng *rand.Rand, s RowShape) Case {
	m := newMaker(rng, s.Float16)
	switch s.Kind {
	case program.Pack:
		m.pack(s)
	case program.LayerNorm:
		m.layerNorm(s)
	case program.GroupNormStats:
		m.groupStats(s)
	case program.GroupNormApply:
		m.groupApply(s)
	case program.MaxPool:
		m.maxPool(s)
	case program.Gather:
		m.gather(s)
	case program.Resize:
		m.resize(s)
	case program.Activate, program.Add:
		m.element(s)
	case program.Concat:
		m.concat(s)
	default:
		panic("conformance: no case over rows for " + s.Kind.String())
	}
	if s.InPlace {
		program.InPlace(m.Program)
	}
	return m.done("%s %+v", s.Kind, s)
}

func (m *maker) pack(s RowShape) {
	plate := m.in("plate", s.H, s.W, 3, program.F32, 0)
	x := []program.View{plate}
	if s.Second {
		x = append(x, m.in("hint", s.H, s.W, 1, program.F32, 0))
	}
	y, end := m.out(s.H, s.W, 2+len(x), program.F32)
	op := m.Op(program.Pack, "pack", y.Tensor)
	op.X = x
	op.Pack = program.Normalisation{Mean: [3]float32{0.485, 0.456, 0.406}, Std: [3]float32{0.229, 0.224, 0.225}}
	m.Do(op)
	end()
}

func (m *maker) layerNorm(s RowShape) {
	x := m.in("x", s.H, s.W, s.Cols, m.dtype(s.HalfX), s.Spare)
	y, end := m.out(s.H, s.W, s.Cols, m.dtype(s.HalfY))
	op := m.Op(program.LayerNorm, "layernorm", y.Tensor)
	op.X, op.Eps = []program.View{x}, 1e-6
	op.W, op.B = m.constant("gamma", 1, 0.3, s.Cols), m.constant("beta", 0, 0.3, s.Cols)
	m.Do(op)
	end()
}

func (m *maker) groupStats(s RowShape) {
	x := m.in("x", s.H, s.W, s.Cols, m.dtype(s.HalfX), 0)
	stats := m.statistics("x", x)
	m.Program.Tensors[stats].Role = program.Output
}

func (m *maker) groupApply(s RowShape) {
	x := m.in("x", s.H, s.W, s.Cols, m.dtype(s.HalfX), 0)
	y, end := m.out(s.H, s.W, s.Cols, m.dtype(s.HalfY))
	op := m.Op(program.GroupNormApply, "groupnorm", y.Tensor, x.Tensor, m.statistics("x", x))
	op.Groups, op.Act = groups, s.Act
	op.W, op.B = m.constant("gamma", 1, 0.3, s.Cols), m.constant("beta", 0, 0.3, s.Cols)
	if s.Second {
		op.Residual = m.in("residual", s.H, s.W, s.Cols, m.dtype(s.HalfY), 0)
	}
	m.Do(op)
	end()
}

func (m *maker) maxPool(s RowShape) {
	x := m.in("x", 4*s.H*s.W, 1, s.Cols, m.dtype(s.HalfX), s.Spare)
	y, end := m.out(s.H*s.W, 1, s.Cols, m.dtype(s.HalfY))
	op := m.Op(program.MaxPool, "maxpool", y.Tensor)
	op.X = []program.View{x}
	m.Do(op)
	end()
}

func (m *maker) gather(s RowShape) {
	x := m.in("x", s.H, s.W, s.Cols, m.dtype(s.HalfX), 0)
	rows := make([]int32, max(1, m.rng.IntN(2*s.H*s.W)))
	for i := range rows {
		rows[i] = int32(m.rng.IntN(s.H * s.W))
	}
	y, end := m.out(len(rows), 1, s.Cols, m.dtype(s.HalfY))
	op := m.Op(program.Gather, "gather", y.Tensor)
	op.X, op.Index = []program.View{x}, m.Index(rows)
	if s.Second {
		op.B = m.constant("constants", 0, 1, len(rows), s.Cols)
	}
	m.Do(op)
	end()
}

func (m *maker) resize(s RowShape) {
	x := m.in("x", s.H, s.W, s.Cols, m.dtype(s.HalfX), 0)
	y, end := m.out(s.ToH, s.ToW, s.Cols, m.dtype(s.HalfY))
	if s.Accumulate {
		m.Do(m.Op(program.Concat, "start", y.Tensor, m.in("sum", s.ToH, s.ToW, s.Cols, program.F32, 0).Tensor))
	}
	op := m.Op(program.Resize, "resize", y.Tensor)
	op.X, op.Accumulate = []program.View{x}, s.Accumulate
	m.Do(op)
	end()
}

func (m *maker) element(s RowShape) {
	x := m.in("x", s.H, s.W, s.Cols, m.dtype(s.HalfX), s.Spare)
	if s.InPlace {
		// Through a temporary: what the caller gave may not be written over.
		t := m.Map("x copied", s.H, s.W, s.Cols, m.dtype(s.HalfX), program.Temp)
		op := m.Op(program.Concat, "copy", t)
		op.X = []program.View{x}
		m.Do(op)
		x = m.Program.All(t)
	}
	var second program.View
	if s.Kind == program.Add && s.Second {
		second = m.in("z", s.H, s.W, s.Cols, m.dtype(s.HalfX), 0)
	}
	half := s.HalfY
	if s.InPlace {
		half = s.HalfX
	}
	y, end := m.out(s.H, s.W, s.Cols, m.dtype(half))
	op := m.Op(s.Kind, s.Kind.String(), y.Tensor)
	op.X, op.Act = []program.View{x}, s.Act
	if s.Kind == program.Add {
		op.Act = program.Identity
		if s.Second {
			op.X = append(op.X, second)
		} else {
			op.B = m.constant("constants", 0, 1, s.H*s.W, s.Cols)
		}
	}
	m.Do(op)
	end()
}

func (m *maker) concat(s RowShape) {
	x := []program.View{m.in("x", s.H, s.W, s.Cols, m.dtype(s.HalfX), s.Spare)}
	cols := s.Cols
	for i := range 3 {
		name := [...]string{"x1", "x2", "x3"}[i]
		if i == 0 || s.Second {
			n := m.between(1, 9)
			x = append(x, m.in(name, s.H, s.W, n, m.dtype(m.one()), 0))
			cols += n
		}
	}
	y, end := m.out(s.H, s.W, cols, m.dtype(s.HalfY))
	op := m.Op(program.Concat, "concat", y.Tensor)
	op.X = x
	m.Do(op)
	end()
}

func randomRows(rng *rand.Rand, kind program.Kind) Case {
	m := newMaker(rng, false)
	s := RowShape{
		Kind: kind, H: m.between(1, 30), W: m.between(1, 30), Cols: m.between(1, 70),
		HalfX: m.one(), HalfY: m.one(), Float16: m.one(), Act: pick(m, program.Identity, program.GELU, program.ReLU, program.Sigmoid), Second: m.one(), Accumulate: m.one(), InPlace: m.one(),
	}
	if m.one() {
		s.Spare = m.between(1, 9)
	}
	switch kind {
	case program.GroupNormApply, program.GroupNormStats:
		// No network has another activation there.
		s.Cols, s.Spare, s.Act = groups*m.between(1, 9), 0, pick(m, program.Identity, program.ReLU)
	case program.Resize:
		s.ToH, s.ToW = m.between(1, 60), m.between(1, 60)
	}
	return Rows(rng, s)
}

// Random returns a random case: any op, in a shape, types and with options that a network may have.
func Random(rng *rand.Rand) Case {
	kind := program.Kind(rng.IntN(int(program.Concat) + 1))
	switch kind {
	case program.Gemm:
		return randomGemm(rng)
	case program.Conv2D:
		return randomConv(rng)
	case program.Attention, program.Scores, program.Softmax, program.Product:
		return randomAttention(rng, kind)
	}
	return randomRows(rng, kind)
}
