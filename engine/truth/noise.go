package truth

import "math"

// noise is a field of smooth pseudo-random values over the plane: value noise on the integer lattice, one
// independent field a seed. It has no state, so that any pixel can be drawn by any worker.
type noise uint64

// lattice returns the value at a lattice point, uniform in -1..1 (a finaliser in the style of SplitMix64:
// Steele, Lea and Flood 2014).
func (n noise) lattice(x, y int64) float64 {
	h := uint64(n) + uint64(x)*0x9E3779B97F4A7C15 + uint64(y)*0xC2B2AE3D27D4EB4F
	h = (h ^ h>>30) * 0xBF58476D1CE4E5B9
	h = (h ^ h>>27) * 0x94D049BB133111EB
	h ^= h >> 31
	return float64(h>>11)/(1<<52) - 1
}

// at returns the field at (x, y), -1..1; one lattice cell is one unit.
func (n noise) at(x, y float64) float64 {
	x0, y0 := math.Floor(x), math.Floor(y)
	fx, fy := fade(x-x0), fade(y-y0)
	ix, iy := int64(x0), int64(y0)
	top := mix(n.lattice(ix, iy), n.lattice(ix+1, iy), fx)
	bottom := mix(n.lattice(ix, iy+1), n.lattice(ix+1, iy+1), fx)
	return mix(top, bottom, fy)
}

// octaves sums the field at doubling frequencies, each gain times as strong as the one before; about -1..1.
func (n noise) octaves(x, y float64, count int, gain float64) float64 {
	sum, total, strength := 0.0, 0.0, 1.0
	for i := range count {
		sum += strength * (n+noise(i)*0x632BE59BD9B4E019).at(x, y)
		total += strength
		strength *= gain
		x, y = 2*x, 2*y
	}
	return sum / total
}

// fade is the quintic that joins lattice cells with continuous second derivatives (Perlin 2002).
func fade(t float64) float64 { return t * t * t * (t*(t*6-15) + 10) }

func mix(a, b, t float64) float64 { return a + (b-a)*t }

func clamp01(v float64) float64 { return min(max(v, 0), 1) }

// step rises from 0 at lo to 1 at hi along a cubic.
func step(lo, hi, v float64) float64 {
	t := clamp01((v - lo) / (hi - lo))
	return t * t * (3 - 2*t)
}
