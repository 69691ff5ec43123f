//go:build linux && (amd64 || arm64)

package kernels_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"greenroom/engine/device/kernels"
	"greenroom/engine/program"
)

// calls is what every constructor can do.
type calls interface {
	Calls(kernels.Limits) ([]kernels.Call, error)
}

// element runs an op and holds y against a reference.
func (m *machine) element(t *testing.T, op calls, l kernels.Limits, mem memory, y tensor, reference func(row, col int) value) {
	t.Helper()
	list, err := op.Calls(l)
	if err != nil {
		t.Fatal(err)
	}
	before := bytes.Clone(y.bytes)
	m.run(t, list, mem)
	check(t, y, before, reference)
}

// shapes are rows, columns and columns beside a view of both operands, even and odd.
var shapes = []struct{ rows, cols, before, after int }{{130, 8, 0, 0}, {7, 5, 1, 2}, {33, 1, 0, 0}, {9, 3, 2, 0}, {300, 3, 0, 0}}

// each runs a test for every shape and every pair of types.
func each(t *testing.T, run func(t *testing.T, x, y kernels.Operand)) {
	for name, types := range types() {
		for _, s := range shapes {
			t.Run(fmt.Sprintf("%s %v", name, s), func(t *testing.T) {
				run(t, view(s.rows, s.cols, s.before, s.after, types[0]), view(s.rows, s.cols, s.after, s.before, types[1]))
			})
		}
	}
}

func TestActivate(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(25, 26))
	each(t, func(t *testing.T, xo, yo kernels.Operand) {
		for _, act := range []program.Act{program.Identity, program.GELU, program.ReLU, program.Sigmoid} {
			x, y := random(r, xo), random(r, yo)
			for i := range xo.Rows * xo.Stride {
				x.set(i, float32(3*x.get(i)))
			}
			m.element(t, kernels.Activate{X: xo, Y: yo, Act: act}, kernels.Limits{}, memory{kernels.X: x.bytes, kernels.Y: y.bytes}, y,
				func(row, col int) value { return value{activation(act, x.at(row, col)), 0.02} })
		}
	})
}

func TestAdd(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(27, 28))
	each(t, func(t *testing.T, xo, yo kernels.Operand) {
		x, y := random(r, xo), random(r, yo)
		z := tensor{yo, bytes.Clone(y.bytes)}
		m.element(t, kernels.Add{X: xo, Z: yo, Y: yo}, kernels.Limits{}, memory{kernels.X: x.bytes, kernels.X1: z.bytes, kernels.Y: y.bytes}, y,
			func(row, col int) value { return value{x.at(row, col) + z.at(row, col), 1} })
		y = random(r, yo)
		constants := floats(r, yo.Rows*yo.Cols)
		m.element(t, kernels.Add{X: xo, Y: yo, Constants: true}, kernels.Limits{}, memory{kernels.X: x.bytes, kernels.Bias: float32Bytes(constants), kernels.Y: y.bytes}, y,
			func(row, col int) value { return value{x.at(row, col) + float64(constants[row*yo.Cols+col]), 1} })
	})
}

func TestGather(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(29, 30))
	each(t, func(t *testing.T, xo, yo kernels.Operand) {
		xo.Rows = 20
		x, y := random(r, xo), random(r, yo)
		index := make([]byte, 0, 4*yo.Rows)
		rows := make([]int, yo.Rows)
		for i := range rows {
			rows[i] = r.IntN(xo.Rows)
			index = binary.LittleEndian.AppendUint32(index, uint32(rows[i]))
		}
		constants := floats(r, yo.Rows*yo.Cols)
		for _, added := range []bool{false, true} {
			mem := memory{kernels.Index: index, kernels.X: x.bytes, kernels.Y: y.bytes}
			if added {
				mem[kernels.Bias] = float32Bytes(constants)
			}
			m.element(t, kernels.Gather{X: xo, Y: yo, Constants: added}, kernels.Limits{}, mem, y, func(row, col int) value {
				v := x.at(rows[row], col)
				if added {
					v += float64(constants[row*yo.Cols+col])
				}
				return value{v, 1}
			})
		}
	})
}

