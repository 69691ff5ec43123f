package greenformer

import "math"

// resizeGrid resizes a grid of rows x cols x c to h x w x c as PyTorch's bicubic interpolation does: a cubic
// kernel with a = -0.75 (Keys 1981, "Cubic Convolution Interpolation for Digital Image Processing"), half-pixel
// centres, edges clamped, no antialiasing. Equal sizes are copied.
func resizeGrid(src []float32, rows, cols, c, h, w int) []float32 {
	if rows == h && cols == w {
		return append([]float32(nil), src...)
	}
	wide := make([]float32, rows*w*c)
	for x := range w {
		at, weight := cubic(x, cols, w)
		for y := range rows {
			dst := wide[(y*w+x)*c : (y*w+x+1)*c]
			for k := range 4 {
				col := min(max(at+k, 0), cols-1)
				axpy(dst, src[(y*cols+col)*c:], weight[k])
			}
		}
	}
	out := make([]float32, h*w*c)
	for y := range h {
		at, weight := cubic(y, rows, h)
		dst := out[y*w*c : (y+1)*w*c]
		for k := range 4 {
			row := min(max(at+k, 0), rows-1)
			axpy(dst, wide[row*w*c:], weight[k])
		}
	}
	return out
}

// axpy adds a*x to y, over y's length.
func axpy(y, x []float32, a float32) {
	x = x[:len(y)]
	for i := range y {
		y[i] += a * x[i]
	}
}

// cubic returns the first of the four source samples that output sample i takes, and their weights.
func cubic(i, from, to int) (int, [4]float32) {
	const a = -0.75
	at := (float64(i)+0.5)*float64(from)/float64(to) - 0.5
	floor := math.Floor(at)
	t := at - floor
	near := func(t float64) float64 { return ((a+2)*t-(a+3))*t*t + 1 }
	far := func(t float64) float64 { return ((a*t-5*a)*t+8*a)*t - 4*a }
	return int(floor) - 1, [4]float32{
		float32(far(t + 1)), float32(near(t)), float32(near(1 - t)), float32(far(2 - t)),
	}
}
