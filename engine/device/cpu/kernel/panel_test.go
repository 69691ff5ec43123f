package kernel

import "testing"

// BenchmarkPeak measures one panel that stays in the first-level cache: what the processor can do at most, up
// to a few per cent. Compare everything else with it.
func BenchmarkPeak(b *testing.B) {
	s := Best()
	const rows, k = 48, 128
	r := random(1)
	for _, width := range []int{panelWidth, wideWidth} {
		b.Run(benchName("width=%d", width), func(b *testing.B) {
			p := &panel{
				a: normal(r, rows*k), aStride: k, steps: []int{0}, segLen: k, b: normal(r, k*width), width: width,
				c: make([]float32, rows*width), cStride: width, rows: rows, cols: width,
			}
			measure(b, 2*rows*k*float64(width), "GFLOP/s", func() { s.p.panel(p) })
		})
	}
}
