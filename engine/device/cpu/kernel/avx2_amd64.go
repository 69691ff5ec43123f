package kernel

import "golang.org/x/sys/cpu"

// vectorSet returns nil where the processor lacks the instructions.
func vectorSet() *Set {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA {
		return nil
	}
	p := scalarPrimitives()
	p.panel = panelAVX2
	p.transpose = transposeAVX2
	p.softmaxBlock = softmaxBlockAVX2
	p.layerNorm = layerNormAVX2
	p.moments = momentsAVX2
	p.affine = affineAVX2
	p.lerpRows = lerpRowsAVX2
	p.lerpColumns = lerpColumnsAVX2
	p.maxPool4 = maxPool4AVX2
	p.divide = divideAVX2
	p.copy = copyAVX2
	p.halves[BFloat16] = conversion{expandAVX2, roundAVX2}
	if cpu.X86.HasF16C {
		p.halves[Float16] = conversion{expandF16C, roundF16C}
	}
	p.scale = scaleAVX2
	p.add = addAVX2
	p.relu = reluAVX2
	p.gelu = geluAVX2
	p.exp = expAVX2
	p.sigmoid = sigmoidAVX2
	return &Set{name: "avx2", p: p}
}

func panelAVX2(p *panel) {
	if p.width == wideWidth {
		panel24AVX2(p)
		return
	}
	panel16AVX2(p)
}

func transposeAVX2(dst, src []float32, stride, rows, cols, width int) {
	whole := cols &^ 7
	if rows != panelWidth || width != panelWidth || whole == 0 {
		transposeGo(dst, src, stride, rows, cols, width)
		return
	}
	transpose16AVX2(&dst[0], &src[0], stride, whole)
	if whole < cols {
		transposeGo(dst[whole*width:], src[whole:], stride, rows, cols-whole, width)
	}
}

// The assembly, in the *_amd64.s files.

//go:noescape
func panel16AVX2(p *panel)

//go:noescape
func panel24AVX2(p *panel)

//go:noescape
func softmaxBlockAVX2(b *softmaxBlock)

//go:noescape
func transpose16AVX2(dst, src *float32, stride, cols int)

//go:noescape
func copyAVX2(dst, x []float32, dstStride, xStride, rows, cols int)

//go:noescape
func expandAVX2(dst []float32, x []uint16, dstStride, xStride, rows, cols int)

//go:noescape
func roundAVX2(dst []uint16, x []float32, dstStride, xStride, rows, cols int)

//go:noescape
func divideAVX2(dst, x, by []float32, dstStride, xStride, rows, cols int)

//go:noescape
func expandF16C(dst []float32, x []uint16, dstStride, xStride, rows, cols int)

//go:noescape
func roundF16C(dst []uint16, x []float32, dstStride, xStride, rows, cols int)

//go:noescape
func scaleAVX2(dst, x []float32, by float32)

//go:noescape
func addAVX2(dst, a, b []float32)

//go:noescape
func reluAVX2(dst, x []float32)

//go:noescape
func geluAVX2(dst, x []float32)

//go:noescape
func expAVX2(dst, x []float32)

//go:noescape
func sigmoidAVX2(dst, x []float32)

//go:noescape
func maxPool4AVX2(dst, x []float32, dstStride, xStride, rows, cols int)

//go:noescape
func layerNormAVX2(dst, src, gamma, beta []float32, eps float32, dstStride, srcStride, rows int)

//go:noescape
func momentsAVX2(sum, square, shift, x []float32, stride, rows int)

//go:noescape
func affineAVX2(dst, x, scale, shift, residual []float32, dstStride, xStride, resStride, rows int, relu bool)

//go:noescape
func lerpRowsAVX2(dst, a, b []float32, t float32)

//go:noescape
func lerpColumnsAVX2(dst, src []float32, left, right []int32, t []float32, dstStride, c int, add bool)
