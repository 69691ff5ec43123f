package picture

import (
	"context"
	"math"
)

// exactSigma is the widest Gaussian that is convolved tap by tap; over it the recursive filter is as close
// as anyone can see and costs the same whatever the sigma.
const exactSigma = 4

// Blur returns m convolved with a Gaussian of standard deviation sigma in pixels, edges replicated, every
// channel alike. Up to sigma 4 the kernel is exact to 4 sigma; over it a recursive filter stays within 3e-4
// of the exact result for an image in 0..1. A sigma of 0 or less returns a copy.
func Blur(m Image, sigma float64) Image {
	return blur(context.Background(), m, sigma)
}

// BlurContext is Blur that stops when ctx is cancelled and then returns its error.
func BlurContext(ctx context.Context, m Image, sigma float64) (Image, error) {
	out := blur(ctx, m, sigma)
	if err := ctx.Err(); err != nil {
		return Image{}, err
	}
	return out, nil
}

// blur is Blur; what it returns is worth nothing once ctx is cancelled.
func blur(ctx context.Context, m Image, sigma float64) Image {
	if m.Empty() || !(sigma > 0) {
		return m.Clone()
	}
	if sigma <= exactSigma {
		return filterColumns(ctx, filterRows(ctx, m, gaussian(m.W, sigma)), gaussian(m.H, sigma))
	}
	r := newRecursive(sigma)
	out := r.rows(ctx, m)
	r.columns(ctx, out)
	return out
}

// bell returns the weights of a Gaussian from -radius to radius, which sum to 1.
func bell(sigma float64, radius int) []float64 {
	weights := make([]float64, 2*radius+1)
	sum := 0.0
	for i := range weights {
		d := float64(i-radius) / sigma
		weights[i] = math.Exp(-d * d / 2)
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
	return weights
}

// gaussian returns the taps of a Gaussian over a line of n samples, cut at 4 sigma and normalised.
func gaussian(n int, sigma float64) taps {
	radius := int(math.Ceil(4 * sigma))
	width := min(2*radius+1, n)
	kernel := bell(sigma, radius)
	t := taps{width: width, start: make([]int, n), weight: make([]float32, n*width)}
	folded := make([]float64, width)
	for i := range n {
		start := min(max(i-radius, 0), n-width)
		clear(folded)
		for k, v := range kernel {
			folded[min(max(i-radius+k, 0), n-1)-start] += v
		}
		t.start[i] = start
		for k, v := range folded {
			t.weight[i*width+k] = float32(v)
		}
	}
	return t
}
