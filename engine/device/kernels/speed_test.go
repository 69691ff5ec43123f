package kernels_test

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"greenroom/engine/device/gpu"
	"greenroom/engine/device/kernels"
	"greenroom/engine/device/vulkan"
	"greenroom/engine/program"
)

// speedCase is an op of the published network, or one that others quote, and what it moves and computes.
type speedCase struct {
	name  string
	op    op
	flops float64 // multiplications and additions
}

// speedCases are ops of the published network at 2048 x 2048 pixels.
func speedCases(d program.DType) []speedCase {
	o := func(rows, cols int) kernels.Operand { return kernels.Dense(rows, cols, d) }
	gemm := func(m, k, n int, act program.Act) speedCase {
		return speedCase{
			fmt.Sprintf("gemm %dx%dx%d", m, k, n),
			kernels.Gemm{X: o(m, k), Y: o(m, n), Weight: d, Bias: true, Act: act}, 2 * float64(m) * float64(n) * float64(k),
		}
	}
	const side = 2048
	conv := func(in, out, dilation, pre int) speedCase {
		shape := program.ConvShape{Kernel: 3, Stride: 1, Pad: dilation, Dilation: dilation}
		return speedCase{
			fmt.Sprintf("conv 3x3 %d to %d, dilation %d, normalised groups %d", in, out, dilation, pre),
			kernels.Conv{
				X: o(side*side, in), Y: o(side*side, out), H: side, W: side, OutH: side, OutW: side, Shape: shape, Weight: d,
				Bias: true, PreGroups: pre,
			}, 2 * 9 * float64(in*out) * side * side,
		}
	}
	attention := func(windows, queries, keys, heads, dim int) speedCase {
		qkv := o(windows*keys, 3*heads*dim)
		k, v := qkv, qkv
		k.Cols, v.Cols = heads*dim, heads*dim
		k.Col, v.Col = heads*dim, 2*heads*dim
		return speedCase{
			fmt.Sprintf("attention %d windows, %d queries, %d keys, %d heads of %d", windows, queries, keys, heads, dim),
			kernels.Attention{
				Q: o(windows*queries, heads*dim), K: k, V: v, Y: o(windows*queries, heads*dim),
				Shape: program.AttentionShape{Windows: windows, Queries: queries, Keys: keys, Heads: heads, HeadDim: dim},
			}, 4 * float64(windows*heads*dim) * float64(queries) * float64(keys),
		}
	}
	big := o(side*side, 64)
	return []speedCase{
		gemm(4096, 4096, 4096, program.Identity),
		gemm(262144, 112, 336, program.Identity), gemm(262144, 112, 448, program.GELU), gemm(65536, 224, 672, program.Identity),
		gemm(16384, 448, 1344, program.Identity), gemm(16384, 448, 448, program.Identity),
		gemm(16384, 448, 1792, program.GELU), gemm(16384, 1792, 448, program.Identity),
		gemm(4096, 896, 3584, program.GELU), gemm(4096, 3584, 896, program.Identity), gemm(576, 896, 2688, program.Identity),
		gemm(side*side, 64, 4, program.Identity),
		conv(64, 64, 1, 0), conv(64, 64, 8, 8), conv(7, 64, 1, 0),
		attention(1, 16384, 16384, 8, 56), attention(1, 16384, 16384, 7, 64), attention(1, 16384, 16384, 14, 32),
		attention(4096, 64, 64, 2, 56), attention(4096, 16, 64, 4, 56), attention(4096, 4, 16, 8, 56),
		{"group statistics", kernels.GroupStatistics{X: big, Groups: 8, Eps: 1e-5}, 0},
		{"group norm", kernels.GroupNorm{X: big, Y: big, Residual: big, Groups: 8, Act: program.ReLU}, 0},
		{"layer norm", kernels.LayerNorm{X: o(262144, 112), Y: o(262144, 112), Eps: 1e-6}, 0},
		{"resize", kernels.Resize{X: o(256*256, 512), Y: o(512*512, 512), H: 256, W: 256, OutH: 512, OutW: 512, Accumulate: true}, 0},
		{"gather", kernels.Gather{X: o(262144, 112), Y: o(262144, 112), Constants: true}, 0},
		{"activate", kernels.Activate{X: big, Y: big, Act: program.ReLU}, 0},
	}
}

