package truth

import (
	"greenroom/engine/picture"
)

// sample is what a layer shows at one pixel: coverage 0..1, straight sRGB-encoded colour, and how much of
// the screen's light falls on it.
type sample struct {
	cover  float64
	colour rgb
	spill  float64
}

// layer is something that can be drawn pixel by pixel, at pixel centres (x+0.5, y+0.5).
type layer interface {
	at(x, y float64) sample
	// bounds returns the pixels outside of which cover is 0: x0, y0, x1, y1.
	bounds() (x0, y0, x1, y1 int)
}

// stack is everything before the screen, premultiplied, in the scene's light: for every pixel the colour as
// the camera sees it (with spill), the clean colour, and the coverage.
type stack struct {
	size  int
	light light
	spill rgb // the colour that the screen throws, in the scene's light
	pix   []float32
}

// stride is the number of floats of a stack's pixel: seen R, G, B, clean R, G, B, coverage.
const stride = 7

func newStack(s Scene, screen *screen) *stack {
	l := light{s.Linear}
	return &stack{size: s.Size, light: l, spill: l.from(screen.colour), pix: make([]float32, s.Size*s.Size*stride)}
}

// paint puts a layer over what is there.
func (st *stack) paint(l layer) {
	x0, y0, x1, y1 := l.bounds()
	x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, st.size), min(y1, st.size)
	if x0 >= x1 || y0 >= y1 {
		return
	}
	picture.ParallelRows(y1-y0, func(b0, b1 int) {
		for y := y0 + b0; y < y0+b1; y++ {
			for x := x0; x < x1; x++ {
				if v := l.at(float64(x)+0.5, float64(y)+0.5); v.cover > 0 {
					st.put(x, y, v)
				}
			}
		}
	})
}

// put puts one sample over pixel (x, y).
func (st *stack) put(x, y int, v sample) {
	clean := st.light.from(v.colour.clamp())
	// What falls on the layer is thrown back by its own colour, and a little by its surface as it is.
	lit := st.spill.scale(v.spill)
	var seen rgb
	for c := range 3 {
		seen[c] = clamp01(clean[c] + lit[c]*(0.15+1.5*clean.mean()))
	}
	p := st.pix[(y*st.size+x)*stride:][:stride]
	a, rest := v.cover, float32(1-v.cover)
	for c := range 3 {
		p[c] = float32(a*seen[c]) + rest*p[c]
		p[3+c] = float32(a*clean[c]) + rest*p[3+c]
	}
	p[6] = float32(a) + rest*p[6]
}

// matte returns the coverage, [H, W, 1].
func (st *stack) matte() picture.Image {
	m := picture.New(st.size, st.size, 1)
	for i := range m.Pix {
		m.Pix[i] = min(st.pix[i*stride+6], 1)
	}
	return m
}

// foreground returns the clean straight colour, sRGB-encoded, [H, W, 3].
func (st *stack) foreground() picture.Image {
	m := picture.New(st.size, st.size, 3)
	picture.ParallelRows(st.size, func(y0, y1 int) {
		for i := y0 * st.size; i < y1*st.size; i++ {
			p := st.pix[i*stride:][:stride]
			if p[6] <= 0 {
				continue
			}
			for c := range 3 {
				m.Pix[i*3+c] = float32(clamp01(st.light.encode(float64(p[3+c] / p[6]))))
			}
		}
	})
	return m
}

// over puts the stack over the screen and returns the result sRGB-encoded, [H, W, 3], 0..1.
func (st *stack) over(s *screen) picture.Image {
	m := picture.New(st.size, st.size, 3)
	picture.ParallelRows(st.size, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			for x := range st.size {
				i := y*st.size + x
				p := st.pix[i*stride:][:stride]
				behind := st.light.from(s.at(float64(x)+0.5, float64(y)+0.5))
				for c := range 3 {
					v := float64(p[c]) + (1-float64(p[6]))*behind[c]
					m.Pix[i*3+c] = float32(clamp01(st.light.encode(v)))
				}
			}
		}
	})
	return m
}
