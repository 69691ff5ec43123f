package imageio

import (
	"image"
	"image/color"

	"greenroom/engine/picture"
)

// fromImage converts a decoded image to a picture: each sample exactly v/255 or v/65535 as a float32, alpha
// straight and apart, colour under alpha 0 kept. Types that hold premultiplied colour (image.RGBA,
// image.RGBA64) are taken as opaque: the decoders here give them only for files without alpha.
func fromImage(m image.Image) (p picture.Picture, ok bool) {
	b := m.Bounds()
	w, h := b.Dx(), b.Dy()
	switch m := m.(type) {
	case *image.Gray:
		p.RGB = picture.New(w, h, 3)
		eachRow(h, func(y int) { grey8(p.RGB.Row(y), m.Pix[y*m.Stride:]) })
	case *image.Gray16:
		p.RGB = picture.New(w, h, 3)
		eachRow(h, func(y int) { grey16(p.RGB.Row(y), m.Pix[y*m.Stride:]) })
	case *image.RGBA:
		p.RGB = picture.New(w, h, 3)
		eachRow(h, func(y int) { rgba8(p.RGB.Row(y), nil, m.Pix[y*m.Stride:]) })
	case *image.NRGBA:
		p.RGB, p.Alpha = picture.New(w, h, 3), picture.New(w, h, 1)
		eachRow(h, func(y int) { rgba8(p.RGB.Row(y), p.Alpha.Row(y), m.Pix[y*m.Stride:]) })
	case *image.RGBA64:
		p.RGB = picture.New(w, h, 3)
		eachRow(h, func(y int) { rgba16(p.RGB.Row(y), nil, m.Pix[y*m.Stride:]) })
	case *image.NRGBA64:
		p.RGB, p.Alpha = picture.New(w, h, 3), picture.New(w, h, 1)
		eachRow(h, func(y int) { rgba16(p.RGB.Row(y), p.Alpha.Row(y), m.Pix[y*m.Stride:]) })
	case *image.Paletted:
		colours, transparent := palette(m.Palette)
		p.RGB = picture.New(w, h, 3)
		if transparent {
			p.Alpha = picture.New(w, h, 1)
		}
		eachRow(h, func(y int) {
			dst := p.RGB.Row(y)
			for x, i := range m.Pix[y*m.Stride : y*m.Stride+w] {
				copy(dst[3*x:3*x+3], colours[i][:3])
				if transparent {
					p.Alpha.Row(y)[x] = colours[i][3]
				}
			}
		})
	case *image.CMYK:
		p.RGB = picture.New(w, h, 3)
		eachRow(h, func(y int) { cmyk8(p.RGB.Row(y), m.Pix[y*m.Stride:]) })
	case *image.YCbCr:
		p.RGB = upsampled(m)
	default:
		return p, false
	}
	return p, true
}

func eachRow(h int, row func(y int)) {
	picture.ParallelRows(h, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row(y)
		}
	})
}

func grey8(rgb []float32, src []byte) {
	for x := range len(rgb) / 3 {
		v := float32(src[x]) / 255
		rgb[3*x], rgb[3*x+1], rgb[3*x+2] = v, v, v
	}
}

func grey16(rgb []float32, src []byte) {
	for x := range len(rgb) / 3 {
		v := level16(src[2*x:])
		rgb[3*x], rgb[3*x+1], rgb[3*x+2] = v, v, v
	}
}

// rgba8 splits pixels of four bytes; alpha may be nil.
func rgba8(rgb, alpha []float32, src []byte) {
	for x := range len(rgb) / 3 {
		s, d := src[4*x:4*x+4], rgb[3*x:3*x+3]
		d[0], d[1], d[2] = float32(s[0])/255, float32(s[1])/255, float32(s[2])/255
		if alpha != nil {
			alpha[x] = float32(s[3]) / 255
		}
	}
}

// rgba16 splits pixels of four big-endian words; alpha may be nil.
func rgba16(rgb, alpha []float32, src []byte) {
	for x := range len(rgb) / 3 {
		s, d := src[8*x:8*x+8], rgb[3*x:3*x+3]
		d[0], d[1], d[2] = level16(s), level16(s[2:]), level16(s[4:])
		if alpha != nil {
			alpha[x] = level16(s[6:])
		}
	}
}

