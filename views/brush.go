package views

// brush turns samples into pixels for the display.
type brush struct {
	// layers are the pictures that it reads.
	layers []*Shown
	// row writes the pixels, R G B A, of a row whose first is at (x, y) in the viewport; rows holds the samples of
	// each layer.
	row func(x, y int, rows [][]float32, out []uint8)
}

// colours shows a picture's colour.
func (f frame) colours(s *Shown) brush {
	return brush{layers: []*Shown{s}, row: func(_, _ int, rows [][]float32, out []uint8) {
		f.encodeRow(rows[0], s.linear, out)
	}}
}

// encodeRow encodes colour, [W, 3], for the display.
func (f frame) encodeRow(src []float32, linear bool, out []uint8) {
	if linear {
		encode := &f.encode
		for i, j := 0, 0; i+2 < len(src) && j+3 < len(out); i, j = i+3, j+4 {
			p, o := src[i:i+3], out[j:j+4]
			o[0], o[1], o[2], o[3] = fromLinear(encode, p[0]), fromLinear(encode, p[1]), fromLinear(encode, p[2]), 255
		}
		return
	}
	for i, j := 0, 0; i+2 < len(src) && j+3 < len(out); i, j = i+3, j+4 {
		p, o := src[i:i+3], out[j:j+4]
		o[0], o[1], o[2], o[3] = eight(p[0]), eight(p[1]), eight(p[2]), 255
	}
}

// grey shows a picture of one channel, which is no light, by its plain values.
func (f frame) grey(s *Shown) brush {
	return brush{layers: []*Shown{s}, row: func(_, _ int, rows [][]float32, out []uint8) {
		for i, v := range rows[0] {
			g, o := eight(v), out[4*i:4*i+4]
			o[0], o[1], o[2], o[3] = g, g, g, 255
		}
	}}
}

// plate shows the plate, tinted outside the hint where the overlay is on.
func (f frame) plate() brush {
	b := f.colours(f.layers.Plate)
	if !f.look.Overlay || f.layers.Hint == nil {
		return b
	}
	b.layers = append(b.layers, f.layers.Hint)
	b.row = func(_, _ int, rows [][]float32, out []uint8) {
		f.encodeRow(rows[0], f.layers.Plate.linear, out)
		for i, h := range rows[1] {
			if h >= 1 {
				continue
			}
			// In 256ths: the overlay is a tint, and 8 bits of it are enough.
			k := (255 - int(eight(h))) * tint / 255
			o := out[4*i : 4*i+3]
			o[0] += uint8((255 - int(o[0])) * k >> 8)
			o[1] -= uint8(int(o[1]) * k >> 8)
			o[2] += uint8((255 - int(o[2])) * k >> 8)
		}
	}
	return b
}

// waiting shows the plate where a key's tiles are missing: dim, and hatched once they will not come.
func (f frame) waiting() brush {
	b := f.colours(f.layers.Plate)
	step, width := int(hatchStep*f.look.Unit+0.5), int(hatchWidth*f.look.Unit+0.5)
	b.row = func(x, y int, rows [][]float32, out []uint8) {
		f.encodeRow(rows[0], f.layers.Plate.linear, out)
		for i := 0; i+3 < len(out); i += 4 {
			if f.layers.Stopped && (x+i/4+y)%step < width {
				out[i], out[i+1], out[i+2] = hatchGrey, hatchGrey, hatchGrey
				continue
			}
			for c := range 3 {
				out[i+c] = uint8(int(out[i+c]) * dim >> 8)
			}
		}
	}
	return b
}

// comp shows a key over a checker, blended in linear light.
func (f frame) comp(k *Key) brush {
	square := max(int(checkerSquare*f.look.Unit+0.5), 1)
	greys := [2]uint8{checkerDark, checkerLight}
	light := [2]float32{toLinear(&f.decode, checkerDark/255.0), toLinear(&f.decode, checkerLight/255.0)}
	return brush{layers: []*Shown{k.fg, k.matte}, row: func(x, y int, rows [][]float32, out []uint8) {
		fg, alpha := rows[0], rows[1]
		encode, decode := &f.encode, &f.decode
		fg, out = fg[:3*len(alpha)], out[:4*len(alpha)]
		if k.fg.linear {
			decode = nil
		}
		s, left := (x/square+y/square)&1, square-x%square
		for i, a := range alpha {
			if left == 0 {
				s, left = 1-s, square
			}
			left--
			p, o := fg[3*i:3*i+3:3*i+3], out[4*i:4*i+4:4*i+4]
			o[3] = 255
			if !(a > 0) {
				o[0], o[1], o[2] = greys[s], greys[s], greys[s]
				continue
			}
			if a >= 1 && decode != nil {
				o[0], o[1], o[2] = eight(p[0]), eight(p[1]), eight(p[2])
				continue
			}
			r, g, b := p[0], p[1], p[2]
			if decode != nil {
				r, g, b = toLinear(decode, r), toLinear(decode, g), toLinear(decode, b)
			}
			rest := light[s] * (1 - a)
			o[0], o[1], o[2] = fromLinear(encode, r*a+rest), fromLinear(encode, g*a+rest), fromLinear(encode, b*a+rest)
		}
	}}
}

// fromLinear encodes linear light to 8 bits; NaN is black.
func fromLinear(table *[encodeSteps + 1]uint8, v float32) uint8 {
	if i := uint32(int32(v*encodeSteps + 0.5)); i <= encodeSteps {
		return table[i]
	}
	return end(v)
}

// toLinear decodes an sRGB-encoded value, held within 0..1.
func toLinear(table *[decodeSteps + 1]float32, v float32) float32 {
	if i := uint32(int32(v*decodeSteps + 0.5)); i <= decodeSteps {
		return table[i]
	}
	return float32(end(v)) / 255
}

// eight rounds 0..1 to 8 bits; NaN is black.
func eight(v float32) uint8 {
	if i := uint32(int32(v*255 + 0.5)); i <= 255 {
		return uint8(i)
	}
	return end(v)
}

// end is what a value outside 0..1 is shown as. It is asked last, because such values are rare.
func end(v float32) uint8 {
	if v > 1 {
		return 255
	}
	return 0
}
