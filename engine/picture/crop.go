package picture

// Crop returns a copy of the w x h pixels of m from (x, y) on. Parts outside m repeat its nearest edge pixel,
// so that Crop(m, 0, 0, w, h) with a larger size is a replicated padding to the right and below. An empty
// image, or a size under 1, gives an empty image.
func Crop(m Image, x, y, w, h int) Image {
	if m.Empty() || w < 1 || h < 1 {
		return Image{C: m.C}
	}
	out := New(w, h, m.C)
	c := m.C
	// Columns x0..x1 of the result lie inside m.
	x0, x1 := min(max(-x, 0), w), min(max(m.W-x, 0), w)
	ParallelRows(h, func(r0, r1 int) {
		for r := r0; r < r1; r++ {
			src, dst := m.Row(min(max(y+r, 0), m.H-1)), out.Row(r)
			if x0 < x1 {
				copy(dst[x0*c:x1*c], src[(x+x0)*c:(x+x1)*c])
			}
			for i := range x0 {
				copy(dst[i*c:(i+1)*c], src[:c])
			}
			for i := max(x1, x0); i < w; i++ {
				copy(dst[i*c:(i+1)*c], src[(m.W-1)*c:])
			}
		}
	})
	return out
}

// Paste copies src into m with its top left corner at (x, y); what falls outside m is dropped. Both must
// have the same number of channels and must not share memory.
func (m Image) Paste(src Image, x, y int) {
	x0, x1 := max(-x, 0), min(m.W-x, src.W)
	y0, y1 := max(-y, 0), min(m.H-y, src.H)
	if x0 >= x1 {
		return
	}
	for r := y0; r < y1; r++ {
		copy(m.Row(y + r)[(x+x0)*m.C:(x+x1)*m.C], src.Row(r)[x0*m.C:x1*m.C])
	}
}
