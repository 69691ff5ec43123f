package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// attentionCase is a random attention with its float64 results.
type attentionCase struct {
	a                   *Attention
	q, k, v, out        *matrix
	scores, probs, want []float64 // [Windows][Heads][Queries][Keys], the same, [Windows*Queries][Heads*HeadDim]
}

func newAttentionCase(r *rand.Rand, a Attention, spread float64) *attentionCase {
	half := func() storage { return oneIn(r, 4) }
	cols := a.Heads * a.HeadDim
	a.Scale = float32(spread / math.Sqrt(float64(a.HeadDim)))
	e := &attentionCase{a: &a}
	e.q = newMatrix(r, normal(r, a.Windows*a.Queries*cols), a.Windows*a.Queries, cols, half())
	e.k = newMatrix(r, normal(r, a.Windows*a.Keys*cols), a.Windows*a.Keys, cols, half())
	e.v = newMatrix(r, normal(r, a.Windows*a.Keys*cols), a.Windows*a.Keys, cols, half())
	e.out = newMatrix(r, nil, a.Windows*a.Queries, cols, half())
	a.Q, a.K, a.V, a.Out = e.q.Rows, e.k.Rows, e.v.Rows, e.out.Rows
	e.want = make([]float64, a.Windows*a.Queries*cols)
	for w := range a.Windows {
		for h := range a.Heads {
			for i := range a.Queries {
				e.row(w, h, i)
			}
		}
	}
	return e
}

func (e *attentionCase) row(w, h, i int) {
	a := e.a
	row, col := w*a.Queries+i, h*a.HeadDim
	peak := math.Inf(-1)
	scores := make([]float64, a.Keys)
	for j := range scores {
		for d := range a.HeadDim {
			scores[j] += e.q.at(row, col+d) * e.k.at(w*a.Keys+j, col+d) * float64(a.Scale)
		}
		peak = max(peak, scores[j])
	}
	e.scores = append(e.scores, scores...)
	var sum float64
	probs := make([]float64, a.Keys)
	for j, x := range scores {
		probs[j] = math.Exp(x - peak)
		sum += probs[j]
	}
	for j := range probs {
		probs[j] /= sum
		for d := range a.HeadDim {
			e.want[row*a.Heads*a.HeadDim+col+d] += probs[j] * e.v.at(w*a.Keys+j, col+d)
		}
	}
	e.probs = append(e.probs, probs...)
}

func (e *attentionCase) check(t *testing.T) {
	t.Helper()
	e.out.checkBorders(t, "Out")
	cols := e.a.Heads * e.a.HeadDim
	for i, want := range e.want {
		near(t, fmt.Sprintf("(%d, %d)", i/cols, i%cols), e.out.at(i/cols, i%cols), want,
			2e-5+math.Abs(want)*e.out.stored.rounding())
	}
}

func randomAttention(r *rand.Rand) Attention {
	return Attention{
		Windows: pick(r, 2), Queries: pick(r, 60), Keys: pick(r, 60), Heads: pick(r, 2),
		HeadDim: []int{1, 5, 8, 16, 20, 32, 56, 64, 77, 128}[r.IntN(10)],
	}
}

func TestAttentionMatchesFloat64(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		r := random(8)
		for range 30 {
			e := newAttentionCase(r, randomAttention(r), 1+4*r.Float64())
			t.Logf("%d windows, %d queries, %d keys, %d heads of %d", e.a.Windows, e.a.Queries, e.a.Keys, e.a.Heads, e.a.HeadDim)
			scratch := scratchOf(e.a.ScratchLen())
			split := r.IntN(e.a.Units() + 1)
			s.Attention(e.a, split, e.a.Units(), scratch.in)
			s.Attention(e.a, 0, split, scratch.in)
			scratch.check(t, "scratch")
			e.check(t)
		}
	})
}

func TestAttentionOverManyKeysMatchesFloat64(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		r := random(9)
		for _, a := range []Attention{
			{Windows: 1, Queries: 401, Keys: 405, Heads: 1, HeadDim: 8},
			{Windows: 1, Queries: 50, Keys: 600, Heads: 2, HeadDim: 56},
			{Windows: 2, Queries: 390, Keys: 200, Heads: 1, HeadDim: 16},
		} {
			e := newAttentionCase(r, a, 8)
			s.Attention(e.a, 0, e.a.Units(), make([]float32, e.a.ScratchLen()))
			e.check(t)
		}
	})
}

