package kernel

func scalarPrimitives() primitives {
	return primitives{
		panel:        panelGo,
		transpose:    transposeGo,
		softmaxBlock: softmaxBlockGo,
		layerNormRow: layerNormRowGo,
		moments:      momentsGo,
		affine:       affineGo,
		lerpRows:     lerpRowsGo,
		lerpColumns:  lerpColumnsGo,
		maxPool4:     maxPool4Go,
		scale:        scaleGo,
		add:          addGo,
		relu:         reluGo,
		gelu:         eachGo(gelu32),
		exp:          eachGo(exp32),
		sigmoid:      eachGo(sigmoid32),
		softmaxRow:   softmaxRowGo,
		float32Tob16: float32Tob16Go,
		b16ToFloat32: b16ToFloat32Go,
		float32Tof16: float32Tof16Go,
		f16ToFloat32: f16ToFloat32Go,
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
