package kernel

func scalarPrimitives() primitives {
	return primitives{
		panel:        panelGo,
		transpose:    transposeGo,
		softmaxBlock: softmaxBlockGo,
		layerNorm:    layerNormGo,
		moments:      momentsGo,
		affine:       affineGo,
		lerpRows:     lerpRowsGo,
		lerpColumns:  lerpColumnsGo,
		maxPool4:     maxPool4Go,
		divide:       divideGo,
		copy:         copyGo,
		halves: [2]conversion{
			BFloat16: {expandBFloat16Go, roundBFloat16Go},
			Float16:  {expandFloat16Go, roundFloat16Go},
		},
		scale:   scaleGo,
		add:     addGo,
		relu:    eachGo(func(x float32) float32 { return max(x, 0) }),
		gelu:    eachGo(gelu32),
		exp:     eachGo(exp32),
		sigmoid: eachGo(sigmoid32),
	}
}

func transposeGo(dst, src []float32, stride, rows, cols, width int) {
	for c := range cols {
		out := dst[c*width : (c+1)*width]
		for r := range rows {
			out[r] = src[r*stride+c]
		}
		clear(out[rows:])
	}
}

func divideGo(dst, x, by []float32, dstStride, xStride, rows, cols int) {
	for r := range rows {
		scaleGo(dst[r*dstStride:][:cols], x[r*xStride:][:cols], 1/by[r])
	}
}

func scaleGo(dst, x []float32, by float32) {
	for i, v := range x {
		dst[i] = v * by
	}
}

func addGo(dst, a, b []float32) {
	for i, x := range a {
		dst[i] = x + b[i]
	}
}

// eachGo applies f to every element.
func eachGo(f func(float32) float32) func(dst, x []float32) {
	return func(dst, x []float32) {
		for i, v := range x {
			dst[i] = f(v)
		}
	}
}
