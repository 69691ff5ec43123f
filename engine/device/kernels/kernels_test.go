package kernels_test

import (
	"errors"
	"strings"
	"testing"

	"greenroom/engine/device/kernels"
	"greenroom/engine/program"
)

func TestSetHoldsEveryVariant(t *testing.T) {
	l, err := kernels.Open()
	if err != nil {
		t.Fatal(err)
	}
	variants := kernels.Variants()
	if all := l.All(); len(all) != len(variants) {
		t.Errorf("%d kernels of %d variants", len(all), len(variants))
	}
	for _, v := range variants {
		k, ok := l.Lookup(v.Name)
		if !ok {
			t.Errorf("no kernel %s", v.Name)
			continue
		}
		threads := k.Workgroup[0] * k.Workgroup[1] * k.Workgroup[2]
		if len(k.SPIRV)%4 != 0 || threads < 16 || threads > 256 || k.Bindings < 1 || k.Push < 4 || k.Shared > 32<<10 {
			t.Errorf("%s: %d bytes of SPIR-V, %d threads, %d bindings, %d bytes of push constants, %d of shared memory",
				v.Name, len(k.SPIRV), threads, k.Bindings, k.Push, k.Shared)
		}
	}
	if _, ok := l.Lookup("none of them"); ok {
		t.Error("there is a kernel that is not there")
	}
}

// op is what every constructor can do.
type op interface {
	Calls(kernels.Limits) ([]kernels.Call, error)
}

func f32(rows, cols int) kernels.Operand { return kernels.Dense(rows, cols, program.F32) }

func TestCallsThatCannotBeAreErrors(t *testing.T) {
	shape := program.AttentionShape{Windows: 1, Queries: 4, Keys: 4, Heads: 1, HeadDim: 129}
	for name, o := range map[string]op{
		"no rows":              kernels.Activate{X: f32(0, 3), Y: f32(0, 3)},
		"view past the end":    kernels.MaxPool{X: kernels.Operand{Rows: 4, Stride: 3, Col: 2, Cols: 2}, Y: f32(1, 2)},
		"other rows":           kernels.Gemm{X: f32(3, 4), Y: f32(4, 4)},
		"other residual":       kernels.Gemm{X: f32(3, 4), Y: f32(3, 4), Residual: f32(3, 5)},
		"unknown type":         kernels.Gemm{X: f32(3, 4), Y: f32(3, 4), Weight: 9},
		"other map":            kernels.Conv{X: f32(9, 4), Y: f32(9, 4), H: 3, W: 4, OutH: 3, OutW: 3, Shape: program.ConvShape{Kernel: 1, Stride: 1, Dilation: 1}},
		"no stride":            kernels.Conv{X: f32(9, 4), Y: f32(9, 4), H: 3, W: 3, OutH: 3, OutW: 3, Shape: program.ConvShape{Kernel: 1, Dilation: 1}},
		"groups over columns":  kernels.GroupNorm{X: f32(9, 4), Y: f32(9, 4), Groups: 3},
		"too many groups":      kernels.GroupStatistics{X: f32(9, 512), Groups: 512},
		"too wide a head":      kernels.Attention{Q: f32(4, 129), K: f32(4, 129), V: f32(4, 129), Y: f32(4, 129), Shape: shape},
		"too few columns":      kernels.Concat{X: []kernels.Operand{f32(4, 2)}, Y: f32(4, 3)},
		"nothing to join":      kernels.Concat{Y: f32(4, 3)},
		"two colours":          kernels.Pack{Plate: f32(4, 2), Y: f32(4, 2)},
		"hint without columns": kernels.Pack{Plate: f32(4, 3), Hint: f32(4, 1), Y: f32(4, 3)},
		"weights of two":       kernels.Divide{X: f32(4, 3), Z: f32(4, 2), Y: f32(4, 3)},
		"tile of another size": kernels.Blend{X: f32(5, 3), TileH: 2, TileW: 2, Y: f32(4, 3), H: 2, W: 2},
		"other columns":        kernels.Resize{X: f32(4, 3), Y: f32(4, 2), H: 2, W: 2, OutH: 2, OutW: 2},
		"other indexes":        kernels.Gather{X: f32(4, 3), Y: f32(4, 2)},
		"other operand":        kernels.Add{X: f32(4, 3), Z: f32(3, 3), Y: f32(4, 3)},
	} {
		if calls, err := o.Calls(kernels.Limits{}); err == nil {
			t.Errorf("%s: %d calls", name, len(calls))
		}
	}
	if _, err := kernels.PackWeight(make([]float32, 5), 2, 3, program.F32); err == nil {
		t.Error("a weight of 5 values was packed as 2 x 3")
	}
}