// bench is a GPU with memory for the operands of ops, by role.
type bench struct {
	host    gpu.Host
	buffers map[kernels.Role]gpu.Buffer
	sizes   map[kernels.Role]int64
}

// BenchmarkKernels times kernels on the best GPU there is, each op by every kernel that can compute it.
func BenchmarkKernels(b *testing.B) {
	h, err := vulkan.Open(vulkan.Options{})
	if errors.Is(err, vulkan.ErrNoLoader) || errors.Is(err, vulkan.ErrNoDevice) {
		b.Skip(err)
	}
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close()
	b.Log(h.Identity())
	g := bench{host: h, buffers: make(map[kernels.Role]gpu.Buffer), sizes: make(map[kernels.Role]int64)}
	for _, d := range []program.DType{program.F32, program.BF16, program.F16} {
		for _, c := range speedCases(d) {
			l := kernels.Limits{Binding: h.Limits().MaxBinding, Without: make(map[string]bool)}
			for {
				calls, err := c.op.Calls(l)
				if errors.Is(err, kernels.ErrNoKernel) {
					break
				}
				if err != nil {
					b.Fatal(err)
				}
				name := longest(calls)
				b.Run(d.String()+" "+c.name+" by "+name, func(b *testing.B) { g.time(b, c, calls) })
				l.Without[name] = true
			}
		}
	}
}

// longest returns the kernel of the call with the most work.
func longest(calls []kernels.Call) string {
	return slices.MaxFunc(calls, func(a, b kernels.Call) int { return cmp.Compare(a.Work, b.Work) }).Kernel
}

func (g *bench) time(b *testing.B, c speedCase, calls []kernels.Call) {
	var moved float64
	steps := make([]gpu.Step, len(calls))
	for _, call := range calls {
		for _, x := range call.Bindings {
			if err := g.reserve(x.Role, x.Offset+x.Bytes); err != nil {
				b.Fatal(err)
			}
			moved += float64(x.Bytes)
		}
	}
	for i, call := range calls {
		steps[i] = gpu.Step{Call: call, Stage: program.Encoder, Beside: i > 0 && !call.Wait}
		for _, x := range call.Bindings {
			steps[i].Bindings = append(steps[i].Bindings, gpu.Binding{Buffer: g.buffers[x.Role], Offset: x.Offset, Bytes: x.Bytes})
		}
	}
	r, err := g.host.Record(steps)
	if err != nil {
		b.Fatal(err)
	}
	defer g.host.Release(r)
	var total time.Duration
	for i := range b.N + 1 {
		took, err := g.host.Run(r)
		if err != nil {
			b.Fatal(err)
		}
		if i > 0 { // the first warms up
			total += took[program.Encoder]
		}
	}
	seconds := total.Seconds() / float64(b.N)
	b.ReportMetric(seconds*1e3, "ms")
	b.ReportMetric(moved/seconds/1e9, "GB/s")
	if c.flops > 0 {
		b.ReportMetric(c.flops/seconds/1e12, "TFLOP/s")
	}
	b.ReportMetric(0, "ns/op")
}

// reserve makes the memory of a role at least n bytes. It holds random values that are numbers as float32 and as pairs
// of half-width numbers, or zeros for row numbers.
func (g *bench) reserve(role kernels.Role, n int64) error {
	if g.sizes[role] >= n {
		return nil
	}
	if g.sizes[role] > 0 {
		g.host.Free(g.buffers[role])
		g.sizes[role] = 0
	}
	b, err := g.host.Allocate(n)
	if err != nil {
		return err
	}
	g.buffers[role], g.sizes[role] = b, n
	r := rand.New(rand.NewPCG(1, 2))
	some := make([]byte, min(n, 1<<22))
	for i := 0; i+4 <= len(some) && role != kernels.Index; i += 4 {
		x, y := math.Float32bits(float32(r.NormFloat64())), math.Float32bits(float32(r.NormFloat64()))
		binary.LittleEndian.PutUint32(some[i:], x&0xffff0000|y>>16)
	}
	for at := int64(0); at < n; at += int64(len(some)) {
		if err := g.host.Upload(b, at, some[:min(n-at, int64(len(some)))]); err != nil {
			return err
		}
	}
	return nil
}
