package kernels

import (
	"fmt"
	"slices"

	"greenroom/engine/program"
)

// Conv is a convolution of a map X [H, W, Cin] with zero padding to Y [OutH, OutW, Cout], a product of matrices whose
// left one is never stored: Y = act(conv(f(X)) + Bias). Roles: X, Weight (packed, [Cout, Kernel, Kernel, Cin]),
// Bias [Cout], Y; with Pre also PreStatistics, PreWeight, PreBias and Scratch; with Statistics also Statistics and
// Scratch.
type Conv struct {
	X, Y       Operand
	H, W       int // of X
	OutH, OutW int // of Y
	Shape      program.ConvShape
	// Weight is the type of the packed weight.
	Weight program.DType
	Bias   bool
	Act    program.Act
	// PreGroups is how many groups the GroupNorm has that, followed by a ReLU, X goes through as it is read; 0 for
	// none. The padding comes after it.
	PreGroups int
	// Groups is how many groups the statistics have that are also written, with Eps; 0 for none.
	Groups int
	Eps    float32
	// Wave is the most rows of Y that one call may write, each call waiting for the one before, because Y's memory
	// overlaps X's; 0 where it does not.
	Wave int
}

// The kernels of Conv.
const (
	convWide   = "conv_128x128"
	convNarrow = "conv_128x64"
	convAny    = "conv_any"

	affineKernel = "affine"
)

var convTiles = map[string]tile{
	convWide:   {tx: 16, ty: 16, rm: 2, rn: 2},
	convNarrow: {tx: 8, ty: 16, rm: 2, rn: 2},
	convAny:    {tx: 16, ty: 16, rm: 1, rn: 1},
}

func convVariants() []Variant {
	return slices.Concat(
		halves(Variant{convWide, "conv.comp", convTiles[convWide].defines(1)}),
		halves(Variant{convNarrow, "conv.comp", convTiles[convNarrow].defines(1)}),
		[]Variant{{convAny, "conv.comp", convTiles[convAny].defines(0)}, {affineKernel, "affine.comp", nil}},
	)
}

// names lists the kernels that can compute it, best first.
func (c Conv) names() []string {
	if !c.X.aligned(4) || !c.Y.aligned(4) {
		return []string{convAny}
	}
	narrow, wide := convTiles[convNarrow].columns(), convTiles[convWide].columns()
	names := []string{convWide, convNarrow}
	if roundUp(c.Y.Cols, narrow) < roundUp(c.Y.Cols, wide) {
		names = []string{convNarrow, convWide}
	}
	return append(forTypes(names, c.X.Type, c.Y.Type, c.Weight), convAny)
}

// Scratch returns the bytes of memory that its calls need beside their operands.
func (c Conv) Scratch() int64 {
	var n int64
	if c.PreGroups > 0 {
		n = c.affineBytes()
	}
	if c.Groups > 0 {
		n += c.statistics().Scratch()
	}
	return n
}

// affineBytes is the memory of scale and shift, up to the alignment of what comes after.
func (c Conv) affineBytes() int64 { return int64(roundUp(8*c.X.Cols, windowAlign)) }

func (c Conv) statistics() GroupStatistics {
	s := GroupStatistics{X: c.Y, Groups: c.Groups, Eps: c.Eps, x: Y, y: Statistics}
	if c.PreGroups > 0 {
		s.offset = c.affineBytes()
	}
	return s
}

// Calls returns the dispatches that compute it.
func (c Conv) Calls(l Limits) ([]Call, error) {
	list, err := c.calls(l)
	if err != nil {
		return nil, fmt.Errorf("convolution: %w", err)
	}
	return list, nil
}

func (c Conv) calls(l Limits) ([]Call, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	name, err := l.choose(c.names()...)
	if err != nil {
		return nil, err
	}
	t := convTiles[plain(name)]
	n, k := c.Y.Cols, c.Shape.Kernel*c.Shape.Kernel*c.X.Cols
	bias, pre := reach{}, reach{}
	if c.Bias {
		bias = words(Bias, n)
	}
	if c.PreGroups > 0 {
		pre = words(Scratch, 2*c.X.Cols)
	}
	most := c.Y.Rows
	if c.Wave > 0 {
		most = min(most, c.Wave*c.OutW)
	}
	work := 2 * float64(n) * float64(k)
	parts, err := splitFrom(c.Y.Rows, most, t.rows(), work, l, reach{role: X, operand: c.X, rows: c.reads},
		packed(n, k, c.Weight), bias, pre, same(Y, c.Y))
	if err != nil {
		return nil, err
	}
	across := ceilDiv(n, t.columns())
	list := calls(name, parts, t.rows(), across, work, func(p part) []byte {
		s := c.Shape
		return push(p.from, p.to, n, k, roundUp(n, packColumns), across, uint32(c.Weight), uint32(c.Act), c.Bias,
			c.PreGroups > 0, c.H, c.W, c.X.Cols, c.OutW, s.Kernel, s.Stride, s.Pad, s.Dilation,
			p.operands[0].place, p.operands[4].place)
	})
	for i := range list {
		list[i].Wait = i == 0 && c.PreGroups > 0 || i > 0 && c.Wave > 0
	}
	if c.PreGroups > 0 {
		affine, err := c.affine(l)
		if err != nil {
			return nil, err
		}
		list = append([]Call{affine}, list...)
	}
	if c.Groups > 0 {
		more, err := c.statistics().calls(l)
		if err != nil {
			return nil, err
		}
		more[0].Wait = true
		list = append(list, more...)
	}
	return list, nil
}

// reads returns the pixels of X that pixels from to to of Y need.
func (c Conv) reads(from, to int) (int, int) {
	s := c.Shape
	top := from/c.OutW*s.Stride - s.Pad
	bottom := (to-1)/c.OutW*s.Stride - s.Pad + (s.Kernel-1)*s.Dilation
	return max(top, 0) * c.W, min(bottom+1, c.H) * c.W
}

// affine makes what the GroupNorm before does to each channel, in scratch memory.
func (c Conv) affine(l Limits) (Call, error) {
	name, err := l.choose(affineKernel)
	if err != nil {
		return Call{}, err
	}
	n := c.X.Cols
	return Call{
		Kernel: name, Push: push(n, n/c.PreGroups), Groups: groups(ceilDiv(n, 64)), Work: float64(8 * n),
		Bindings: []Binding{
			{Role: PreStatistics, Bytes: int64(8 * c.PreGroups)}, {Role: PreWeight, Bytes: int64(4 * n)},
			{Role: PreBias, Bytes: int64(4 * n)}, {Role: Scratch, Bytes: int64(8 * n)},
		},
	}, nil
}

func (c Conv) check() error {
	if err := checkAll(named{"X", c.X}, named{"Y", c.Y}); err != nil {
		return err
	}
	s := c.Shape
	if s.Kernel < 1 || s.Stride < 1 || s.Pad < 0 || s.Dilation < 1 {
		return fmt.Errorf("kernel %d, stride %d, padding %d, dilation %d", s.Kernel, s.Stride, s.Pad, s.Dilation)
	}
	if c.H*c.W != c.X.Rows || c.OutH*c.OutW != c.Y.Rows {
		return fmt.Errorf("maps of %d x %d and %d x %d with %d and %d rows", c.W, c.H, c.OutW, c.OutH, c.X.Rows, c.Y.Rows)
	}
	if c.PreGroups > 0 && c.X.Cols%c.PreGroups != 0 {
		return fmt.Errorf("%d columns in %d groups", c.X.Cols, c.PreGroups)
	}
	return checkType(c.Weight)
}
