package picture

// BoxReduce returns m reduced by the whole factor k on both axes: each output sample is the mean of a k x k
// block. Where k does not divide the size, the last blocks hold what is left: the result is ceil(W/k) x
// ceil(H/k). A factor of 1 or less returns a copy.
func BoxReduce(m Image, k int) Image {
	if k <= 1 || m.Empty() {
		return m.Clone()
	}
	out := New((m.W+k-1)/k, (m.H+k-1)/k, m.C)
	ParallelRows(out.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			dst := out.Row(y)
			rows := min(k, m.H-y*k)
			for j := range rows {
				src := m.Row(y*k + j)
				for x := range m.W {
					for c := range m.C {
						dst[x/k*m.C+c] += src[x*m.C+c]
					}
				}
			}
			for x := range out.W {
				n := float32(rows * min(k, m.W-x*k))
				for c := range m.C {
					dst[x*m.C+c] /= n
				}
			}
		}
	})
	return out
}
