package views

// pixel holds an sRGB-encoded or linear colour and the matte or hint at its place as four fixed-point numbers of 16
// bits: red lowest, then green, blue and the matte. Each counts 256ths of a step of 8 bits, 0..full, so that
// (v + half) >> 8 rounds it to 8 bits. Numbers outside 0..1 are clipped and NaN is 0.
//
// A colour with its matte takes half the memory that floats take, and whole numbers half the time to be looked up and
// put over a ground.
type pixel uint64

const (
	// full is 1 in a pixel's numbers, half what rounds them to 8 bits.
	full = 255 << 8
	half = 1 << 7
	// matteShift is where the matte begins in a pixel.
	matteShift = 48
	// twice is 1 in both numbers of a pair, pairMask the 16 bits of each that a pixel has.
	twice    = 1 | 1<<32
	pairMask = 0xffff * twice
)

// split holds a pixel's numbers as two pairs, the second number of each in the upper 32 bits: red and blue, green and
// the matte.
type split struct{ redBlue, greenMatte uint64 }

// split returns the pixel's pairs. The mask is pairMask, which in a loop belongs in a variable.
func (p pixel) split(mask uint64) split { return split{uint64(p) & mask, uint64(p) >> 16 & mask} }

// The numbers by themselves.
func (p pixel) red() uint32   { return uint32(p) & 0xffff }
func (p pixel) green() uint32 { return uint32(p>>16) & 0xffff }
func (p pixel) blue() uint32  { return uint32(p>>32) & 0xffff }
func (p pixel) matte() uint32 { return uint32(p >> matteShift) }

// fixed cuts a number, 0..full, to a whole one; one outside, or NaN, comes out over full, or 0.
func fixed(v float32) pixel { return pixel(uint32(int32(v))) }

// fixedColour makes a colour, 0..full, a pixel's; over says that a number is outside, so that clippedColour must be
// asked: apart, because that is rare and this is small enough to become part of a loop.
func fixedColour(red, green, blue float32) (p pixel, over bool) {
	r, g, b := fixed(red), fixed(green), fixed(blue)
	return r | g<<16 | b<<32, r > full || g > full || b > full
}

// clippedColour is fixedColour for any numbers.
func clippedColour(red, green, blue float32) pixel {
	return clipped(red) | clipped(green)<<16 | clipped(blue)<<32
}

// clipped is fixed for any number.
func clipped(v float32) pixel { return pixel(clip(v)) }

// grid is an image of pixels, row by row.
type grid struct {
	w, h   int
	pixels []pixel
}

func newGrid(w, h int) grid { return grid{w, h, make([]pixel, w*h)} }

func (g grid) row(y int) []pixel { return g.pixels[y*g.w:][:g.w:g.w] }

// putColour writes colour, [W, 3].
func putColour(out []pixel, colour []float32) {
	colour = colour[:3*len(out)]
	for i := range out {
		c := colour[3*i : 3*i+3 : 3*i+3]
		p, over := fixedColour(c[0]*full, c[1]*full, c[2]*full)
		if over {
			p = clippedColour(c[0]*full, c[1]*full, c[2]*full)
		}
		out[i] = p
	}
}

// putMatte adds mattes, [W, 1], to pixels that have none.
func putMatte(out []pixel, matte []float32) {
	matte = matte[:len(out)]
	for i, v := range matte {
		p := fixed(v * full)
		if p > full {
			p = clipped(v * full)
		}
		out[i] |= p << matteShift
	}
}
