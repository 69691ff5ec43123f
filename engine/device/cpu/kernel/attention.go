package kernel

import (
	"fmt"
	"math"
)

// Attention describes softmax(Scale * Q*K^T) * V, for every window and head on its own. Window w has query rows
// [w*Queries, (w+1)*Queries) and key rows [w*Keys, (w+1)*Keys); head h has columns [h*HeadDim, (h+1)*HeadDim).
type Attention struct {
	Windows, Queries, Keys, Heads, HeadDim int
	// Scale is positive.
	Scale float32
	// Q and Out have Windows*Queries rows, K and V Windows*Keys. Out must not overlap the others.
	Q, K, V, Out Rows
}

const (
	// queryBlock by keyBlock scores are computed at a time; they fit the first-level cache.
	queryBlock = 48
	keyBlock   = 192
	// queryUnit is how many queries share one rearrangement of a block of keys.
	queryUnit = 8 * queryBlock
	// MaxHeadDim is the largest head dimension.
	MaxHeadDim = 256
)

// Units returns into how many pieces the work can be split: the windows, or, for a single window, its heads
// times blocks of queries.
func (a *Attention) Units() int {
	if a.Windows > 1 {
		return a.Windows
	}
	return a.Heads * a.queryUnits()
}

func (a *Attention) queryUnits() int { return (a.Queries + queryUnit - 1) / queryUnit }

// ScratchLen returns the floats of working memory that a worker needs for Attention, Scores or Product.
func (a *Attention) ScratchLen() int {
	l := a.layout()
	return l.q + l.k + l.v + l.scores + l.out + l.state
}

// attentionLayout is how Attention divides its working memory, in floats.
type attentionLayout struct{ q, k, v, scores, out, state int }

func (a *Attention) layout() attentionLayout {
	queries, keys := min(a.Queries, queryUnit), min(a.Keys, keyBlock)
	width := packedWidth(a.HeadDim)
	q := 0
	if a.Q.Half != nil {
		q = queries * a.HeadDim
	}
	return attentionLayout{
		q: q, k: packedWidth(roundUp(keys, panelWidth)) * a.HeadDim, v: keys * width,
		// The scores' memory also holds keys and results in passing, a panel at a time.
		scores: max(min(a.Queries, queryBlock)*scoreStride(keys), panelWidth*max(a.HeadDim, queries)),
		out:    queries * width, state: 2 * queries,
	}
}

// scoreStride is the distance of rows of a block of scores for keys keys.
func scoreStride(keys int) int { return roundUp(keys, panelWidth) + panelWidth }

// Attention computes units u0 to u1. Scores are never stored: blocks of them are folded into the result with a
// running maximum and sum (online softmax). scratch holds ScratchLen floats and belongs to this call alone.
func (s *Set) Attention(a *Attention, u0, u1 int, scratch []float32) {
	a.checkSizes()
	a.checkQuery("Q", a.Q)
	a.checkQuery("Out", a.Out)
	a.checkKey("K", a.K)
	a.checkKey("V", a.V)
	checkRange("units", u0, u1, a.Units())
	checkLen("scratch", len(scratch), a.ScratchLen())
	w := newAttentionWork(s, a, scratch)
	for u := u0; u < u1; u++ {
		if a.Windows > 1 {
			for h := range a.Heads {
				for q := 0; q < a.Queries; q += queryUnit {
					w.unit(u, h, q)
				}
			}
			continue
		}
		w.unit(0, u/a.queryUnits(), u%a.queryUnits()*queryUnit)
	}
}

// attentionWork is the working memory of one call.
type attentionWork struct {
	s                       *Set
	a                       *Attention
	width                   int // floats of a row of v and out
	q, k, v, scores, out    []float32
	queries                 []float32 // the unit's queries, with queryStride
	queryStride             int
	peak, sum               []float32 // running maximum and sum of every query
	scoresPanel, valuePanel panel
	softmax                 softmaxBlock
}

func newAttentionWork(s *Set, a *Attention, scratch []float32) *attentionWork {
	l := a.layout()
	w := &attentionWork{s: s, a: a, width: packedWidth(a.HeadDim)}
	w.q, scratch = cut(scratch, l.q)
	w.k, scratch = cut(scratch, l.k)
	w.v, scratch = cut(scratch, l.v)
	w.scores, scratch = cut(scratch, l.scores)
	w.out, scratch = cut(scratch, l.out)
	w.peak, scratch = cut(scratch, l.state/2)
	w.sum, _ = cut(scratch, l.state/2)
	w.scoresPanel = panel{steps: []int{0}, segLen: a.HeadDim, width: panelWidth}
	w.valuePanel = panel{steps: []int{0}}
	return w
}

