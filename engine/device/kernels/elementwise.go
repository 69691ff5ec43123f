package kernels

import (
	"fmt"

	"greenroom/engine/program"
)

const (
	activateKernel = "activate"
	addKernel      = "add"
	gatherKernel   = "gather"
	maxPoolKernel  = "maxpool"
	resizeKernel   = "resize"
	packKernel     = "pack"
	blendKernel    = "blend"
	divideKernel   = "divide"
)

func elementwiseVariants() []Variant {
	return []Variant{
		{activateKernel, "activate.comp", nil},
		{addKernel, "add.comp", nil},
		{gatherKernel, "gather.comp", nil},
		{maxPoolKernel, "maxpool.comp", nil},
		{resizeKernel, "resize.comp", nil},
		{packKernel, "pack.comp", nil},
		{blendKernel, "blend.comp", nil},
		{divideKernel, "divide.comp", nil},
	}
}

// elementThreads is the size of a workgroup of the kernels here.
const elementThreads = 256

// pairs makes the calls of a kernel over pairs of columns of y's rows. constants are the push constants after those
// that all such kernels begin with.
func pairs(kernel string, y Operand, l Limits, constants func(part) []byte, operands ...reach) ([]Call, error) {
	name, err := l.choose(kernel)
	if err != nil {
		return nil, err
	}
	across := ceilDiv(y.Cols, 2)
	// The number of an invocation has 32 bits.
	work := 8 * float64(y.Cols)
	most := min(y.Rows, max(1, (1<<31)/across))
	parts, err := splitFrom(y.Rows, most, 1, work, l, operands...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kernel, err)
	}
	list := make([]Call, len(parts))
	for i, p := range parts {
		list[i] = Call{
			Kernel: name, Push: append(push(p.from, p.to, y.Cols, across), constants(p)...),
			Groups:   groups(ceilDiv((p.to-p.from)*across, elementThreads)),
			Bindings: p.bindings(), Work: work * float64(p.to-p.from),
		}
	}
	return list, nil
}

// Activate is Y = act(X), element by element; with the identity a copy, converted where the types differ. Roles: X, Y.
// Y may be X's memory if the types are the same.
type Activate struct {
	X, Y Operand
	Act  program.Act
}

// Calls returns the dispatches that compute it.
func (a Activate) Calls(l Limits) ([]Call, error) {
	if err := checkSame(named{"X", a.X}, named{"Y", a.Y}); err != nil {
		return nil, fmt.Errorf("activate: %w", err)
	}
	return pairs(activateKernel, a.Y, l, func(p part) []byte {
		return push(uint32(a.Act), p.operands[0].place, p.operands[1].place)
	}, same(X, a.X), same(Y, a.Y))
}

// Concat is Y = the columns of X side by side, row by row. Roles: X, X1, ... in order, Y.
type Concat struct {
	X []Operand
	Y Operand
}

// Calls returns the dispatches that compute it.
func (c Concat) Calls(l Limits) ([]Call, error) {
	if len(c.X) < 1 || len(c.X) > int(X7)+1 {
		return nil, fmt.Errorf("concatenate %d tensors: 1 to %d are possible", len(c.X), int(X7)+1)
	}
	at := c.Y
	var list []Call
	for i, x := range c.X {
		at.Cols = x.Cols
		more, err := pairs(activateKernel, at, l, func(p part) []byte {
			return push(uint32(program.Identity), p.operands[0].place, p.operands[1].place)
		}, same(X+Role(i), x), same(Y, at))
		if err == nil {
			err = checkSame(named{"X", x}, named{"Y", at})
		}
		if err != nil {
			return nil, fmt.Errorf("concatenate: %w", err)
		}
		// Neighbouring columns of two calls can share a word.
		if i > 0 && c.Y.Type.Half() {
			more[0].Wait = true
		}
		list = append(list, more...)
		at.Col += x.Cols
	}
	if at.Col != c.Y.Col+c.Y.Cols {
		return nil, fmt.Errorf("concatenate: %d columns for %d", at.Col-c.Y.Col, c.Y.Cols)
	}
	return list, nil
}

// Add is Y = X + Z, element by element. Roles: X, Y, and for Z X1, or Bias, always float32, with Constants. Y may be
// X's or Z's memory if the types are the same.
type Add struct {
	X, Z, Y Operand
	// Constants says that Z is the op's weight B; the field Z then says nothing.
	Constants bool
}

// Calls returns the dispatches that compute it.
func (a Add) Calls(l Limits) ([]Call, error) {
	z := same(X1, a.Z)
	if a.Constants {
		z = same(Bias, Dense(a.Y.Rows, a.Y.Cols, program.F32))
	}
	if err := checkSame(named{"X", a.X}, named{"Y", a.Y}, named{"Z", z.operand}); err != nil {
		return nil, fmt.Errorf("add: %w", err)
	}
	return pairs(addKernel, a.Y, l, func(p part) []byte {
		return push(p.operands[0].place, p.operands[1].place, p.operands[2].place)
	}, same(X, a.X), z, same(Y, a.Y))
}

// Gather is Y[j] = X[index[j]], plus with Constants the op's weight B, [rows of Y, columns] in float32. Roles: Index, X,
// Bias, Y. The caller has checked that every index is a row of X.
type Gather struct {
	X, Y      Operand
	Constants bool
}

