package conformance

import (
	"math/rand/v2"

	"greenroom/engine/program"
)

// SelfTest returns the cases with which a device tests itself at its first start: every kind of op in small, odd shapes,
// and in those for which devices have kernels of their own. Copies come first, because other cases need them.
func SelfTest() []Case {
	rng := func(i int) *rand.Rand { return rand.New(rand.NewPCG(uint64(i), 11)) }
	conv := func(d int) program.ConvShape {
		return program.ConvShape{Kernel: 3, Stride: 1, Pad: d, Dilation: d}
	}
	head := func(windows, queries, keys, heads, dim int) program.AttentionShape {
		return program.AttentionShape{Windows: windows, Queries: queries, Keys: keys, Heads: heads, HeadDim: dim}
	}
	half := func(kind program.Kind, h, w, cols int) RowShape {
		return RowShape{Kind: kind, H: h, W: w, Cols: cols, HalfX: true, HalfY: true, Second: true}
	}
	rows := []RowShape{
		{Kind: program.Concat, H: 7, W: 9, Cols: 5, Second: true},
		half(program.Concat, 7, 9, 6),
		{Kind: program.Activate, H: 5, W: 13, Cols: 7, Act: program.GELU},
		{Kind: program.Activate, H: 5, W: 13, Cols: 7, Act: program.Sigmoid, InPlace: true},
		{Kind: program.Pack, H: 9, W: 31, Second: true},
		{Kind: program.Add, H: 9, W: 11, Cols: 13, Second: true},
		half(program.Add, 9, 11, 13),
		{Kind: program.LayerNorm, H: 33, W: 1, Cols: 112},
		{Kind: program.LayerNorm, H: 5, W: 1, Cols: 899, HalfY: true},
		{Kind: program.GroupNormStats, H: 37, W: 41, Cols: 24},
		{Kind: program.GroupNormApply, H: 11, W: 13, Cols: 24, Act: program.ReLU, Second: true},
		half(program.GroupNormApply, 11, 13, 64),
		{Kind: program.MaxPool, H: 6, W: 7, Cols: 20},
		{Kind: program.Gather, H: 8, W: 9, Cols: 10, Second: true},
		{Kind: program.Resize, H: 5, W: 7, Cols: 3, ToH: 20, ToW: 28},
		{Kind: program.Resize, H: 9, W: 6, Cols: 4, ToH: 17, ToW: 5, Accumulate: true},
	}
	var all []Case
	for _, s := range rows {
		all = append(all, Rows(rng(len(all)), s))
	}
	for _, s := range rows {
		if s.Float16 = s.HalfX || s.HalfY; s.Float16 {
			all = append(all, Rows(rng(len(all)), s))
		}
	}
	for _, s := range []GemmShape{
		{M: 67, N: 13, K: 29, Act: program.GELU, Bias: true, Residual: true, Spare: 3},
		{M: 130, N: 68, K: 56, Act: program.GELU, Bias: true, Residual: true},
		{M: 130, N: 68, K: 56, Bias: true, Half: true, HalfX: true, HalfY: true},
		{M: 130, N: 68, K: 56, Bias: true, Half: true, HalfX: true, HalfY: true, Float16: true},
		{M: 139, N: 4, K: 64, Bias: true},
		{M: 2176, N: 2064, K: 16, Bias: true}, // enough for large tiles
		{M: 2176, N: 2064, K: 16, Half: true, HalfX: true},
		{M: 2176, N: 2064, K: 16, Half: true, HalfX: true, Float16: true},
	} {
		all = append(all, Gemm(rng(len(all)), s))
	}
	for _, s := range []ConvShape{
		{H: 13, W: 21, Cin: 7, Cout: 24, ConvShape: conv(1)},
		{H: 19, W: 23, Cin: 24, Cout: 24, ConvShape: conv(8), Pre: true, Stats: true},
		{H: 19, W: 23, Cin: 64, Cout: 64, ConvShape: conv(2), Pre: true, Half: true, HalfX: true, HalfY: true},
		{H: 19, W: 23, Cin: 64, Cout: 64, ConvShape: conv(2), Pre: true, Half: true, HalfX: true, HalfY: true, Float16: true},
		{H: 15, W: 17, Cin: 16, Cout: 128, ConvShape: conv(4), Act: program.GELU},
		{H: 15, W: 17, Cin: 16, Cout: 128, ConvShape: conv(4), Act: program.GELU, Half: true, HalfX: true, Float16: true},
		{H: 21, W: 9, Cin: 16, Cout: 16, ConvShape: conv(2), Wave: 4},
		{H: 33, W: 37, Cin: 4, Cout: 32, ConvShape: program.ConvShape{Kernel: 7, Stride: 4, Pad: 3, Dilation: 1}},
	} {
		all = append(all, Conv(rng(len(all)), s))
	}
	for _, s := range []AttentionShape{
		{Kind: program.Attention, AttentionShape: head(3, 16, 64, 2, 56)},
		{Kind: program.Attention, AttentionShape: head(1, 69, 75, 2, 56)},
		{Kind: program.Attention, AttentionShape: head(1, 70, 70, 1, 32)},
		{Kind: program.Attention, AttentionShape: head(2, 33, 65, 1, 64), HalfX: true, HalfY: true},
		{Kind: program.Attention, AttentionShape: head(3, 16, 64, 2, 56), HalfX: true, HalfY: true, Float16: true},
		{Kind: program.Attention, AttentionShape: head(1, 69, 75, 2, 56), HalfX: true, HalfY: true, Float16: true},
		{Kind: program.Attention, AttentionShape: head(1, 70, 70, 1, 32), HalfX: true, HalfY: true, Float16: true},
		{Kind: program.Attention, AttentionShape: head(2, 33, 65, 1, 64), HalfX: true, HalfY: true, Float16: true},
		{Kind: program.Attention, AttentionShape: head(2, 5, 20, 2, 104), HalfX: true, HalfY: true, Float16: true},
		{Kind: program.Attention, AttentionShape: head(2, 5, 20, 2, 104)},
		{Kind: program.Attention, AttentionShape: head(1, 19, 23, 2, 9)},
		{Kind: program.Scores, AttentionShape: head(2, 33, 47, 2, 56)},
		{Kind: program.Softmax, AttentionShape: head(2, 33, 47, 2, 1)},
		{Kind: program.Product, AttentionShape: head(2, 33, 47, 2, 56)},
	} {
		all = append(all, Attention(rng(len(all)), s))
	}
	return all
}

// Heavy returns a case of about work operations, for measuring how fast a device is.
func Heavy(work float64) Case {
	const n, k = 512, 512
	return Gemm(rand.New(rand.NewPCG(1, 1)), GemmShape{M: max(1, int(work/(2*n*k))), N: n, K: k})
}
