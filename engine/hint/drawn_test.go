package hint

import (
	"math"
	"math/rand/v2"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

// drawn describes a plate to draw: a subject with strands, over a screen. The zero value of a field is none
// of it.
type drawn struct {
	w, h int
	// screen is the screen's colour, sRGB-encoded.
	screen [3]float32
	// subject is the share of the frame's height that the subject's shoulders span; 0 leaves the plate empty.
	subject float64
	// uneven is how much darker the screen's corner is than its opposite, 0..1.
	uneven float64
	// shadow is how much darker the screen is beside the subject, 0..1.
	shadow float64
	// grain is the standard deviation of noise.
	grain float64
	// markers draws crosses on the screen.
	markers bool
	// spill is the share of the screen's colour added to the subject.
	spill float32
	// shirt is the colour of the clothes, black if left out.
	shirt [3]float32
	// suit is the colour of the shoulders, a bluish grey if left out.
	suit [3]float32
	// linear stores the plate in linear light.
	linear bool
}

// hsv returns an encoded colour, hue in turns.
func hsv(h, s, v float64) [3]float32 {
	var c [3]float32
	for i, n := range []float64{5, 3, 1} {
		k := math.Mod(n+h*6, 6)
		c[i] = float32(v - v*s*min(max(min(k, 4-k), 0), 1))
	}
	return c
}

// plate draws the plate, and returns it with the subject's exact matte.
func (d drawn) plate() (picture.Picture, picture.Image) {
	subject, truth := picture.New(d.w, d.h, 3), picture.New(d.w, d.h, 1)
	for y := range d.h {
		for x := range d.w {
			c, alpha := d.subjectAt(x, y)
			copy(subject.Row(y)[3*x:], c[:])
			truth.Row(y)[x] = alpha
		}
	}
	return d.behind(subject, truth)
}

// behind puts the screen behind a subject through its matte, in encoded values.
func (d drawn) behind(subject, matte picture.Image) (picture.Picture, picture.Image) {
	rgb := picture.New(d.w, d.h, 3)
	random := rand.New(rand.NewPCG(uint64(d.w), 7))
	long := float64(max(d.w, d.h))
	for y := range d.h {
		for x := range d.w {
			light := float32(1 - d.uneven*(float64(x)/float64(d.w)+float64(y)/float64(d.h))/2)
			light *= float32(1 - d.shadow*math.Exp(-math.Abs(float64(x)/float64(d.w)-0.75)*20))
			screen := d.screen
			if d.markers && cross(float64(x)/long, float64(y)/long) {
				screen = [3]float32{0.8, 0.8, 0.75}
			}
			a := matte.Row(y)[x]
			for i := range 3 {
				v := (subject.Row(y)[3*x+i]+d.spill*d.screen[i])*a + screen[i]*light*(1-a)
				if d.grain > 0 {
					v += float32(random.NormFloat64() * d.grain)
				}
				v = unit(v)
				if d.linear {
					v = colour.SRGBToLinear(v)
				}
				rgb.Row(y)[3*x+i] = v
			}
		}
	}
	space := colour.SRGB
	if d.linear {
		space = colour.LinearRec709
	}
	return picture.Picture{RGB: rgb, Space: space}, matte
}

// cross reports whether a place, in long edges, lies on one of the crosses, 2 % of the long edge wide.
func cross(x, y float64) bool {
	const pitch, half, thick = 0.21, 0.01, 0.003
	dx, dy := math.Mod(x+0.05, pitch)-pitch/2, math.Mod(y+0.08, pitch)-pitch/2
	return min(math.Abs(dx), math.Abs(dy)) < thick/2 && max(math.Abs(dx), math.Abs(dy)) < half
}

// subjectAt is a head over shoulders that the lower edge cuts, with strands a pixel or two wide around it.
func (d drawn) subjectAt(x, y int) (c [3]float32, alpha float32) {
	if d.subject == 0 {
		return c, 0
	}
	size := d.subject * float64(d.h)
	u, v := (float64(x)-float64(d.w)/2)/size, (float64(y)-float64(d.h))/size
	head := math.Hypot(u*1.2, v+0.75) - 0.22
	shoulders := math.Hypot(u*0.8, min(v+0.05, 0)) - 0.45
	cover := func(d float64) float32 { return unit(float32(0.5 - d*size)) }
	switch {
	case head < 0:
		c = [3]float32{0.85, 0.62, 0.52}
		if v < -0.8 {
			c = [3]float32{0.22, 0.17, 0.14}
		}
	case v > -0.2 && u > 0:
		c = d.shirt
	case v > -0.1:
		c = [3]float32{0.9, 0.9, 0.92}
	case d.suit != [3]float32{}:
		c = d.suit
	default:
		c = [3]float32{0.45, 0.4, 0.5}
	}
	alpha = max(cover(head), cover(shoulders))
	if head >= 0 && head < 0.06 && v < -0.7 {
		angle := math.Atan2(u*1.2, v+0.75) * 40
		strand := unit(float32(1.2-math.Abs(angle-math.Round(angle))*size*0.02)) * float32(1-head/0.06)
		if strand > alpha {
			c, alpha = [3]float32{0.22, 0.17, 0.14}, strand
		}
	}
	return c, alpha
}

// score compares a hint with the exact matte: missed is the share of the core, deeper inside than 2.5 % of
// the long edge, that the hint leaves out; wrong is the share of the marked pixels whose matte is under 0.9.
func score(h, truth picture.Image) (missed, wrong float64) {
	depth := float32(max(truth.W, truth.H)) * 0.025
	inside := picture.Distance(truth, 0.99, depth)
	var core, left, marked, bad float64
	for i, v := range h.Pix {
		if inside.Pix[i] >= depth {
			core++
			if v < 0.5 {
				left++
			}
		}
		if v > 0.5 {
			marked++
			if truth.Pix[i] < 0.9 {
				bad++
			}
		}
	}
	return left / max(core, 1), bad / max(marked, 1)
}
