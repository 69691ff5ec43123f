package kernels

import (
	"fmt"
	"slices"

	"greenroom/engine/program"
)

// Gemm is Y [M, N] = act(X [M, K] * W^T + Bias) + Residual. Roles: X, Weight (packed), Bias [N], Residual, Y. Y may be
// the residual's memory.
type Gemm struct {
	X, Y Operand
	// Residual is [M, N], or none.
	Residual Operand
	// Weight is the type of the packed weight.
	Weight program.DType
	Bias   bool
	Act    program.Act
}

// tile is the shape of a workgroup of the kernels that multiply matrices: tx x ty invocations, each with 4*rm rows
// by 4*rn columns.
type tile struct{ tx, ty, rm, rn int }

func (t tile) rows() int    { return 4 * t.ty * t.rm }
func (t tile) columns() int { return 4 * t.tx * t.rn }

func (t tile) defines(vector int) map[string]int {
	return map[string]int{"TX": t.tx, "TY": t.ty, "RM": t.rm, "RN": t.rn, "VECTOR": vector}
}

// unrolled adds to defines that a whole step of the inner dimension is written out.
func unrolled(defines map[string]int) map[string]int {
	defines["UNROLL"] = 1
	return defines
}

// The kernels of Gemm. The large tile reads least, the small one leaves fewer processors idle on small matrices.
const (
	gemmLarge = "gemm_128x128"
	gemmSmall = "gemm_64x64"
	gemmThin  = "gemm_thin"
	gemmAny   = "gemm_any"
)

var gemmTiles = map[string]tile{
	gemmLarge: {tx: 16, ty: 16, rm: 2, rn: 2},
	gemmSmall: {tx: 16, ty: 16, rm: 1, rn: 1},
	gemmAny:   {tx: 16, ty: 16, rm: 1, rn: 1},
}

const (
	// thinColumns is the most columns that gemm_thin makes, thinRows how many rows a workgroup of it.
	thinColumns = 4
	thinRows    = 128
	// manyTiles is how many large tiles keep the processors of a large GPU busy.
	manyTiles = 256
)

func gemmVariants() []Variant {
	return slices.Concat(
		halves(Variant{gemmLarge, "gemm.comp", unrolled(gemmTiles[gemmLarge].defines(1))}),
		halves(Variant{gemmSmall, "gemm.comp", gemmTiles[gemmSmall].defines(1)}),
		[]Variant{{gemmAny, "gemm.comp", gemmTiles[gemmAny].defines(0)}, {gemmThin, "thin.comp", nil}},
	)
}

// names lists the kernels that can compute it, best first.
func (g Gemm) names() []string {
	if g.Y.Cols <= thinColumns {
		return []string{gemmThin, gemmAny}
	}
	if !g.X.aligned(4) || !g.Y.aligned(4) || !g.Residual.aligned(4) {
		return []string{gemmAny}
	}
	large := gemmTiles[gemmLarge]
	names := []string{gemmSmall, gemmLarge}
	if ceilDiv(g.X.Rows, large.rows())*ceilDiv(g.Y.Cols, large.columns()) >= manyTiles {
		names = []string{gemmLarge, gemmSmall}
	}
	return append(forTypes(names, g.X.Type, g.Y.Type, g.Residual.Type, g.Weight), gemmAny)
}

// Calls returns the dispatches that compute it.
func (g Gemm) Calls(l Limits) ([]Call, error) {
	if err := g.check(); err != nil {
		return nil, fmt.Errorf("gemm: %w", err)
	}
	name, err := l.choose(g.names()...)
	if err != nil {
		return nil, fmt.Errorf("gemm: %w", err)
	}
	n, k := g.Y.Cols, g.X.Cols
	bias := reach{}
	if g.Bias {
		bias = words(Bias, n)
	}
	rows, across := thinRows, 1
	t, tiled := gemmTiles[plain(name)]
	if tiled {
		rows, across = t.rows(), ceilDiv(n, t.columns())
	}
	work := 2 * float64(n) * float64(k)
	parts, err := split(g.X.Rows, rows, work, l,
		same(X, g.X), packed(n, k, g.Weight), bias, same(Residual, g.Residual), same(Y, g.Y))
	if err != nil {
		return nil, fmt.Errorf("gemm: %w", err)
	}
	return calls(name, parts, rows, across, work, func(p part) []byte {
		head := push(p.from, p.to, n, k, roundUp(n, packColumns))
		if tiled {
			head = append(head, push(across)...)
		}
		o := p.operands
		return append(head, push(uint32(g.Weight), uint32(g.Act), g.Bias, !g.Residual.None(),
			o[0].place, o[4].place, o[3].place)...)
	}), nil
}

func (g Gemm) check() error {
	if err := checkAll(named{"X", g.X}, named{"Y", g.Y}); err != nil {
		return err
	}
	if g.X.Rows != g.Y.Rows || !g.Residual.None() && (g.Residual.Rows != g.Y.Rows || g.Residual.Cols != g.Y.Cols) {
		return fmt.Errorf("%d rows of X, %d of Y, a residual of %d x %d", g.X.Rows, g.Y.Rows, g.Residual.Rows, g.Residual.Cols)
	}
	return checkType(g.Weight)
}