func TestMaxPool(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(31, 32))
	each(t, func(t *testing.T, xo, yo kernels.Operand) {
		xo.Rows = 4 * yo.Rows
		x, y := random(r, xo), random(r, yo)
		m.element(t, kernels.MaxPool{X: xo, Y: yo}, kernels.Limits{}, memory{kernels.X: x.bytes, kernels.Y: y.bytes}, y,
			func(row, col int) value {
				return value{max(x.at(4*row, col), x.at(4*row+1, col), x.at(4*row+2, col), x.at(4*row+3, col)), 0}
			})
	})
}

func TestConcat(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(33, 34))
	for name, types := range types() {
		t.Run(name, func(t *testing.T) {
			widths := []int{3, 4, 1, 6}
			y := random(r, view(50, 14, 1, 2, types[1]))
			op := kernels.Concat{Y: y.Operand}
			mem := memory{kernels.Y: y.bytes}
			var parts []tensor
			for i, n := range widths {
				x := random(r, view(50, n, i, 1, types[0]))
				op.X = append(op.X, x.Operand)
				mem[kernels.X+kernels.Role(i)] = x.bytes
				parts = append(parts, x)
			}
			m.element(t, op, kernels.Limits{}, mem, y, func(row, col int) value {
				i := 0
				for col >= widths[i] {
					col -= widths[i]
					i++
				}
				return value{parts[i].at(row, col), 0}
			})
		})
	}
}

func TestResize(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(35, 36))
	for name, types := range types() {
		for _, c := range []struct{ h, w, outH, outW, cols int }{
			{4, 6, 16, 24, 8}, {5, 3, 20, 6, 3}, {30, 40, 7, 9, 2}, {1, 1, 3, 2, 1}, {6, 6, 6, 6, 4}, {9, 7, 10, 40, 5},
		} {
			for _, accumulate := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s %v", name, c), func(t *testing.T) {
					x, y := random(r, view(c.h*c.w, c.cols, 0, 1, types[0])), random(r, view(c.outH*c.outW, c.cols, 1, 0, types[1]))
					old := tensor{y.Operand, bytes.Clone(y.bytes)}
					op := kernels.Resize{X: x.Operand, Y: y.Operand, H: c.h, W: c.w, OutH: c.outH, OutW: c.outW, Accumulate: accumulate}
					m.element(t, op, kernels.Limits{Binding: 6000}, memory{kernels.X: x.bytes, kernels.Y: y.bytes}, y, func(row, col int) value {
						y0, y1, down := between(row/c.outW, c.h, c.outH)
						x0, x1, right := between(row%c.outW, c.w, c.outW)
						v := (1-down)*((1-right)*x.at(y0*c.w+x0, col)+right*x.at(y0*c.w+x1, col)) +
							down*((1-right)*x.at(y1*c.w+x0, col)+right*x.at(y1*c.w+x1, col))
						if accumulate {
							v += old.at(row, col)
						}
						return value{v, 1}
					})
				})
			}
		}
	}
}

// between returns the two positions of n that position i of outN lies between, and how far it is from the first.
func between(i, n, outN int) (int, int, float64) {
	x := max((float64(i)+0.5)*float64(n)/float64(outN)-0.5, 0)
	first := min(int(x), n-1)
	return first, min(first+1, n-1), x - float64(first)
}

