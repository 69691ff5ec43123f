package matte

import (
	"math"

	"greenroom/engine/picture"
)

// Clip remaps a matte [H, W, 1] linearly in place so that black becomes 0 and white becomes 1. Everything at
// or under black is exactly 0 and everything at or over white exactly 1: a sigmoid reaches neither. NaN
// becomes 0. black must be under white.
func Clip(m picture.Image, black, white float64) {
	low, high := float32(black), float32(white)
	gain := float32(1 / (white - black))
	picture.ParallelRows(m.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row := m.Row(y)
			for x, v := range row {
				switch {
				case v >= high:
					row[x] = 1
				case v > low:
					row[x] = min((v-low)*gain, 1)
				default:
					row[x] = 0
				}
			}
		}
	})
}

// Gamma raises a matte [H, W, 1] to the power 1/gamma in place: over 1 its middle becomes brighter, under 1
// darker. 0 and 1 stay exact, the rest is within 1e-6 of the power. gamma must lie in 0.2..5; 1 changes
// nothing.
func Gamma(m picture.Image, gamma float64) {
	if gamma == 1 {
		return
	}
	// Straight lines between the entries of a table are close enough but for the steep part next to 0.
	const steps, steep = 4096, 1.0 / 16
	var table [steps + 1]float32
	for i := range table {
		table[i] = float32(math.Pow(float64(i)/steps, 1/gamma))
	}
	picture.ParallelRows(m.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row := m.Row(y)
			for x, v := range row {
				switch {
				case !(v > 0 && v < 1):
				case v < steep:
					row[x] = float32(math.Pow(float64(v), 1/gamma))
				default:
					at := v * steps
					i := int(at)
					row[x] = table[i] + (table[i+1]-table[i])*(at-float32(i))
				}
			}
		}
	})
}
