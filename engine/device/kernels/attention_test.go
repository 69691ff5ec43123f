//go:build linux && (amd64 || arm64)

package kernels_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"greenroom/engine/device/kernels"
	"greenroom/engine/program"
)

// attended returns a function that gives softmax(Q K^T * scale) V of one row and column, in float64. It keeps the
// weights of a row and head for the columns that follow.
func attended(q, k, v tensor, s program.AttentionShape) func(row, col int) value {
	lastRow, lastHead := -1, -1
	var weights []float64
	return func(row, col int) value {
		if head := col / s.HeadDim; row != lastRow || head != lastHead {
			weights, lastRow, lastHead = attention(q, k, s, row, head), row, head
		}
		var result float64
		for i, w := range weights {
			result += w * v.at(row/s.Queries*s.Keys+i, col)
		}
		return value{result, 1}
	}
}

// attention returns the weights of a window's keys for one row and head.
func attention(q, k tensor, s program.AttentionShape, row, head int) []float64 {
	window := row / s.Queries
	scores := make([]float64, s.Keys)
	most := math.Inf(-1)
	for i := range scores {
		for d := range s.HeadDim {
			scores[i] += q.at(row, head*s.HeadDim+d) * k.at(window*s.Keys+i, head*s.HeadDim+d)
		}
		scores[i] /= math.Sqrt(float64(s.HeadDim))
		most = max(most, scores[i])
	}
	var sum float64
	for i, x := range scores {
		scores[i] = math.Exp(x - most)
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
	}
	return scores
}

func TestAttention(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(19, 20))
	type kernelCase struct {
		kernel string
		shape  program.AttentionShape
	}
	for _, c := range []kernelCase{
		{"attention_32", program.AttentionShape{Windows: 1, Queries: 70, Keys: 90, Heads: 2, HeadDim: 32}},
		{"attention_32", program.AttentionShape{Windows: 3, Queries: 4, Keys: 16, Heads: 1, HeadDim: 8}},
		{"attention_56", program.AttentionShape{Windows: 2, Queries: 64, Keys: 64, Heads: 2, HeadDim: 56}},
		{"attention_56", program.AttentionShape{Windows: 1, Queries: 33, Keys: 97, Heads: 1, HeadDim: 48}},
		{"attention_64", program.AttentionShape{Windows: 1, Queries: 65, Keys: 57, Heads: 2, HeadDim: 64}},
		{"attention_64", program.AttentionShape{Windows: 2, Queries: 16, Keys: 64, Heads: 1, HeadDim: 60}},
		{"attention_128", program.AttentionShape{Windows: 2, Queries: 40, Keys: 35, Heads: 1, HeadDim: 128}},
		{"attention_128", program.AttentionShape{Windows: 1, Queries: 1, Keys: 1, Heads: 2, HeadDim: 72}},
		{"attention_few", program.AttentionShape{Windows: 3, Queries: 16, Keys: 64, Heads: 2, HeadDim: 56}},
		{"attention_few", program.AttentionShape{Windows: 2, Queries: 4, Keys: 16, Heads: 1, HeadDim: 36}},
		{"attention_any", program.AttentionShape{Windows: 2, Queries: 35, Keys: 20, Heads: 3, HeadDim: 13}},
		{"attention_any", program.AttentionShape{Windows: 1, Queries: 5, Keys: 33, Heads: 2, HeadDim: 128}},
	} {
		for name, types := range types() {
			s := c.shape
			t.Run(fmt.Sprintf("%s %v %s", c.kernel, s, name), func(t *testing.T) {
				n := s.Heads * s.HeadDim
				q := random(r, view(s.Windows*s.Queries, n, 0, 8, types[0]))
				kv := random(r, kernels.Operand{Rows: s.Windows * s.Keys, Stride: 3 * n, Col: n, Cols: n, Type: types[0]})
				k, v := kv, kv
				v.Col = 2 * n
				y := random(r, kernels.Dense(s.Windows*s.Queries, n, types[1]))
				op := kernels.Attention{Q: q.Operand, K: k.Operand, V: v.Operand, Y: y.Operand, Shape: s}
				calls, err := op.Calls(without(m.set, c.kernel, c.kernel+"_f16"))
				if err != nil {
					t.Fatal(err)
				}
				before := bytes.Clone(y.bytes)
				m.run(t, calls, memory{kernels.X: q.bytes, kernels.X1: k.bytes, kernels.X2: v.bytes, kernels.Y: y.bytes})
				check(t, y, before, attended(q, k, v, s))
			})
		}
	}
}