// Calls returns the dispatches that compute it.
func (g Gather) Calls(l Limits) ([]Call, error) {
	if err := checkAll(named{"X", g.X}, named{"Y", g.Y}); err != nil {
		return nil, fmt.Errorf("gather: %w", err)
	}
	if g.X.Cols != g.Y.Cols {
		return nil, fmt.Errorf("gather: %d columns of X, %d of Y", g.X.Cols, g.Y.Cols)
	}
	z := reach{}
	if g.Constants {
		z = same(Bias, Dense(g.Y.Rows, g.Y.Cols, program.F32))
	}
	return pairs(gatherKernel, g.Y, l, func(p part) []byte {
		o := p.operands
		return push(g.Constants, o[0].place, o[1].place, o[2].place, o[3].place)
	}, same(Index, Dense(g.Y.Rows, 1, program.F32)), whole(X, g.X), z, same(Y, g.Y))
}

// MaxPool is Y[j] = the element-wise maximum of rows 4j to 4j+3 of X. Roles: X, Y.
type MaxPool struct{ X, Y Operand }

// Calls returns the dispatches that compute it.
func (m MaxPool) Calls(l Limits) ([]Call, error) {
	if err := checkAll(named{"X", m.X}, named{"Y", m.Y}); err != nil {
		return nil, fmt.Errorf("max pool: %w", err)
	}
	if m.X.Rows != 4*m.Y.Rows || m.X.Cols != m.Y.Cols {
		return nil, fmt.Errorf("max pool: %d x %d to %d x %d", m.X.Rows, m.X.Cols, m.Y.Rows, m.Y.Cols)
	}
	four := func(from, to int) (int, int) { return 4 * from, 4 * to }
	return pairs(maxPoolKernel, m.Y, l, func(p part) []byte {
		return push(p.operands[0].place, p.operands[1].place)
	}, reach{role: X, operand: m.X, rows: four}, same(Y, m.Y))
}

// Resize is bilinear (pixel centres at half-integers, edges clamped) from X [H, W, C] to Y [OutH, OutW, C]; with
// Accumulate it is added to Y. Roles: X, Y.
type Resize struct {
	X, Y             Operand
	H, W, OutH, OutW int
	Accumulate       bool
}

// maxResize is the largest product of two sides that the kernel's whole numbers hold.
const maxResize = 1 << 30

// Calls returns the dispatches that compute it.
func (r Resize) Calls(l Limits) ([]Call, error) {
	if err := checkAll(named{"X", r.X}, named{"Y", r.Y}); err != nil {
		return nil, fmt.Errorf("resize: %w", err)
	}
	if r.H*r.W != r.X.Rows || r.OutH*r.OutW != r.Y.Rows || r.X.Cols != r.Y.Cols || r.H*r.OutH > maxResize || r.W*r.OutW > maxResize {
		return nil, fmt.Errorf("resize: %d x %d to %d x %d, with %d and %d rows of %d and %d columns",
			r.W, r.H, r.OutW, r.OutH, r.X.Rows, r.Y.Rows, r.X.Cols, r.Y.Cols)
	}
	return pairs(resizeKernel, r.Y, l, func(p part) []byte {
		return push(r.H, r.W, r.OutH, r.OutW, r.Accumulate, p.operands[0].place, p.operands[1].place)
	}, reach{role: X, operand: r.X, rows: r.reads}, same(Y, r.Y))
}

// reads returns the pixels of X that pixels from to to of Y need, with a row to spare.
func (r Resize) reads(from, to int) (int, int) {
	top := from/r.OutW*r.H/r.OutH - 2
	bottom := ((to-1)/r.OutW+1)*r.H/r.OutH + 2
	return max(top, 0) * r.W, min(bottom+1, r.H) * r.W
}

// Pack is Y [rows, 4] = (plate - mean) / std by channel, then the hint; without a hint Y is [rows, 3]. Roles: X (the
// plate, [rows, 3]), X1 (the hint, [rows, 1]), Y.
type Pack struct {
	Plate, Hint, Y Operand
	Normalisation  program.Normalisation
}

// Calls returns the dispatches that compute it.
func (k Pack) Calls(l Limits) ([]Call, error) {
	if err := checkAll(named{"plate", k.Plate}, named{"Y", k.Y}); err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	want := 3
	if !k.Hint.None() {
		want = 4
	}
	if k.Plate.Rows != k.Y.Rows || !k.Hint.None() && k.Hint.Rows != k.Y.Rows || k.Plate.Cols != 3 || k.Y.Cols != want {
		return nil, fmt.Errorf("pack: %d x %d and %d x %d to %d x %d",
			k.Plate.Rows, k.Plate.Cols, k.Hint.Rows, k.Hint.Cols, k.Y.Rows, k.Y.Cols)
	}
	name, err := l.choose(packKernel)
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	const work = 32
	parts, err := split(k.Y.Rows, elementThreads, work, l, same(X, k.Plate), same(X1, k.Hint), same(Y, k.Y))
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	m, s := k.Normalisation.Mean, k.Normalisation.Std
	return calls(name, parts, elementThreads, 1, work, func(p part) []byte {
		o := p.operands
		return push(p.from, p.to, !k.Hint.None(), m[0], m[1], m[2], s[0], s[1], s[2], o[0].place, o[1].place, o[2].place)
	}), nil
}
