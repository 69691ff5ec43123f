package matte

import "greenroom/engine/picture"

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