// unit attends queries q to q+queryUnit of one window and head.
func (w *attentionWork) unit(window, head, q int) {
	a := w.a
	col := head * a.HeadDim
	queries := min(queryUnit, a.Queries-q)
	row := window*a.Queries + q
	w.loadQueries(row, col, queries)
	for i := range queries {
		w.peak[i], w.sum[i] = float32(math.Inf(-1)), 0
	}
	for key := 0; key < a.Keys; key += keyBlock {
		keys := min(keyBlock, a.Keys-key)
		w.loadKeys(window*a.Keys+key, col, keys)
		w.loadValues(window*a.Keys+key, col, keys)
		for i := 0; i < queries; i += queryBlock {
			w.block(i, min(queryBlock, queries-i), keys, key == 0)
		}
	}
	out := a.Out.at(row, col)
	if out.F32 != nil {
		w.s.p.divide(out.F32, w.out, w.sum, out.Stride, w.width, queries, a.HeadDim)
		return
	}
	w.s.p.divide(w.out, w.out, w.sum, w.width, w.width, queries, a.HeadDim)
	w.s.writeBlock(out, w.out, w.width, queries, a.HeadDim)
}

// loadQueries makes queries the left-hand rows of the scores: in place, or converted.
func (w *attentionWork) loadQueries(row, col, queries int) {
	dim, q := w.a.HeadDim, w.a.Q.at(row, col)
	w.queries, w.queryStride = q.F32, q.Stride
	if q.Half != nil {
		w.s.readBlock(w.q, dim, q, queries, dim)
		w.queries, w.queryStride = w.q, dim
	}
}

// loadKeys rearranges keys into panels of 16, each [HeadDim][16].
func (w *attentionWork) loadKeys(row, col, keys int) {
	dim := w.a.HeadDim
	for i := 0; i < keys; i += panelWidth {
		rows := min(panelWidth, keys-i)
		src, stride := w.a.K.at(row+i, col).F32, w.a.K.Stride
		if w.a.K.Half != nil {
			// The scores are not in use yet: they hold the converted keys.
			src, stride = w.scores, dim
			w.s.readBlock(src, dim, w.a.K.at(row+i, col), rows, dim)
		}
		w.s.p.transpose(w.k[i*dim:(i+panelWidth)*dim], src, stride, rows, dim, panelWidth)
	}
}

// loadValues rearranges values into panels as wide as Packed has them.
func (w *attentionWork) loadValues(row, col, keys int) {
	dim := w.a.HeadDim
	for c := 0; c < dim; {
		width := panelAt(c, dim)
		cols := min(width, dim-c)
		dst := w.v[c*keys:]
		if cols < width {
			clear(dst[:keys*width])
		}
		w.s.readBlock(dst, width, w.a.V.at(row, col+c), keys, cols)
		c += width
	}
}

// block folds one block of keys, the first of its window or not, into the results of rows queries from q on.
func (w *attentionWork) block(q, rows, keys int, first bool) {
	dim := w.a.HeadDim
	stride := scoreStride(keys)
	p := &w.scoresPanel
	p.a, p.aStride, p.rows, p.cStride = w.queries[q*w.queryStride:], w.queryStride, rows, stride
	for i := 0; i < keys; i += panelWidth {
		p.b, p.cols, p.c = w.k[i*dim:(i+panelWidth)*dim], min(panelWidth, keys-i), w.scores[i:]
		w.s.p.panel(p)
	}
	w.softmax = softmaxBlock{
		scores: w.scores, stride: stride, rows: rows, cols: keys, scale: w.a.Scale * math.Log2E,
		peak: w.peak[q:], sum: w.sum[q:],
	}
	if !first {
		w.softmax.out, w.softmax.outStride = w.out[q*w.width:], w.width
	}
	w.s.p.softmaxBlock(&w.softmax)
	v := &w.valuePanel
	v.a, v.aStride, v.rows, v.segLen = w.scores, stride, rows, keys
	for c := 0; c < dim; c += v.width {
		v.width = panelAt(c, dim)
		v.cols = min(v.width, w.width-c)
		v.b = w.v[c*keys : (c+v.width)*keys]
		v.c, v.cStride = w.out[q*w.width+c:], w.width
		v.residual, v.resStride = nil, 0
		if !first {
			v.residual, v.resStride = v.c, v.cStride
		}
		w.s.p.panel(v)
	}
}

// softmaxBlock is one step of an online softmax over a block of scores. For every row: the new peak is the
// maximum of the old one and of score*scale; scores become 2^(score*scale - peak); sum and out are scaled by
// 2^(old peak - peak), and the row's total is added to sum.
type softmaxBlock struct {
	scores     []float32
	stride     int
	rows, cols int
	scale      float32 // positive
	peak, sum  []float32
	out        []float32
	outStride  int // also the columns of out, a multiple of 8; 0 where there is nothing to scale yet
}

