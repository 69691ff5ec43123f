package truth

import (
	"math"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// screen is the cloth behind the subject: one colour, unevenly lit, faintly creased.
type screen struct {
	size        float64
	hue         float64 // turns
	colour      rgb     // sRGB-encoded, in full light
	light, fold noise
	uneven      float64 // share by which the light varies
	crease      float64
	lamp        [2]float64 // where the light is strongest, in plate edges
	vignette    float64
}

func newScreen(s Scene) *screen {
	r := s.random(forScreen)
	hue := between(r, 105, 150) / 360
	if s.Screen == settings.ScreenBlue {
		hue = between(r, 212, 235) / 360
	}
	return &screen{
		size: float64(s.Size), hue: hue,
		colour: hsv(hue, between(r, 0.45, 0.8), between(r, 0.5, 0.85)),
		light:  noise(r.Uint64()), fold: noise(r.Uint64()),
		uneven: between(r, 0.08, 0.25), crease: between(r, 0.015, 0.05),
		lamp:     [2]float64{between(r, 0.2, 0.8), between(r, 0, 0.5)},
		vignette: between(r, 0.1, 0.35),
	}
}

// at returns the screen's colour at a pixel, sRGB-encoded.
func (s *screen) at(x, y float64) rgb {
	u, v := x/s.size, y/s.size
	d := math.Hypot(u-s.lamp[0], v-s.lamp[1])
	bright := 1 - s.vignette*d*d
	bright *= 1 + s.uneven*s.light.octaves(1.7*u, 1.7*v, 2, 0.5)
	bright *= 1 + s.crease*s.fold.octaves(9*u+2*v, 3*v, 4, 0.6)
	return s.colour.scale(bright).clamp()
}

// addGrain adds grain to a plate, [H, W, 3], and rounds it to 8 bits. Grain is Gaussian, a little
// correlated between neighbours as scanned film and debayered sensors are, stronger in the middle tones,
// mostly alike in the three channels' strength but independent in value.
func addGrain(m picture.Image, s Scene) {
	r := s.random(forGrain)
	strength := between(r, 0.006, 0.016)
	seed := r.Uint64()
	w, n := m.W, m.W*3
	picture.ParallelRows(m.H, func(y0, y1 int) {
		rows := [3][]float64{make([]float64, n), make([]float64, n), make([]float64, n)}
		for k, y := range []int{y0 - 1, y0} {
			grainRow(rows[k+1], seed, y)
		}
		for y := y0; y < y1; y++ {
			rows[0], rows[1], rows[2] = rows[1], rows[2], rows[0]
			grainRow(rows[2], seed, y+1)
			line := m.Row(y)
			for x := range w {
				for c := range 3 {
					i := x*3 + c
					l, rr := max(x-1, 0)*3+c, min(x+1, w-1)*3+c
					// A binomial blur that is mostly its centre; 0.772 is the root of its squares' sum.
					g := 0.75*rows[1][i] + 0.0625*(rows[0][i]+rows[2][i]+rows[1][l]+rows[1][rr])
					v := float64(line[i])
					tone := 0.5 + 2*v*(1-v)
					v += g / 0.7603 * strength * tone
					line[i] = float32(math.Round(clamp01(v)*255) / 255)
				}
			}
		}
	})
}

// grainRow fills a row with Gaussian numbers of variance 1 that depend on the seed and the row alone.
func grainRow(dst []float64, seed uint64, y int) {
	n := noise(seed)
	for i := 0; i < len(dst); i += 2 {
		// Box and Muller 1958: two uniform numbers give two Gaussian ones.
		u := (n.lattice(int64(i), int64(y)) + 1) / 2
		v := n.lattice(int64(i+1), int64(y)) * math.Pi
		radius := math.Sqrt(-2 * math.Log(max(u, 1e-12)))
		dst[i] = radius * math.Cos(v)
		if i+1 < len(dst) {
			dst[i+1] = radius * math.Sin(v)
		}
	}
}