func TestTensorsTooLargeToBindAreTyped(t *testing.T) {
	shape := program.AttentionShape{Windows: 1, Queries: 64, Keys: 64, Heads: 1, HeadDim: 56}
	for name, o := range map[string]op{
		"keys":     kernels.Attention{Q: f32(64, 56), K: f32(64, 56), V: f32(64, 56), Y: f32(64, 56), Shape: shape},
		"gathered": kernels.Gather{X: f32(4000, 8), Y: f32(4, 8)},
		"weight":   kernels.Gemm{X: f32(4, 512), Y: f32(4, 512)},
		"one row":  kernels.Activate{X: f32(2, 4000), Y: f32(2, 4000)},
	} {
		if _, err := o.Calls(kernels.Limits{Binding: 4096}); !errors.Is(err, kernels.ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheNextKernelTakesThePlaceOfOneThatFails(t *testing.T) {
	g := kernels.Gemm{X: f32(70000, 64), Y: f32(70000, 256)}
	l := kernels.Limits{Without: make(map[string]bool)}
	var order []string
	for {
		calls, err := g.Calls(l)
		if errors.Is(err, kernels.ErrNoKernel) {
			break
		}
		if err != nil || len(order) > 9 {
			t.Fatal(order, err)
		}
		order = append(order, calls[0].Kernel)
		l.Without[calls[0].Kernel] = true
	}
	if len(order) != 3 || order[2] != "gemm_any" {
		t.Errorf("kernels of a large gemm are %v", order)
	}
}

func TestCallsStayWithinLimits(t *testing.T) {
	const most = 1e9
	x := f32(1<<22, 64)
	shape := program.ConvShape{Kernel: 3, Stride: 1, Pad: 1, Dilation: 1}
	for name, o := range map[string]op{
		"conv": kernels.Conv{
			X: x, Y: x, H: 1 << 11, W: 1 << 11, OutH: 1 << 11, OutW: 1 << 11, Shape: shape, PreGroups: 8, Groups: 8,
		},
		"gemm":    kernels.Gemm{X: x, Y: f32(1<<22, 4)},
		"softmax": kernels.Softmax{Y: x},
		"norm":    kernels.GroupNorm{X: x, Y: x, Groups: 8},
	} {
		calls, err := o.Calls(kernels.Limits{Binding: 128 << 20, Work: most})
		if err != nil {
			t.Fatal(name, err)
		}
		var work float64
		for _, c := range calls {
			work += c.Work
			if c.Work > most || len(c.Push) > kernels.MaxPush {
				t.Errorf("%s: a call of %g operations and %d bytes of push constants", name, c.Work, len(c.Push))
			}
			for _, g := range c.Groups {
				if g < 1 || g > kernels.MaxGroups {
					t.Errorf("%s: %v groups", name, c.Groups)
				}
			}
			for _, b := range c.Bindings {
				if b.Bytes > 128<<20 || b.Bytes < 1 || b.Offset%256 != 0 {
					t.Errorf("%s: a binding of %d bytes from %d", name, b.Bytes, b.Offset)
				}
			}
		}
		if len(calls) < 8 || work < most {
			t.Errorf("%s: %d calls, %g operations", name, len(calls), work)
		}
	}
}

// TestKernelsOfTheirHalfWidth holds that what computes most is given the kernel made for its half-width type, and that the
// kernel of one type is never given the other.
func TestKernelsOfTheirHalfWidth(t *testing.T) {
	shape := program.AttentionShape{Windows: 2, Queries: 64, Keys: 64, Heads: 1, HeadDim: 56}
	three := program.ConvShape{Kernel: 3, Stride: 1, Pad: 1, Dilation: 1}
	for _, c := range []struct {
		types [3]program.DType // of what is read, of weights or values, of what is written
		half  bool             // the kernel is float16's
	}{
		{[3]program.DType{program.F32, program.F32, program.F32}, false},
		{[3]program.DType{program.BF16, program.BF16, program.BF16}, false},
		{[3]program.DType{program.F16, program.F16, program.F16}, true},
		{[3]program.DType{program.F32, program.F16, program.F32}, true},
		{[3]program.DType{program.F32, program.F32, program.F16}, true},
	} {
		x := func(rows, cols, i int) kernels.Operand { return kernels.Dense(rows, cols, c.types[i]) }
		for name, o := range map[string]op{
			"large": kernels.Gemm{X: x(70000, 64, 0), Y: x(70000, 256, 2), Weight: c.types[1]},
			"small": kernels.Gemm{X: x(70, 64, 0), Y: x(70, 64, 2), Weight: c.types[1]},
			"conv":  kernels.Conv{X: x(64, 8, 0), Y: x(64, 64, 2), H: 8, W: 8, OutH: 8, OutW: 8, Shape: three, Weight: c.types[1]},
			"attention": kernels.Attention{
				Q: x(128, 56, 0), K: x(128, 56, 0), V: x(128, 56, 1), Y: x(128, 56, 2), Shape: shape,
			},
		} {
			l := kernels.Limits{Without: make(map[string]bool)}
			for {
				calls, err := o.Calls(l)
				if errors.Is(err, kernels.ErrNoKernel) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				n := calls[0].Kernel
				if !strings.HasSuffix(n, "_any") && strings.HasSuffix(n, "_f16") != c.half {
					t.Errorf("%s of %v: kernel %s", name, c.types, n)
				}
				l.Without[n] = true
			}
			if len(l.Without) < 3 {
				t.Errorf("%s of %v: only %v", name, c.types, l.Without)
			}
		}
	}
}
