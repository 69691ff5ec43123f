//go:build linux && (amd64 || arm64)

package kernels_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"greenroom/engine/device/cpu/kernel"
	"greenroom/engine/device/kernels"
	"greenroom/engine/program"
)

// copied returns the words that a copy from one type to another leaves, by each way of running kernels.
func copied(t *testing.T, m *machine, x []byte, from, to program.DType) []byte {
	t.Helper()
	n := int(int64(len(x)) / from.Size())
	xo, yo := kernels.Dense(1, n, from), kernels.Dense(1, n, to)
	calls, err := kernels.Activate{X: xo, Y: yo}.Calls(kernels.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	mem := memory{kernels.X: x, kernels.Y: make([]byte, yo.Bytes())}
	m.run(t, calls, mem)
	return mem[kernels.Y]
}

// TestKernelsRoundAsTheProcessorDoes copies numbers at the borders of every range to each half-width type, and all numbers
// of each back, and expects the processor's bits.
func TestKernelsRoundAsTheProcessorDoes(t *testing.T) {
	m := newMachine(t)
	r := rand.New(rand.NewPCG(41, 42))
	x := []float32{
		0, float32(math.Copysign(0, -1)), 1, -1, 65504, 65519, 65520, -65520, -65536, 1e30, -1e30, math.MaxFloat32,
		float32(math.Inf(1)), float32(math.Inf(-1)), 5.9604645e-8, 2.9802322e-8, 2.9802326e-8, 8.9e-8, 6.1035156e-5,
		6.1e-5, 6.10e-5, 1.00390625, 1.01171875, 1.0000001, 1.0004883, 1.0014648,
	}
	for len(x) < 4096 {
		x = append(x, float32(r.NormFloat64()*math.Exp2(float64(r.IntN(60)-40))))
	}
	nan := float32(math.NaN())
	x = append(x, nan, nan)
	for _, to := range halves() {
		got := copied(t, m, float32Bytes(x), program.F32, to)
		want := make([]uint16, len(x))
		kernel.Scalar().Round(want, x, format(to))
		for i := range x {
			h := binary.LittleEndian.Uint16(got[2*i:])
			if x[i] != x[i] {
				if v := whole(h, to); v == v {
					t.Errorf("%s: NaN became %g", to, v)
				}
			} else if h != want[i] {
				t.Errorf("%s: %g became %#x, not %#x", to, x[i], h, want[i])
			}
		}
		all := make([]byte, 2<<16)
		for i := range 1 << 16 {
			binary.LittleEndian.PutUint16(all[2*i:], uint16(i))
		}
		back := copied(t, m, all, to, program.F32)
		for i := range 1 << 16 {
			v, want := math.Float32frombits(binary.LittleEndian.Uint32(back[4*i:])), whole(uint16(i), to)
			if v != want && (v == v || want == want) {
				t.Errorf("%s: %#x became %g, not %g", to, i, v, want)
			}
		}
	}
}

// TestWhatIsNoNumberStaysSo runs the ops that cut off what is negative on NaN and infinity: an overflow in half width must
// show in the result, and not pass as 0.
func TestWhatIsNoNumberStaysSo(t *testing.T) {
	m := newMachine(t)
	const n = 8
	for name, v := range map[string]float32{"NaN": float32(math.NaN()), "infinity": float32(math.Inf(1))} {
		x := make([]float32, n*n)
		x[3] = v
		ones, none := make([]float32, n), make([]float32, n)
		for i := range ones {
			ones[i] = 1
		}
		weight := make([]float32, n*n) // the identity
		for i := range n {
			weight[i*n+i] = 1
		}
		packed, err := kernels.PackWeight(weight, n, n, program.F32)
		if err != nil {
			t.Fatal(err)
		}
		stats := make([]float32, 2*2) // of two groups
		stats[1], stats[3] = 1, 1
		o := kernels.Dense(n, n, program.F32)
		shape := program.ConvShape{Kernel: 1, Stride: 1, Dilation: 1}
		ops := map[string]op{
			"relu": kernels.Activate{X: o, Y: o, Act: program.ReLU}, "gelu": kernels.Activate{X: o, Y: o, Act: program.GELU},
			"gemm":      kernels.Gemm{X: o, Y: o, Act: program.ReLU},
			"conv":      kernels.Conv{X: o, Y: o, H: 1, W: n, OutH: 1, OutW: n, Shape: shape, Act: program.GELU},
			"pre":       kernels.Conv{X: o, Y: o, H: 1, W: n, OutH: 1, OutW: n, Shape: shape, PreGroups: 2},
			"groupnorm": kernels.GroupNorm{X: o, Y: o, Groups: 2, Act: program.ReLU},
		}
		for kind, op := range ops {
			calls, err := op.Calls(kernels.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			mem := memory{
				kernels.X: float32Bytes(x), kernels.Y: make([]byte, o.Bytes()), kernels.Weight: packed, kernels.Bias: float32Bytes(none),
				kernels.X1: float32Bytes(stats), kernels.PreStatistics: float32Bytes(stats),
				kernels.PreWeight: float32Bytes(ones), kernels.PreBias: float32Bytes(none), kernels.Scratch: make([]byte, 1024),
			}
			if kind == "groupnorm" {
				mem[kernels.Weight] = float32Bytes(ones)
			}
			for _, call := range calls {
				for _, way := range []string{"Metal's source", "SPIR-V"} {
					if way == "SPIR-V" && m.vulkan != nil {
						m.submit(t, []kernels.Call{call}, mem)
					} else if way != "SPIR-V" && m.compiler != nil {
						m.call(t, call, mem, false)
					} else {
						continue
					}
					if y := math.Float32frombits(binary.LittleEndian.Uint32(mem[kernels.Y][12:])); call.Kernel != "affine" && y-y == 0 {
						t.Errorf("%s, %s by %s: %g", kind, name, way, y)
					}
				}
			}
		}
	}
}
