//go:build linux && (amd64 || arm64)

package kernels_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"greenroom/engine/device/kernels"
	"greenroom/engine/program"
)

// gemmCase is a product of matrices with everything that can be added to it.
type gemmCase struct {
	m, n, k        int
	x, y, w        program.DType
	bias, residual bool
	act            program.Act
	before, after  int // columns of X and Y beside the view
}

func (c gemmCase) String() string {
	return fmt.Sprintf("%dx%dx%d %s*%s to %s bias %v residual %v act %d columns %d+%d",
		c.m, c.n, c.k, c.x, c.w, c.y, c.bias, c.residual, c.act, c.before, c.after)
}

// each returns the case and, where it has half-width types, the same in float16.
func (c gemmCase) each() []gemmCase {
	other := c
	if toFloat16(&other.x, &other.y, &other.w) {
		return []gemmCase{c, other}
	}
	return []gemmCase{c}
}

func (m *machine) gemm(t *testing.T, r *rand.Rand, c gemmCase, l kernels.Limits) {
	t.Helper()
	x, y := random(r, view(c.m, c.k, c.before, c.after, c.x)), random(r, view(c.m, c.n, c.after, c.before, c.y))
	g := kernels.Gemm{X: x.Operand, Y: y.Operand, Weight: c.w, Bias: c.bias, Act: c.act}
	w, b := floats(r, c.n*c.k), floats(r, c.n)
	packed, err := kernels.PackWeight(w, c.n, c.k, c.w)
	if err != nil {
		t.Fatal(err)
	}
	mem := memory{kernels.X: x.bytes, kernels.Weight: packed, kernels.Y: y.bytes, kernels.Bias: float32Bytes(b)}
	residual := tensor{y.Operand, bytes.Clone(y.bytes)}
	if c.residual {
		g.Residual = y.Operand
		mem[kernels.Residual] = residual.bytes
	}
	calls, err := g.Calls(l)
	if err != nil {
		t.Fatal(err)
	}
	before := bytes.Clone(y.bytes)
	m.run(t, calls, mem)
	check(t, y, before, func(row, col int) value {
		var sum, size float64
		for i := range c.k {
			p := x.at(row, i) * stored(w[col*c.k+i], c.w)
			sum, size = sum+p, size+p*p
		}
		if c.bias {
			sum += float64(b[col])
		}
		sum = activation(c.act, sum)
		if c.residual {
			sum += residual.at(row, col)
		}
		return value{sum, math.Sqrt(size)}
	})
}

func TestGemm(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(1, 2))
	f, h := program.F32, program.BF16
	aligned := []gemmCase{
		{m: 70, n: 68, k: 112, x: f, y: f, w: f, bias: true, act: program.GELU},
		{m: 129, n: 132, k: 20, x: f, y: f, w: f, bias: true, residual: true},
		{m: 5, n: 8, k: 36, x: h, y: f, w: h, bias: true, act: program.ReLU, before: 4, after: 8},
		{m: 65, n: 12, k: 4, x: f, y: h, w: h, residual: true, act: program.Sigmoid},
		{m: 3, n: 140, k: 60, x: h, y: h, w: f, bias: true, residual: true, act: program.GELU, before: 8, after: 4},
	}
	any := []gemmCase{
		{m: 67, n: 65, k: 31, x: f, y: f, w: f, bias: true, act: program.GELU, before: 1, after: 2},
		{m: 4, n: 5, k: 7, x: h, y: h, w: h, bias: true, residual: true, act: program.Sigmoid, before: 2, after: 1},
		{m: 9, n: 7, k: 17, x: f, y: h, w: f, residual: true, before: 3},
		{m: 1, n: 1, k: 1, x: h, y: f, w: h},
	}
	thin := []gemmCase{
		{m: 131, n: 1, k: 64, x: f, y: f, w: f, bias: true},
		{m: 7, n: 3, k: 33, x: h, y: h, w: h, bias: true, residual: true, act: program.ReLU, before: 1, after: 2},
		{m: 129, n: 4, k: 48, x: f, y: f, w: h, bias: true, residual: true, act: program.Sigmoid},
		{m: 2, n: 2, k: 5, x: f, y: h, w: f, after: 1},
	}
	for _, family := range []struct {
		kernel string
		cases  []gemmCase
	}{
		{"gemm_128x128", aligned}, {"gemm_64x64", aligned},
		{"gemm_any", slices.Concat(aligned[:2], any, thin)}, {"gemm_thin", thin},
	} {
		for _, both := range family.cases {
			for _, c := range both.each() {
				t.Run(family.kernel+" "+c.String(), func(t *testing.T) { m.gemm(t, r, c, without(m.set, family.kernel, family.kernel+"_f16")) })
			}
		}
	}
}

func TestGemmInPartsIsTheSame(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(3, 4))
	c := gemmCase{m: 700, n: 24, k: 20, x: program.F32, y: program.F32, w: program.F32, bias: true, residual: true}
	for name, l := range map[string]kernels.Limits{
		"by work":    {Work: 200 * 2 * 24 * 20},
		"by windows": {Binding: 30000},
	} {
		t.Run(name, func(t *testing.T) { m.gemm(t, r, c, l) })
		g := kernels.Gemm{X: kernels.Dense(c.m, c.k, c.x), Y: kernels.Dense(c.m, c.n, c.y), Bias: true}
		if calls, err := g.Calls(l); err != nil || len(calls) < 3 {
			t.Errorf("%s: %d calls (%v)", name, len(calls), err)
		}
	}
}