// TestAttentionOfLargeScores has scores far above what a sum of exponentials could hold.
func TestAttentionOfLargeScores(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(21, 22))
	s := program.AttentionShape{Windows: 1, Queries: 8, Keys: 100, Heads: 1, HeadDim: 8}
	o := kernels.Dense(s.Keys, s.HeadDim, program.F32)
	q, k, v := random(r, kernels.Dense(s.Queries, s.HeadDim, program.F32)), random(r, o), random(r, o)
	for i := range s.Queries * s.HeadDim {
		q.set(i, float32(math.Round(400*q.get(i))))
	}
	for i := range s.Keys * s.HeadDim {
		k.set(i, float32(math.Round(4*k.get(i))))
	}
	y := random(r, q.Operand)
	calls, err := kernels.Attention{Q: q.Operand, K: k.Operand, V: v.Operand, Y: y.Operand, Shape: s}.Calls(kernels.Limits{Work: 1})
	if err != nil {
		t.Fatal(err)
	}
	m.run(t, calls, memory{kernels.X: q.bytes, kernels.X1: k.bytes, kernels.X2: v.bytes, kernels.Y: y.bytes})
	reference := attended(q, k, v, s)
	check(t, y, y.bytes, func(row, col int) value {
		// Scores of thousands have steps of 1e-3 in float32.
		w := reference(row, col)
		w.size = 300
		return w
	})
}

func TestScoresSoftmaxAndProduct(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(23, 24))
	for name, types := range types() {
		for _, s := range []program.AttentionShape{
			{Windows: 2, Queries: 33, Keys: 40, Heads: 2, HeadDim: 56},
			{Windows: 1, Queries: 4, Keys: 70, Heads: 3, HeadDim: 13},
		} {
			t.Run(fmt.Sprintf("%v %s", s, name), func(t *testing.T) {
				n := s.Heads * s.HeadDim
				q := random(r, view(s.Windows*s.Queries, n, 1, 2, types[0]))
				kv := random(r, kernels.Operand{Rows: s.Windows * s.Keys, Stride: 3 * n, Col: n, Cols: n, Type: types[0]})
				k, v := kv, kv
				v.Col = 2 * n
				scores := random(r, kernels.Dense(s.Windows*s.Heads*s.Queries, s.Keys, program.F32))
				y := random(r, view(s.Windows*s.Queries, n, 1, 0, types[1]))
				l := kernels.Limits{Work: 2 * 32 * 32 * 40}
				for _, step := range []struct {
					op interface {
						Calls(kernels.Limits) ([]kernels.Call, error)
					}
					mem memory
				}{
					{kernels.Scores{Q: q.Operand, K: k.Operand, Y: scores.Operand, Shape: s}, memory{kernels.X: q.bytes, kernels.X1: k.bytes, kernels.Y: scores.bytes}},
					{kernels.Softmax{Y: scores.Operand}, memory{kernels.Y: scores.bytes}},
					{kernels.Product{S: scores.Operand, V: v.Operand, Y: y.Operand, Shape: s}, memory{kernels.X: scores.bytes, kernels.X1: v.bytes, kernels.Y: y.bytes}},
				} {
					calls, err := step.op.Calls(l)
					if err != nil {
						t.Fatal(err)
					}
					m.run(t, calls, step.mem)
				}
				before := bytes.Clone(y.bytes)
				check(t, y, before, attended(q, k, v, s))
			})
		}
	}
}