// level16 returns a big-endian word as a level in 0..1.
func level16(b []byte) float32 {
	return float32(uint16(b[0])<<8|uint16(b[1])) / 65535
}

// cmyk8 converts ink amounts to light as if each ink only took its own complement away: without the ink
// profile nothing better is known.
func cmyk8(rgb []float32, src []byte) {
	for x := range len(rgb) / 3 {
		s := src[4*x : 4*x+4]
		light := float32(255-s[3]) / (255 * 255)
		for c := range 3 {
			rgb[3*x+c] = float32(255-s[c]) * light
		}
	}
}

// palette returns 256 colours as straight RGBA and whether any is not opaque. Indices beyond the palette,
// which damaged files hold, are black.
func palette(p color.Palette) (colours [256][4]float32, transparent bool) {
	for i := range colours {
		colours[i][3] = 1
	}
	for i, c := range p[:min(len(p), 256)] {
		n := color.NRGBA64Model.Convert(c).(color.NRGBA64)
		// NRGBA colours must not pass through the premultiplied form: it loses what lies under alpha.
		if straight, ok := c.(color.NRGBA); ok {
			n = color.NRGBA64{
				R: uint16(straight.R) * 257, G: uint16(straight.G) * 257,
				B: uint16(straight.B) * 257, A: uint16(straight.A) * 257,
			}
		}
		for k, v := range [4]uint16{n.R, n.G, n.B, n.A} {
			colours[i][k] = float32(v) / 65535
		}
		transparent = transparent || n.A != 65535
	}
	return colours, transparent
}

// upsampled converts a JPEG's YCbCr (ITU-T T.871: full range, Rec.601 weights) to RGB, each rounded to its
// 8 bits as other decoders give them. Chroma that is stored smaller is interpolated between the centres of
// its samples, not repeated: blocks of chroma would show as steps along the edge of a key.
func upsampled(m *image.YCbCr) picture.Image {
	b := m.Bounds()
	w, h := b.Dx(), b.Dy()
	across, down := chromaFactors(m.SubsampleRatio)
	cw, ch := (w+across-1)/across, (h+down-1)/down
	out := picture.New(w, h, 3)
	picture.ParallelRows(h, func(y0, y1 int) {
		cb, cr := make([]float32, cw), make([]float32, cw)
		for y := y0; y < y1; y++ {
			top, bottom, fy := between(y, down, ch)
			for x := range cw {
				i, j := top*m.CStride+x, bottom*m.CStride+x
				cb[x] = float32(m.Cb[i])*(1-fy) + float32(m.Cb[j])*fy - 128
				cr[x] = float32(m.Cr[i])*(1-fy) + float32(m.Cr[j])*fy - 128
			}
			dst, luma := out.Row(y), m.Y[y*m.YStride:]
			for x := range w {
				l, r, fx := between(x, across, cw)
				u, v := cb[l]*(1-fx)+cb[r]*fx, cr[l]*(1-fx)+cr[r]*fx
				yy := float32(luma[x])
				dst[3*x] = byteLevel(yy + 1.402*v)
				dst[3*x+1] = byteLevel(yy - 0.344136*u - 0.714136*v)
				dst[3*x+2] = byteLevel(yy + 1.772*u)
			}
		}
	})
	return out
}

// chromaFactors returns how many luma samples one chroma sample spans across and down.
func chromaFactors(r image.YCbCrSubsampleRatio) (across, down int) {
	switch r {
	case image.YCbCrSubsampleRatio422:
		return 2, 1
	case image.YCbCrSubsampleRatio420:
		return 2, 2
	case image.YCbCrSubsampleRatio440:
		return 1, 2
	case image.YCbCrSubsampleRatio411:
		return 4, 1
	case image.YCbCrSubsampleRatio410:
		return 4, 2
	}
	return 1, 1
}

// between returns the two of n chroma samples that luma sample i lies between, and the share of the second.
func between(i, factor, n int) (first, second int, share float32) {
	if factor == 1 {
		return i, i, 0
	}
	at := (float32(i)+0.5)/float32(factor) - 0.5
	if at <= 0 {
		return 0, 0, 0
	}
	first = min(int(at), n-1)
	return first, min(first+1, n-1), at - float32(first)
}

// byteLevel rounds v to one of 0..255 and returns it as a level in 0..1.
func byteLevel(v float32) float32 {
	return float32(int(min(max(v, 0), 255)+0.5)) / 255
}
