package kernels

import (
	"fmt"

	"greenroom/engine/program"
)

const (
	layerNormKernel  = "layernorm"
	softmaxKernel    = "softmax"
	groupPartKernel  = "groupnorm_part"
	groupMergeKernel = "groupnorm_merge"
	groupNormKernel  = "groupnorm"
)

func normVariants() []Variant {
	return []Variant{
		{layerNormKernel, "layernorm.comp", nil},
		{softmaxKernel, "softmax.comp", nil},
		{groupPartKernel, "groupnorm_part.comp", nil},
		{groupMergeKernel, "groupnorm_merge.comp", nil},
		{groupNormKernel, "groupnorm.comp", nil},
	}
}

// sharedThreads is how many invocations share the rows of a workgroup of layernorm and softmax.
const sharedThreads = 256

// lanes returns how many invocations share a row of that many columns: a power of two, each with a few columns.
func lanes(columns int) int {
	n := 4
	for n < sharedThreads && 4*n < columns {
		n *= 2
	}
	return n
}

// LayerNorm is Y = (X - mean) / sqrt(variance + Eps) * gamma + beta over the columns of each row. Roles: X, Weight
// (gamma), Bias (beta), Y.
type LayerNorm struct {
	X, Y Operand
	Eps  float32
}

// Calls returns the dispatches that compute it.
func (n LayerNorm) Calls(l Limits) ([]Call, error) {
	if err := checkSame(named{"X", n.X}, named{"Y", n.Y}); err != nil {
		return nil, fmt.Errorf("layer norm: %w", err)
	}
	name, err := l.choose(layerNormKernel)
	if err != nil {
		return nil, fmt.Errorf("layer norm: %w", err)
	}
	cols := n.Y.Cols
	width := lanes(cols)
	work := 16 * float64(cols)
	parts, err := split(n.Y.Rows, sharedThreads/width, work, l, same(X, n.X), words(Weight, cols), words(Bias, cols), same(Y, n.Y))
	if err != nil {
		return nil, fmt.Errorf("layer norm: %w", err)
	}
	return calls(name, parts, sharedThreads/width, 1, work, func(p part) []byte {
		return push(p.from, p.to, cols, width, n.Eps, p.operands[0].place, p.operands[3].place)
	}), nil
}

// Softmax is the softmax over each row of Y, in place. Role: Y.
type Softmax struct{ Y Operand }

// Calls returns the dispatches that compute it.
func (s Softmax) Calls(l Limits) ([]Call, error) {
	if err := s.Y.check("Y"); err != nil {
		return nil, fmt.Errorf("softmax: %w", err)
	}
	name, err := l.choose(softmaxKernel)
	if err != nil {
		return nil, fmt.Errorf("softmax: %w", err)
	}
	cols := s.Y.Cols
	width := lanes(cols)
	work := 32 * float64(cols)
	parts, err := split(s.Y.Rows, sharedThreads/width, work, l, same(Y, s.Y))
	if err != nil {
		return nil, fmt.Errorf("softmax: %w", err)
	}
	return calls(name, parts, sharedThreads/width, 1, work, func(p part) []byte {
		return push(p.from, p.to, cols, width, p.operands[0].place)
	}), nil
}

// GroupStatistics is Y [Groups, 2] = mean and 1/sqrt(variance + Eps) of each group of X's columns over all rows, always
// float32. It sums in two stages, in an order that depends on sizes alone. Roles: X, Scratch, Y.
type GroupStatistics struct {
	X      Operand
	Groups int
	Eps    float32

	// x and y are the roles of X and Y, offset where in scratch memory partial sums begin: not zero within a Conv.
	x, y   Role
	offset int64
}

// statisticsChunk is how many rows the first stage sums in one workgroup.
const statisticsChunk = 1024

// Scratch returns the bytes of memory that its calls need beside their operands.
func (s GroupStatistics) Scratch() int64 {
	return 12 * int64(ceilDiv(s.X.Rows, statisticsChunk)) * int64(s.Groups)
}

// Calls returns the dispatches that compute it.
func (s GroupStatistics) Calls(l Limits) ([]Call, error) {
	s.x, s.y = X, Y
	list, err := s.calls(l)
	if err != nil {
		return nil, fmt.Errorf("group statistics: %w", err)
	}
	return list, nil
}

func (s GroupStatistics) calls(l Limits) ([]Call, error) {
	if err := s.X.check("X"); err != nil {
		return nil, err
	}
	cols := s.X.Cols
	if s.Groups < 1 || s.Groups > sharedThreads || cols%s.Groups != 0 {
		return nil, fmt.Errorf("%d columns in %d groups", cols, s.Groups)
	}
	first, err := l.choose(groupPartKernel)
	if err != nil {
		return nil, err
	}
	second, err := l.choose(groupMergeKernel)
	if err != nil {
		return nil, err
	}
	moments := words(Scratch, int(s.Scratch()/4))
	moments.offset = s.offset
	work := 8 * float64(cols)
	parts, err := split(s.X.Rows, statisticsChunk, work, l, same(s.x, s.X), moments)
	if err != nil {
		return nil, err
	}
	list := calls(first, parts, statisticsChunk, 1, work, func(p part) []byte {
		return push(p.from/statisticsChunk, p.to, cols, s.Groups, statisticsChunk, p.operands[0].place)
	})
	chunks := ceilDiv(s.X.Rows, statisticsChunk)
	return append(list, Call{
		Kernel: second, Push: push(chunks, s.Groups, s.Eps), Groups: groups(s.Groups), Wait: true,
		Bindings: []Binding{
			{Role: Scratch, Offset: s.offset, Bytes: s.Scratch()}, {Role: s.y, Bytes: int64(8 * s.Groups)},
		},
		Work: 16 * float64(chunks*s.Groups),
	}), nil
}

// GroupNorm is Y = act((X - mean) * rstd * gamma + beta + Residual) with the statistics of GroupStatistics. Roles: X, X1
// (the statistics), Weight (gamma), Bias (beta), Residual, Y. Y may be X's or the residual's memory.
type GroupNorm struct {
	X, Y, Residual Operand
	Groups         int
	Act            program.Act
}

// Calls returns the dispatches that compute it.
func (n GroupNorm) Calls(l Limits) ([]Call, error) {
	if err := checkSame(named{"X", n.X}, named{"Y", n.Y}, named{"residual", n.Residual}); err != nil {
		return nil, fmt.Errorf("group norm: %w", err)
	}
	cols := n.Y.Cols
	if n.Groups < 1 || cols%n.Groups != 0 {
		return nil, fmt.Errorf("group norm: %d columns in %d groups", cols, n.Groups)
	}
	return pairs(groupNormKernel, n.Y, l, func(p part) []byte {
		o := p.operands
		return push(cols/n.Groups, uint32(n.Act), !n.Residual.None(), o[0].place, o[4].place, o[5].place)
	}, same(X, n.X), words(X1, 2*n.Groups), words(Weight, cols), words(Bias, cols), same(Residual, n.Residual), same(Y, n.Y))
}
