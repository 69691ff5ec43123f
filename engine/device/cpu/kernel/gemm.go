package kernel

// Gemm describes C = act(A*B + Bias) + Residual.
type Gemm struct {
	// M is the number of rows of A and C.
	M int
	// A is [M, K].
	A Rows
	// B is [K, N].
	B *Packed
	// Bias is [N] or nil.
	Bias []float32
	// Act is Identity, GELU or ReLU.
	Act Activation
	// Residual is [M, N] or none. It may be the same memory as C.
	Residual Rows
	// C is [M, N]. It must not overlap A.
	C Rows
}

const (
	// blockRows is how many rows of A are multiplied with a panel before the next panel is read: a multiple of
	// the tiles' heights 6 and 4, large enough to hide the reading of B, small enough that the rows stay in cache.
	blockRows = 96
	// packFrom is the K from which rows of A are first copied side by side: their own stride would spread them
	// over too many pages and cache sets.
	packFrom = 400
)

// ScratchLen returns the floats of working memory that a worker needs for Gemm.
func (g *Gemm) ScratchLen() int {
	n := g.B.scratchLen()
	if g.packs() {
		n += blockRows * packedStride(g.B.K)
	}
	if g.Residual.Half != nil || g.C.Half != nil {
		n += blockRows * wideWidth
	}
	return n
}

func (g *Gemm) packs() bool { return g.A.Half != nil || g.B.K >= packFrom }

// packedStride is the distance of copied rows: an odd number of cache lines, so that rows of a tile fall into
// different cache sets.
func packedStride(k int) int { return roundUp(k, 32) + 16 }

// Gemm computes rows r0 to r1 of C. Ranges of a multiple of 12 rows waste nothing at their ends. scratch holds
// ScratchLen floats and belongs to this call alone.
func (s *Set) Gemm(g *Gemm, r0, r1 int, scratch []float32) {
	g.check(r0, r1, scratch)
	k := g.B.K
	bBuf, scratch := cut(scratch, g.B.scratchLen())
	var aBuf []float32
	if g.packs() {
		aBuf, scratch = cut(scratch, blockRows*packedStride(k))
	}
	cBuf := scratch
	p := &panel{steps: []int{0}, segLen: k, act: g.Act}
	for r := r0; r < r1; r += blockRows {
		p.rows = min(blockRows, r1-r)
		if g.packs() {
			p.aStride = packedStride(k)
			s.readBlock(aBuf, p.aStride, g.A.from(r), p.rows, k)
			p.a = aBuf
		} else {
			p.a, p.aStride = g.A.F32[r*g.A.Stride:], g.A.Stride
		}
		for col := 0; col < g.B.N; col += p.width {
			p.width = panelAt(col, g.B.N)
			p.cols = min(p.width, g.B.N-col)
			p.b = g.B.panel(s, col, p.width, bBuf)
			if g.Bias != nil {
				p.bias = g.Bias[col : col+p.cols]
			}
			s.gemmPanel(g, p, r, col, cBuf)
		}
	}
}

// gemmPanel runs one panel, with its result and residual in place or through buf.
func (s *Set) gemmPanel(g *Gemm, p *panel, r, col int, buf []float32) {
	switch {
	case g.Residual.F32 != nil:
		p.residual, p.resStride = g.Residual.F32[r*g.Residual.Stride+col:], g.Residual.Stride
	case g.Residual.Half != nil:
		s.readBlock(buf, wideWidth, g.Residual.at(r, col), p.rows, p.cols)
		p.residual, p.resStride = buf, wideWidth
	}
	if g.C.F32 != nil {
		p.c, p.cStride = g.C.F32[r*g.C.Stride+col:], g.C.Stride
		s.p.panel(p)
		return
	}
	p.c, p.cStride = buf, wideWidth
	s.p.panel(p)
	s.writeBlock(g.C.at(r, col), buf, wideWidth, p.rows, p.cols)
}

func (g *Gemm) check(r0, r1 int, scratch []float32) {
	g.B.check()
	checkRange("rows", r0, r1, g.M)
	g.A.check("A", g.M, g.B.K)
	g.C.check("C", g.M, g.B.N)
	if !g.Residual.None() {
		g.Residual.check("residual", g.M, g.B.N)
	}
	if g.Bias != nil {
		checkLen("bias", len(g.Bias), g.B.N)
	}
	if g.Act > ReLU {
		panic("kernel: gemm has no such activation")
	}
	checkLen("scratch", len(scratch), g.ScratchLen())
}

// cut splits n floats off the start of scratch.
func cut(scratch []float32, n int) (head, rest []float32) { return scratch[:n:n], scratch[n:] }
