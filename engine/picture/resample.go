package picture

import (
	"context"
	"math"
)

// Resample returns m at w x h pixels by separable Lanczos-3 filtering with half-pixel centres and replicated
// edges. Where the image shrinks, the filter widens by the same factor, so that nothing aliases. Lanczos
// overshoots at hard edges by some percent: a caller that needs 0..1 clamps. Resample straight colour
// premultiplied. An empty image, or a size under 1, gives an empty image.
func Resample(m Image, w, h int) Image {
	return separable(m, w, h, lanczos3)
}

// ResampleBilinear returns m at w x h pixels by linear interpolation of the two nearest samples on each axis,
// with half-pixel centres and replicated edges and without widening when it shrinks: what PyTorch's
// interpolate(mode="bilinear", align_corners=False) does, to float32 rounding.
func ResampleBilinear(m Image, w, h int) Image {
	return separable(m, w, h, bilinear)
}

// taps says how each of n output samples is made of input samples: output i is the sum over k < width of
// weight[i*width+k] * input[start[i]+k]. All inputs named lie inside the image; weights that would fall
// outside have been added to the edge sample.
type taps struct {
	width  int
	start  []int
	weight []float32
}

// separable filters both axes with the taps that kernel gives for (input size, output size).
func separable(m Image, w, h int, kernel func(from, to int) taps) Image {
	if m.Empty() || w < 1 || h < 1 {
		return Image{C: m.C}
	}
	across := func(m Image) Image {
		if w == m.W {
			return m
		}
		return filterRows(context.Background(), m, kernel(m.W, w))
	}
	down := func(m Image) Image {
		if h == m.H {
			return m
		}
		return filterColumns(context.Background(), m, kernel(m.H, h))
	}
	if w == m.W && h == m.H {
		return m.Clone()
	}
	// The order that makes the smaller image in between.
	if w*m.H <= h*m.W {
		return down(across(m))
	}
	return across(down(m))
}

// lanczos3 returns the taps of a Lanczos-3 filter, stretched by from/to where that is over 1.
func lanczos3(from, to int) taps {
	const lobes = 3
	scale := float64(from) / float64(to)
	stretch := max(scale, 1)
	radius := lobes * stretch
	width := min(int(math.Ceil(2*radius))+1, from)
	t := taps{width: width, start: make([]int, to), weight: make([]float32, to*width)}
	folded := make([]float64, width)
	for i := range to {
		centre := (float64(i)+0.5)*scale - 0.5
		first, last := int(math.Ceil(centre-radius)), int(math.Floor(centre+radius))
		start := min(max(first, 0), from-width)
		clear(folded)
		sum := 0.0
		for j := first; j <= last; j++ {
			v := lanczos((float64(j)-centre)/stretch, lobes)
			folded[min(max(j, 0), from-1)-start] += v
			sum += v
		}
		t.start[i] = start
		for k, v := range folded {
			t.weight[i*width+k] = float32(v / sum)
		}
	}
	return t
}

// lanczos is the windowed sinc sinc(x) sinc(x/a), zero outside -a..a.
func lanczos(x, a float64) float64 {
	if x == 0 {
		return 1
	}
	if x <= -a || x >= a {
		return 0
	}
	p := math.Pi * x
	return a * math.Sin(p) * math.Sin(p/a) / (p * p)
}

// bilinear returns the taps of linear interpolation. The arithmetic is float32 as PyTorch's is, so that
// positions round the same way.
func bilinear(from, to int) taps {
	width := min(2, from)
	t := taps{width: width, start: make([]int, to), weight: make([]float32, to*width)}
	scale := float32(from) / float32(to)
	for i := range to {
		at := max(float32(scale*(float32(i)+0.5))-0.5, 0)
		j := min(int(at), from-1)
		f := min(max(at-float32(j), 0), 1)
		start := min(j, from-width)
		t.start[i] = start
		if width == 1 || j == from-1 {
			t.weight[i*width+j-start] = 1
			continue
		}
		t.weight[i*width], t.weight[i*width+1] = 1-f, f
	}
	return t
}

// filterRows applies t along x: [H, W, C] to [H, len(t.start), C].
func filterRows(ctx context.Context, m Image, t taps) Image {
	out := New(len(t.start), m.H, m.C)
	c := m.C
	parallel(ctx, m.H, leastBand, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			src, dst := m.Row(y), out.Row(y)
			for x, s := range t.start {
				weights := t.weight[x*t.width : (x+1)*t.width]
				in := src[s*c : (s+t.width)*c]
				switch c {
				case 1:
					var a float32
					for k, w := range weights {
						a += w * in[k]
					}
					dst[x] = a
				case 3:
					var r, g, b float32
					for _, w := range weights {
						r += w * in[0]
						g += w * in[1]
						b += w * in[2]
						in = in[3:]
					}
					dst[3*x], dst[3*x+1], dst[3*x+2] = r, g, b
				default:
					for i := range c {
						var a float32
						for k, w := range weights {
							a += w * in[k*c+i]
						}
						dst[x*c+i] = a
					}
				}
			}
		}
	})
	return out
}

// filterColumns applies t along y: [H, W, C] to [len(t.start), W, C].
func filterColumns(ctx context.Context, m Image, t taps) Image {
	out := New(m.W, len(t.start), m.C)
	parallel(ctx, out.H, leastBand, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			dst := out.Row(y)
			for k, w := range t.weight[y*t.width : (y+1)*t.width] {
				if w != 0 {
					addScaled(dst, m.Row(t.start[y]+k), w)
				}
			}
		}
	})
	return out
}

// addScaled adds w * src to dst; both have the same length.
func addScaled(dst, src []float32, w float32) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] += w * src[i]
	}
}
