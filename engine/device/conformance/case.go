package conformance

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"greenroom/engine/device"
	"greenroom/engine/program"
)

// Case is a program of one op, beside copies that convert, with inputs.
type Case struct {
	Name    string
	Program *program.Program
	Inputs  map[string][]float32
	// Allowed is how far a result may be from the reference's, as a part of the largest magnitude there, or of 1
	// where all are smaller.
	Allowed float64
}

// How far a device may be: sums in another order in float32; and half-width storage and operands, 8 bits each in
// bfloat16 and 11 in float16.
const (
	allowedFloat32  = 1e-4
	allowedBFloat16 = 2e-2
	allowedFloat16  = 2.5e-3
)

// outputs makes room for what a program returns, filled with NaN so that what is not written shows.
func (c Case) outputs() map[string][]float32 {
	out := make(map[string][]float32)
	for _, t := range c.Program.Tensors {
		if t.Role == program.Output {
			v := make([]float32, t.Rows*t.Cols)
			for i := range v {
				v[i] = float32(math.NaN())
			}
			out[t.Name] = v
		}
	}
	return out
}

// Run returns what a device makes of the case. Everything runs twice, because what a first run leaves behind must
// not show in the second.
func (c Case) Run(ctx context.Context, d device.Device) (map[string][]float32, error) {
	r, err := d.Load(ctx, c.Program)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", c.Name, err)
	}
	defer r.Close()
	var out map[string][]float32
	for range 2 {
		out = c.outputs()
		if err := r.Run(ctx, c.Inputs, out); err != nil {
			return nil, fmt.Errorf("run %s: %w", c.Name, err)
		}
	}
	return out, nil
}

// Compare returns how far results are from the reference's, in the unit of Allowed. What is not a number on one
// side only is infinitely far.
func Compare(got, want map[string][]float32) float64 {
	var most float64
	for name, w := range want {
		g := got[name]
		if len(g) != len(w) {
			return math.Inf(1)
		}
		scale := 1.0
		for _, v := range w {
			if a := math.Abs(float64(v)); !math.IsInf(a, 0) && !math.IsNaN(a) {
				scale = max(scale, a)
			}
		}
		for i := range w {
			d := math.Abs(float64(g[i])-float64(w[i])) / scale
			switch {
			case g[i] == w[i]:
			case math.IsNaN(d):
				return math.Inf(1)
			default:
				most = max(most, d)
			}
		}
	}
	return most
}

// maker builds a case.
type maker struct {
	*program.Builder
	rng    *rand.Rand
	inputs map[string][]float32
	half   bool // something is stored, or may be rounded, in half width
	format program.DType
}

// newMaker starts a case whose half width is float16, or bfloat16.
func newMaker(rng *rand.Rand, float16 bool) *maker {
	b := program.NewBuilder(fmt.Sprintf("conformance %x", rng.Uint64()))
	b.Stage = program.Encoder
	m := &maker{Builder: b, rng: rng, inputs: make(map[string][]float32), format: program.BF16}
	if float16 {
		m.format = program.F16
	}
	return m
}

// dtype is the case's half width, or float32.
func (m *maker) dtype(half bool) program.DType {
	if half {
		return m.format
	}
	return program.F32
}

// values returns n random numbers, most of them in -2..2.
func values(rng *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
	return v
}

// between returns a random number from a to b, both included.
func (m *maker) between(a, b int) int { return a + m.rng.IntN(b-a+1) }

// one returns whether a coin fell on heads.
func (m *maker) one() bool { return m.rng.IntN(2) == 0 }

func pick[T any](m *maker, from ...T) T { return from[m.rng.IntN(len(from))] }

// in adds a tensor of h x w rows with random values, stored as d. With spare, it is wider than the view that is
// returned, which starts anywhere in it.
func (m *maker) in(name string, h, w, cols int, d program.DType, spare int) program.View {
	width, col := cols+spare, 0
	if spare > 0 {
		col = m.rng.IntN(spare + 1)
	}
	x := m.Map(name, h, w, width, program.F32, program.Input)
	m.inputs[name] = values(m.rng, h*w*width)
	if d.Half() {
		x = m.convert(x, d, program.Temp)
	}
	return program.View{Tensor: x, Col: col, Cols: cols}
}

// convert adds a copy of a tensor in another type.
func (m *maker) convert(x program.ID, d program.DType, role program.Role) program.ID {
	m.half = true
	t := m.Program.Tensors[x]
	y := m.Map(t.Name+" as "+d.String(), t.H, t.W, t.Cols, d, role)
	m.Do(m.Op(program.Concat, "convert", y, x))
	return y
}

// out adds the tensor that a case's op writes, and after the op the copy that is returned where it is half-width.
// It returns the view to write and what to call once the op is there.
func (m *maker) out(h, w, cols int, d program.DType) (program.View, func()) {
	if d == program.F32 {
		return m.Program.All(m.Map("y", h, w, cols, d, program.Output)), func() {}
	}
	y := m.Map("y", h, w, cols, d, program.Temp)
	return m.Program.All(y), func() { m.convert(y, program.F32, program.Output) }
}

// constant adds a weight with random values about a centre.
func (m *maker) constant(name string, centre, spread float32, shape ...int) int {
	seed := m.rng.Uint64()
	return m.Weight(name, func(dst []float32) error {
		rng := rand.New(rand.NewPCG(seed, 7))
		for i := range dst {
			dst[i] = centre + spread*float32(rng.NormFloat64())
		}
		return nil
	}, shape...)
}

// done completes the case.
func (m *maker) done(format string, arguments ...any) Case {
	c := Case{Name: fmt.Sprintf(format, arguments...), Program: m.Program, Inputs: m.inputs, Allowed: allowedFloat32}
	switch {
	case m.half && m.format == program.F16:
		c.Allowed = allowedFloat16
	case m.half:
		c.Allowed = allowedBFloat16
	}
	c.Program.Record = m.one()
	return c
}
