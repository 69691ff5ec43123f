package cpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"greenroom/engine/program"
)

// convolutions is a program of two residual blocks of two dilated convolutions each, over maps of
// h x w x 16 that come from a quarter of that and end in two channels.
func convolutions(h, w int, stored program.DType) *program.Program {
	const c = 16
	b := program.NewBuilder("waves")
	x := b.Map("in", h/4, w/4, c, program.F32, program.Input)
	b.Storage = stored
	y := b.TempMap("first", h, w, c)
	b.Do(b.Op(program.Resize, "first", y, x))
	held := y
	for i, d := range []int{1, 8, 3, 5} {
		z := b.TempMap("conv", h, w, c)
		op := b.Op(program.Conv2D, "conv", z, y)
		op.Conv = program.ConvShape{Kernel: 3, Stride: 1, Pad: d, Dilation: d}
		r := func(dst []float32) error {
			g := rand.New(rand.NewPCG(uint64(i), 0))
			for k := range dst {
				dst[k] = (g.Float32() - 0.5) / 6
			}
			return nil
		}
		op.W, op.B = b.Weight(fmt.Sprint("w", i), r, c, 3, 3, c), b.Weight(fmt.Sprint("b", i), r, c)
		b.Do(op)
		y = z
		if i%2 == 1 {
			y = b.TempMap("sum", h, w, c)
			b.Do(b.Op(program.Add, "sum", y, z, held))
			held = y
		}
	}
	out := b.Map("out", h, w, 2, program.F32, program.Output)
	op := b.Op(program.Activate, "last", out, y)
	op.X[0].Cols = 2
	op.Act = program.ReLU
	b.Do(op)
	return b.Program
}

// TestConvolutionsInPlaceChangeNothing holds that a convolution that writes over its own map, wave by wave,
// gives what one with memory of its own gives, to the bit, and needs less memory.
func TestConvolutionsInPlaceChangeNothing(t *testing.T) {
	for _, stored := range []program.DType{program.F32, program.BF16, program.F16} {
		for _, size := range [][2]int{{290, 33}, {801, 8}} {
			apart, within := convolutions(size[0], size[1], stored), convolutions(size[0], size[1], stored)
			program.InPlace(within)
			waves := 0
			for _, op := range within.Ops {
				waves += op.Wave
			}
			if err := program.Check(within); err != nil || waves == 0 {
				t.Fatalf("no convolution runs in place: %v", err)
			}
			in := make([]float32, size[0]/4*(size[1]/4)*16)
			g := rand.New(rand.NewPCG(7, 7))
			for i := range in {
				in[i] = g.Float32() - 0.5
			}
			var results [2][]float32
			var arenas [2]int64
			for i, p := range []*program.Program{apart, within} {
				d := New(Options{Threads: 3})
				defer d.Close()
				r, err := d.Load(context.Background(), p)
				if err != nil {
					t.Fatal(err)
				}
				results[i] = make([]float32, size[0]*size[1]*2)
				for range 2 { // the second run finds the memory as the first left it
					err = r.Run(context.Background(), map[string][]float32{"in": in}, map[string][]float32{"out": results[i]})
					if err != nil {
						t.Fatal(err)
					}
				}
				arenas[i] = r.Stats().Arena
			}
			for i, v := range results[0] {
				if results[1][i] != v {
					t.Fatalf("%v, %s: value %d is %v in place, %v apart", size, stored, i, results[1][i], v)
				}
			}
			if arenas[1] >= arenas[0] {
				t.Errorf("%v: %d bytes in place, %d apart", size, arenas[1], arenas[0])
			}
		}
	}
}
