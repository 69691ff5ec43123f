//go:build linux && (amd64 || arm64)

package kernels_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"greenroom/engine/device/kernels"
	"greenroom/engine/program"
)

// checkStatistics holds statistics [groups, 2] against those of x in float64.
func checkStatistics(t *testing.T, got []byte, x tensor, groups int, eps float64) {
	t.Helper()
	s := tensor{kernels.Dense(groups, 2, program.F32), got}
	per := x.Cols / groups
	n := float64(x.Rows * per)
	for g := range groups {
		var mean, square float64
		for row := range x.Rows {
			for c := range per {
				mean += x.at(row, g*per+c) / n
			}
		}
		for row := range x.Rows {
			for c := range per {
				d := x.at(row, g*per+c) - mean
				square += d * d / n
			}
		}
		rstd := 1 / math.Sqrt(square+eps)
		spread := math.Sqrt(square)
		if off := math.Abs(s.at(g, 0) - mean); !(off <= 1e-5*spread+2e-7*math.Abs(mean)) {
			t.Errorf("group %d: mean %.9g, not %.9g", g, s.at(g, 0), mean)
		}
		if off := math.Abs(s.at(g, 1) - rstd); !(off <= 1e-5*rstd) {
			t.Errorf("group %d: 1/deviation %.9g, not %.9g", g, s.at(g, 1), rstd)
		}
	}
}

func TestGroupStatistics(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(11, 12))
	for name, c := range map[string]struct {
		x      kernels.Operand
		groups int
		offset float64
		limits kernels.Limits
	}{
		"eight groups of eight":         {kernels.Dense(2500, 64, program.F32), 8, 0, kernels.Limits{}},
		"far from zero":                 {kernels.Dense(3000, 8, program.F32), 4, 300, kernels.Limits{}},
		"half width, odd columns":       {view(1100, 21, 1, 2, program.BF16), 3, 1, kernels.Limits{}},
		"float16, odd columns":          {view(1100, 21, 1, 2, program.F16), 3, 1, kernels.Limits{}},
		"more columns than invocations": {kernels.Dense(40, 520, program.F32), 8, -2, kernels.Limits{}},
		"fewer rows than invocations":   {kernels.Dense(1, 6, program.F32), 2, 0, kernels.Limits{}},
		"in windows":                    {kernels.Dense(5000, 8, program.F32), 2, 5, kernels.Limits{Binding: 70000}},
	} {
		t.Run(name, func(t *testing.T) {
			x := random(r, c.x)
			for i := range c.x.Rows * c.x.Stride {
				x.set(i, float32(x.get(i)+c.offset))
			}
			op := kernels.GroupStatistics{X: c.x, Groups: c.groups, Eps: 1e-5}
			calls, err := op.Calls(c.limits)
			if err != nil {
				t.Fatal(err)
			}
			y := make([]byte, 8*c.groups)
			m.run(t, calls, memory{kernels.X: x.bytes, kernels.Scratch: make([]byte, op.Scratch()), kernels.Y: y})
			checkStatistics(t, y, x, c.groups, 1e-5)
		})
	}
}

func TestGroupNorm(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(13, 14))
	for name, types := range types() {
		for _, residual := range []bool{false, true} {
			const rows, cols, groups = 130, 15, 3
			x, y := random(r, view(rows, cols, 1, 0, types[0])), random(r, view(rows, cols, 0, 1, types[1]))
			z := random(r, kernels.Dense(rows, cols, types[0]))
			op := kernels.GroupNorm{X: x.Operand, Y: y.Operand, Groups: groups, Act: program.ReLU}
			stats, gamma, beta := floats(r, 2*groups), floats(r, cols), floats(r, cols)
			mem := memory{
				kernels.X: x.bytes, kernels.X1: float32Bytes(stats), kernels.Weight: float32Bytes(gamma),
				kernels.Bias: float32Bytes(beta), kernels.Y: y.bytes,
			}
			if residual {
				op.Residual = z.Operand
				mem[kernels.Residual] = z.bytes
			}
			t.Run(name, func(t *testing.T) {
				calls, err := op.Calls(kernels.Limits{})
				if err != nil {
					t.Fatal(err)
				}
				before := bytes.Clone(y.bytes)
				m.run(t, calls, mem)
				check(t, y, before, func(row, col int) value {
					g := col / (cols / groups)
					v := (x.at(row, col)-float64(stats[2*g]))*float64(stats[2*g+1])*float64(gamma[col]) + float64(beta[col])
					if residual {
						v += z.at(row, col)
					}
					return value{max(v, 0), 1}
				})
			})
		}
	}
}

func TestLayerNorm(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(15, 16))
	for name, types := range types() {
		for _, c := range []struct{ rows, cols, before, after int }{{5, 112, 0, 0}, {67, 7, 1, 2}, {3, 1500, 2, 0}, {1, 1, 0, 0}} {
			t.Run(name, func(t *testing.T) {
				x, y := random(r, view(c.rows, c.cols, c.before, c.after, types[0])), random(r, view(c.rows, c.cols, c.after, c.before, types[1]))
				gamma, beta := floats(r, c.cols), floats(r, c.cols)
				calls, err := kernels.LayerNorm{X: x.Operand, Y: y.Operand, Eps: 1e-6}.Calls(kernels.Limits{})
				if err != nil {
					t.Fatal(err)
				}
				before := bytes.Clone(y.bytes)
				m.run(t, calls, memory{
					kernels.X: x.bytes, kernels.Weight: float32Bytes(gamma), kernels.Bias: float32Bytes(beta), kernels.Y: y.bytes,
				})
				check(t, y, before, func(row, col int) value {
					var mean, square float64
					for i := range c.cols {
						mean += x.at(row, i) / float64(c.cols)
					}
					for i := range c.cols {
						square += (x.at(row, i) - mean) * (x.at(row, i) - mean) / float64(c.cols)
					}
					return value{(x.at(row, col)-mean)/math.Sqrt(square+1e-6)*float64(gamma[col]) + float64(beta[col]), 1}
				})
			})
		}
	}
}

func TestSoftmax(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(17, 18))
	for _, d := range []program.DType{program.F32, program.BF16} {
		for _, c := range []struct{ rows, cols, after int }{{70, 16, 0}, {9, 65, 1}, {2, 1200, 0}, {1, 1, 0}} {
			y := random(r, view(c.rows, c.cols, 0, c.after, d))
			for i := range c.rows * y.Stride {
				y.set(i, float32(20*y.get(i)))
			}
			before := bytes.Clone(y.bytes)
			x := tensor{y.Operand, before}
			calls, err := kernels.Softmax{Y: y.Operand}.Calls(kernels.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			m.run(t, calls, memory{kernels.Y: y.bytes})
			check(t, y, before, func(row, col int) value {
				most, sum := math.Inf(-1), 0.0
				for i := range c.cols {
					most = max(most, x.at(row, i))
				}
				for i := range c.cols {
					sum += math.Exp(x.at(row, i) - most)
				}
				return value{math.Exp(x.at(row, col)-most) / sum, 0.01}
			})
		}
	}
}
