package views

import "encoding/binary"

// quad holds a colour and the matte or hint at its place, 0..full, as they are read from pictures: red, green, blue,
// the matte. They are not clipped, so that light over 1 is mixed as what it is.
//
// The loops over quads are most of the work of drawing. Each has a plain form, which says what it does; on amd64
// it is done for all four numbers at once.
type quad [4]float32

func acrossColourPlain(out []quad, from []float32, columns []stop) {
	out = out[:len(columns)]
	for i, s := range columns {
		a, b, o := from[3*s.at:3*s.at+3], from[3*s.next:3*s.next+3], &out[i]
		o[0] = (a[0] + (b[0]-a[0])*s.part) * full
		o[1] = (a[1] + (b[1]-a[1])*s.part) * full
		o[2] = (a[2] + (b[2]-a[2])*s.part) * full
		o[3] = 0
	}
}

func acrossPixelsPlain(out []quad, from []pixel, columns []stop) {
	out = out[:len(columns)]
	for i, s := range columns {
		a, b, o := from[s.at], from[s.next], &out[i]
		mix := func(a, b uint32) float32 { return float32(a) + (float32(b)-float32(a))*s.part }
		o[0], o[1], o[2], o[3] = mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()), mix(a.matte(), b.matte())
	}
}

func acrossMattePlain(out []quad, from []float32, columns []stop) {
	out = out[:len(columns)]
	for i := range columns {
		s := &columns[i]
		a := from[s.at]
		out[i][3] = (a + (from[s.next]-a)*s.part) * full
	}
}

func downBytesPlain(out []uint8, upper, lower []quad, part float32, alpha uint32) {
	lower, out = lower[:len(upper)], out[:4*len(upper)]
	for i := range upper {
		a, b, v := &upper[i], &lower[i], alpha
		for c := range a {
			v |= uint32(clip(a[c]+(b[c]-a[c])*part)/256+0.5) << (8 * c)
		}
		binary.LittleEndian.PutUint32(out[4*i:4*i+4], v)
	}
}

func downPixelsPlain(out []pixel, upper, lower []quad, part float32) {
	lower, out = lower[:len(upper)], out[:len(upper)]
	for i := range upper {
		a, b := &upper[i], &lower[i]
		out[i] = 0
		for c := range a {
			out[i] |= pixel(uint32(clip(a[c]+(b[c]-a[c])*part))) << (16 * c)
		}
	}
}

func downQuadsPlain(out, upper, lower []quad, part float32) {
	lower, out = lower[:len(upper)], out[:len(upper)]
	for i := range upper {
		a, b, o := &upper[i], &lower[i], &out[i]
		for c := range a {
			o[c] = a[c] + (b[c]-a[c])*part
		}
	}
}

// clip holds a number within 0..full; NaN is 0.
func clip(v float32) float32 {
	switch {
	case v >= full:
		return full
	case v > 0:
		return v
	}
	return 0
}