func TestPack(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(37, 38))
	norm := program.Normalisation{Mean: [3]float32{0.4, 0.5, 0.6}, Std: [3]float32{0.2, 0.3, 0.4}}
	for name, types := range types() {
		for _, hinted := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				const rows = 300
				plate, hint := random(r, kernels.Dense(rows, 3, types[0])), random(r, kernels.Dense(rows, 1, types[0]))
				y := random(r, kernels.Dense(rows, 3, types[1]))
				op := kernels.Pack{Plate: plate.Operand, Normalisation: norm}
				mem := memory{kernels.X: plate.bytes}
				if hinted {
					y = random(r, kernels.Dense(rows, 4, types[1]))
					op.Hint = hint.Operand
					mem[kernels.X1] = hint.bytes
				}
				op.Y = y.Operand
				mem[kernels.Y] = y.bytes
				m.element(t, op, kernels.Limits{Work: 32 * 256}, mem, y, func(row, col int) value {
					if col == 3 {
						return value{hint.at(row, 0), 0}
					}
					return value{(plate.at(row, col) - float64(norm.Mean[col])) / float64(norm.Std[col]), 1}
				})
			})
		}
	}
}

func TestElementwiseInWindows(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(39, 40))
	for _, d := range []program.DType{program.F32, program.BF16, program.F16} {
		x, y := random(r, view(3000, 3, 1, 2, d)), random(r, view(3000, 3, 0, 1, d))
		op := kernels.Activate{X: x.Operand, Y: y.Operand, Act: program.ReLU}
		l := kernels.Limits{Binding: 6000}
		if list, err := op.Calls(l); err != nil || len(list) < 4 {
			t.Fatalf("%d calls (%v)", len(list), err)
		}
		m.element(t, op, l, memory{kernels.X: x.bytes, kernels.Y: y.bytes}, y,
			func(row, col int) value { return value{max(x.at(row, col), 0), 0} })
	}
}

// TestBlendAndDivide blends two tiles that lie over one another and the edge of a frame.
func TestBlendAndDivide(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(41, 42))
	const h, w, cols, edge = 20, 30, 3, 16
	frame := tensor{Operand: kernels.Dense(h*w, cols+1, program.F32)}
	frame.bytes = make([]byte, frame.Bytes())
	sum, weights := make([]float64, h*w*cols), make([]float64, h*w)
	for _, at := range [][2]int{{0, 0}, {7, 3}, {20, 10}} {
		tile := random(r, kernels.Dense(edge*edge, cols, program.F32))
		across, down := make([]float32, edge), make([]float32, edge)
		for i := range edge {
			across[i], down[i] = r.Float32(), r.Float32()
		}
		op := kernels.Blend{X: tile.Operand, Y: frame.Operand, TileH: edge, TileW: edge, H: h, W: w, Left: at[0], Top: at[1], Sum: true}
		list, err := op.Calls(kernels.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		m.run(t, list, memory{kernels.X: tile.bytes, kernels.Weight: float32Bytes(across), kernels.Bias: float32Bytes(down), kernels.Y: frame.bytes})
		for ty := range edge {
			for tx := range edge {
				if fx, fy := at[0]+tx, at[1]+ty; fx < w && fy < h {
					weight := float64(across[tx]) * float64(down[ty])
					weights[fy*w+fx] += weight
					for c := range cols {
						sum[(fy*w+fx)*cols+c] += weight * tile.at(ty*edge+tx, c)
					}
				}
			}
		}
	}
	colour, weight := frame.Operand, frame.Operand
	colour.Cols, weight.Col, weight.Cols = cols, cols, 1
	list, err := kernels.Divide{X: colour, Z: weight, Y: colour}.Calls(kernels.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	before := bytes.Clone(frame.bytes)
	m.run(t, list, memory{kernels.X: bytes.Clone(frame.bytes), kernels.X1: bytes.Clone(frame.bytes), kernels.Y: frame.bytes})
	check(t, tensor{colour, frame.bytes}, before, func(row, col int) value {
		if weights[row] == 0 {
			return value{}
		}
		return value{sum[row*cols+col] / weights[row], math.Abs(1 / weights[row])}
	})
}