func TestAttentionInThreeStepsMatchesFloat64(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		r := random(10)
		sizes := []Attention{{Windows: 1, Queries: 400, Keys: 210, Heads: 1, HeadDim: 24}}
		for range 20 {
			sizes = append(sizes, randomAttention(r))
		}
		for _, a := range sizes {
			e := newAttentionCase(r, a, 2)
			half := oneIn(r, 3)
			scratch := scratchOf(e.a.ScratchLen())
			rounding := half.rounding()
			at := 0
			for w := range a.Windows {
				for h := range a.Heads {
					m := newMatrix(r, nil, a.Queries, a.Keys, half)
					split := r.IntN(a.Queries + 1)
					s.Scores(e.a, w, h, split, a.Queries, m.Rows, scratch.in)
					s.Scores(e.a, w, h, 0, split, m.Rows, scratch.in)
					m.checkBorders(t, "scores")
					for i := range a.Queries * a.Keys {
						want := e.scores[at+i]
						near(t, "score", m.at(i/a.Keys, i%a.Keys), want, 2e-5+math.Abs(want)*rounding)
					}
					s.Softmax(m.Rows, 0, a.Queries, a.Keys, make([]float32, RowScratchLen(a.Keys)))
					m.checkBorders(t, "probabilities")
					if half == full {
						for i := range a.Queries * a.Keys {
							near(t, "probability", m.at(i/a.Keys, i%a.Keys), e.probs[at+i], 3e-6)
						}
					}
					s.Product(e.a, w, h, 0, split, m.Rows, scratch.in)
					s.Product(e.a, w, h, split, a.Queries, m.Rows, scratch.in)
					at += a.Queries * a.Keys
				}
			}
			scratch.check(t, "scratch")
			if half == full {
				e.check(t)
			}
		}
	})
}

func TestAttentionPropagatesNaN(t *testing.T) {
	sets(t, func(t *testing.T, s *Set) {
		const n, dim = 20, 8
		q, k, v := normal(random(11), n*dim), normal(random(12), n*dim), normal(random(13), n*dim)
		q[3*dim+2] = float32(math.NaN())
		out := make([]float32, n*dim)
		a := &Attention{
			Windows: 1, Queries: n, Keys: n, Heads: 1, HeadDim: dim, Scale: 1,
			Q: Float32(q, dim), K: Float32(k, dim), V: Float32(v, dim), Out: Float32(out, dim),
		}
		s.Attention(a, 0, a.Units(), make([]float32, a.ScratchLen()))
		for i, x := range out {
			if math.IsNaN(float64(x)) != (i/dim == 3) {
				t.Fatalf("query %d: %g", i/dim, x)
			}
		}
	})
}

func TestAttentionRefusesWrongSizes(t *testing.T) {
	s := Best()
	x := Float32(make([]float32, 2*3*8), 8)
	good := Attention{
		Windows: 2, Queries: 3, Keys: 3, Heads: 2, HeadDim: 4, Scale: 1,
		Q: x, K: x, V: x, Out: Float32(make([]float32, 48), 8),
	}
	scratch := make([]float32, good.ScratchLen())
	for what, change := range map[string]func(a *Attention){
		"no keys":     func(a *Attention) { a.Keys = 0 },
		"no scale":    func(a *Attention) { a.Scale = 0 },
		"wide head":   func(a *Attention) { a.HeadDim = MaxHeadDim + 1 },
		"short query": func(a *Attention) { a.Q.F32 = a.Q.F32[:47] },
		"no values":   func(a *Attention) { a.V = Rows{} },
	} {
		a := good
		change(&a)
		mustPanic(t, what, func() { s.Attention(&a, 0, 1, scratch) })
	}
	mustPanic(t, "units", func() { s.Attention(&good, 0, 3, scratch) })
	mustPanic(t, "scratch", func() { s.Attention(&good, 0, 2, scratch[1:]) })
	s.Attention(&good, 0, 2, scratch)
}

func BenchmarkAttention(b *testing.B) {
	s := Best()
	for _, a := range []Attention{
		{Windows: 1, Queries: 2304, Keys: 2304, Heads: 1, HeadDim: 32},
		{Windows: 1, Queries: 2304, Keys: 2304, Heads: 1, HeadDim: 56},
		{Windows: 1, Queries: 576, Keys: 9216, Heads: 1, HeadDim: 32},
		{Windows: 1, Queries: 576, Keys: 9216, Heads: 1, HeadDim: 56},
		{Windows: 144, Queries: 64, Keys: 64, Heads: 1, HeadDim: 32},
		{Windows: 144, Queries: 64, Keys: 64, Heads: 2, HeadDim: 56},
		{Windows: 144, Queries: 16, Keys: 64, Heads: 2, HeadDim: 32},
		{Windows: 144, Queries: 16, Keys: 16, Heads: 2, HeadDim: 32},
		{Windows: 144, Queries: 4, Keys: 16, Heads: 4, HeadDim: 32},
	} {
		r := random(1)
		cols := a.Heads * a.HeadDim
		rows := a.Windows * max(a.Keys, a.Queries)
		qkv := normal(r, rows*3*cols)
		a.Scale = float32(1 / math.Sqrt(float64(a.HeadDim)))
		a.Q, a.K, a.V = Float32(qkv, 3*cols), Float32(qkv[cols:], 3*cols), Float32(qkv[2*cols:], 3*cols)
		a.Out = Float32(make([]float32, a.Windows*a.Queries*cols), cols)
		scratch := make([]float32, a.ScratchLen())
		b.Run(fmt.Sprintf("windows=%d/%dx%d/dim=%d", a.Windows, a.Queries, a.Keys, a.HeadDim), func(b *testing.B) {
			work := 4 * float64(a.Windows*a.Queries*a.Keys) * float64(cols)
			measure(b, work, "GFLOP/s", func() { s.Attention(&a, 0, a.Units(), scratch) })
		})
	}
}