func softmaxBlockGo(b *softmaxBlock) {
	for r := range b.rows {
		row := b.scores[r*b.stride : r*b.stride+b.cols]
		peak := b.peak[r]
		for _, x := range row {
			peak = max(peak, x*b.scale)
		}
		var sum float32
		for i, x := range row {
			e := exp2(x*b.scale - peak)
			row[i] = e
			sum += e
		}
		fade := exp2(b.peak[r] - peak)
		b.sum[r] = b.sum[r]*fade + sum
		b.peak[r] = peak
		if fade != 1 && b.outStride > 0 {
			out := b.out[r*b.outStride : (r+1)*b.outStride]
			scaleGo(out, out, fade)
		}
	}
}

// Scores writes Scale * Q*K^T of one window and head for queries q0 to q1: row q of out is row q of the
// window's scores, Keys columns.
func (s *Set) Scores(a *Attention, window, head, q0, q1 int, out Rows, scratch []float32) {
	a.checkPart(window, head, q0, q1, out, a.Keys, scratch)
	a.checkQuery("Q", a.Q)
	a.checkKey("K", a.K)
	w := newAttentionWork(s, a, scratch)
	col := head * a.HeadDim
	p := &w.scoresPanel
	for q := q0; q < q1; q += queryUnit {
		p.rows = min(queryUnit, q1-q)
		w.loadQueries(window*a.Queries+q, col, p.rows)
		p.a, p.aStride = w.queries, w.queryStride
		for key := 0; key < a.Keys; key += panelWidth {
			p.cols = min(panelWidth, a.Keys-key)
			w.loadKeys(window*a.Keys+key, col, p.cols)
			p.b = w.k[:panelWidth*a.HeadDim]
			s.p.scale(p.b, p.b, a.Scale)
			dst := out.at(q, key)
			if dst.F32 != nil {
				p.c, p.cStride = dst.F32, dst.Stride
				s.p.panel(p)
				continue
			}
			p.c, p.cStride = w.scores, panelWidth
			s.p.panel(p)
			s.writeBlock(dst, p.c, panelWidth, p.rows, p.cols)
		}
	}
}

// Product writes probabilities times V of one window and head for queries q0 to q1 into Out. Row q of probs
// is row q of the window's probabilities, Keys columns.
func (s *Set) Product(a *Attention, window, head, q0, q1 int, probs Rows, scratch []float32) {
	a.checkPart(window, head, q0, q1, probs, a.Keys, scratch)
	a.checkQuery("Out", a.Out)
	a.checkKey("V", a.V)
	w := newAttentionWork(s, a, scratch)
	dim, col := a.HeadDim, head*a.HeadDim
	v := &w.valuePanel
	for q := q0; q < q1; q += queryUnit {
		rows := min(queryUnit, q1-q)
		clear(w.out[:rows*w.width])
		for key := 0; key < a.Keys; key += keyBlock {
			keys := min(keyBlock, a.Keys-key)
			w.loadValues(window*a.Keys+key, col, keys)
			for i := 0; i < rows; i += queryBlock {
				v.rows, v.segLen = min(queryBlock, rows-i), keys
				src := probs.at(q+i, key)
				v.a, v.aStride = src.F32, src.Stride
				if src.Half != nil {
					v.a, v.aStride = w.scores, scoreStride(keys)
					s.readBlock(w.scores, v.aStride, src, v.rows, keys)
				}
				for c := 0; c < dim; c += v.width {
					v.width = panelAt(c, dim)
					v.cols = min(v.width, w.width-c)
					v.b = w.v[c*keys : (c+v.width)*keys]
					v.c, v.cStride = w.out[i*w.width+c:], w.width
					v.residual, v.resStride = v.c, v.cStride
					s.p.panel(v)
				}
			}
		}
		s.writeBlock(a.Out.at(window*a.Queries+q, col), w.out, w.width, rows, dim)
	}
}

func (a *Attention) checkSizes() {
	if a.Windows < 1 || a.Queries < 1 || a.Keys < 1 || a.Heads < 1 || a.HeadDim < 1 || a.HeadDim > MaxHeadDim {
		panic(fmt.Sprintf("kernel: attention of %d windows, %d queries, %d keys, %d heads of %d",
			a.Windows, a.Queries, a.Keys, a.Heads, a.HeadDim))
	}
	if !(a.Scale > 0) {
		panic("kernel: attention without a positive scale")
	}
}

func (a *Attention) checkQuery(what string, v Rows) {
	v.check(what, a.Windows*a.Queries, a.Heads*a.HeadDim)
}

func (a *Attention) checkKey(what string, v Rows) {
	v.check(what, a.Windows*a.Keys, a.Heads*a.HeadDim)
}

func (a *Attention) checkPart(window, head, q0, q1 int, m Rows, cols int, scratch []float32) {
	a.checkSizes()
	checkRange("window", window, window+1, a.Windows)
	checkRange("head", head, head+1, a.Heads)
	checkRange("queries", q0, q1, a.Queries)
	m.check("scores", q1, cols)
	checkLen("scratch", len(scratch), a.ScratchLen())
}
