package picture

// Fill fills the holes of an image whose last channel is a weight and whose other channels are values times
// that weight, in place: pixels of a weight under full take what is missing from ever larger surroundings, so
// that near values go before far ones and the fill is smooth (the pull-push of Gortler et al., "The
// Lumigraph", 1996). Afterwards a pixel's values are its channels divided by its weight, which is at least
// full everywhere, unless no pixel had any weight. It needs three times the image's memory.
func Fill(m Image, full float32) {
	if m.W <= 1 && m.H <= 1 {
		return
	}
	coarse := BoxReduce(m, 2)
	Fill(coarse, full)
	up := ResampleBilinear(coarse, coarse.W*2, coarse.H*2)
	last := m.C - 1
	ParallelRows(m.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row, fill := m.Row(y), up.Row(y)
			for ; len(row) >= m.C; row, fill = row[m.C:], fill[m.C:] {
				missing := full - row[last]
				if !(missing > 0) || fill[last] == 0 {
					continue
				}
				share := missing / fill[last]
				for i := range row[:m.C] {
					row[i] += fill[i] * share
				}
			}
		}
	})
}
