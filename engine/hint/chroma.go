package hint

import (
	"fmt"
	"math"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

const (
	// workEdge is the largest long edge in pixels at which the hint is made: a hint is coarse, and grain is
	// gone.
	workEdge = 1024
	// opaque is the share of screen colour under which a pixel is surely opaque, wherever it lies: hair and
	// glass have more. Deeper inside than fringe of the long edge, away from all that is more screen than
	// subject, a pixel may have up to tinted of it: spill, or cloth of a similar colour. A hint of the weakest strength
	// takes what has up to weakOpaque and weakTinted, one of the strongest what has up to strongOpaque and strongTinted.
	opaque, tinted             = 0.12, 0.3
	weakOpaque, weakTinted     = 0.5, 0.7
	strongOpaque, strongTinted = 0.02, 0.06
	fringe                     = 0.03
	// shrink and soften are shares of the long edge.
	shrink, soften = 0.005, 0.005
	// dim is the brightness, relative to the screen's, over which a pixel may be screen in shadow, and shadow
	// the one from which that is certain if the hue is the screen's: if the hue alone makes it more screen
	// than hueStarts, fully from hueEnds on.
	dim, shadow        = 0.25, 0.5
	hueStarts, hueEnds = 0.6, 0.8
)

// FromChroma makes a hint from the screen's colour, conservative: it marks only what is surely opaque, so
// hair, glass and motion blur stay outside, and enclosed holes stay open. It works on the plate's encoded
// values at a reduced size:
//
//  1. the screen's hue and saturation, green or blue, are found in the plate (asked may name the colour);
//  2. its brightness and exact colour are estimated locally, which evens out uneven light;
//  3. each pixel's share of screen is its colour difference relative to that, with the screen's shadows
//     taken for screen; what has less than 0.12 is opaque, or deep inside the subject less than 0.3;
//  4. specks go: tracking markers outside, small blemishes deep inside;
//  5. the rest is shrunk by 0.5 % of the long edge and softened over as much again, back to its edge.
//
// Strength, -1..1, moves the limits of step 3: over 0 to less of the screen's colour, under 0 to more.
//
// It returns the screen colour that was found. ErrNoScreen says that there is none. Memory is the hint, one plane of its size with one axis reduced, and some
// 50 MB at the reduced size whatever the plate's.
func FromChroma(p picture.Picture, asked settings.Screen, strength float64) (Hint, settings.Screen, error) {
	if !validScreen(asked) {
		return Hint{}, "", fmt.Errorf("making a chroma hint: the screen is %q, not auto, green or blue", asked)
	}
	if p.RGB.Empty() || p.RGB.C != 3 {
		return Hint{}, "", fmt.Errorf("making a chroma hint: the plate has %d channels at %s", p.RGB.C, sized(p.RGB))
	}
	work, k, err := encoded(p, workEdge)
	if err != nil {
		return Hint{}, "", fmt.Errorf("making a chroma hint: %w", err)
	}
	small, _ := reduceTo(work, findEdge)
	found, err := findBackdrop(small, asked)
	if err != nil {
		return Hint{}, "", err
	}
	if found.screen == settings.ScreenBlue {
		SwapScreen(work)
		SwapScreen(small)
	}
	h := fromBackdrop(work, small, found, k, p.RGB, strength)
	return h, found.screen, nil
}

// fromBackdrop makes the hint for a plate of which work and small are reductions, work by the whole factor k,
// with green as the screen's channel.
func fromBackdrop(work, small picture.Image, found backdrop, k int, plate picture.Image, strength float64) Hint {
	share := screenShare(work, cleanScreen(small, found))
	m := enlarge(surelyOpaque(share, strength), k, plate.W, plate.H)
	return Hint{Matte: m, Notices: []Notice{{
		Kind: KindScreen,
		Text: fmt.Sprintf("the screen is %s and covers about %.0f %% of the frame", found.screen, 100*found.share),
	}}}
}

// encoded returns the plate within 0..1 and sRGB-encoded, reduced by a whole factor to a long edge of at most
// edge, and the factor.
func encoded(p picture.Picture, edge int) (picture.Image, int, error) {
	from, err := colour.NewCurve(p.Space)
	if err != nil {
		return picture.Image{}, 0, err
	}
	to, err := colour.NewCurve(colour.SRGB)
	if err != nil {
		return picture.Image{}, 0, err
	}
	work, k := reduceTo(p.RGB, edge)
	picture.ParallelRows(work.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row := work.Row(y)
			for i, v := range row {
				v = unit(v)
				if p.Space != colour.SRGB {
					v = to.FromLinear(from.ToLinear(v))
				}
				row[i] = v
			}
		}
	})
	return work, k, nil
}

// screenShare returns how much of each pixel is screen, [H, W, 1], 0..1, from its colour and that of the
// clean screen, both with green as the screen's channel. clean may be smaller.
func screenShare(m, clean picture.Image) picture.Image {
	screen := picture.ResampleBilinear(clean, m.W, m.H)
	out := picture.New(m.W, m.H, 1)
	picture.ParallelRows(m.H, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row, behind, dst := m.Row(y), screen.Row(y), out.Row(y)
			for x := range dst {
				dst[x] = shareOf([3]float32(row[3*x:]), [3]float32(behind[3*x:]))
			}
		}
	})
	return out
}

// shareOf is the largest share of screen s in colour c that leaves a rest without the screen's hue: G at most
// R or B. Where only the brightness differs from the screen's, it is screen in shadow.
func shareOf(c, s [3]float32) float32 {
	plain := difference(c, s, 1)
	light := c[1] / s[1]
	if light >= 1 || light <= dim {
		return plain
	}
	hue := difference(c, s, light)
	w := unit((light-dim)/(shadow-dim)) * unit((hue-hueStarts)/(hueEnds-hueStarts))
	return plain + w*(hue-plain)
}

// difference is the colour difference of c relative to that of the screen s at a share light of its
// brightness, 0..1.
func difference(c, s [3]float32, light float32) float32 {
	red, blue := s[1]-s[0], s[1]-s[2]
	byRed, byBlue := (c[1]-c[0])/(red*light), (c[1]-c[2])/(blue*light)
	// A screen that leans towards cyan or yellow is told from grey by one channel only: the other would
	// enlarge noise.
	switch {
	case red < lopsided*blue:
		return unit(byBlue)
	case blue < lopsided*red:
		return unit(byRed)
	}
	return unit(min(byRed, byBlue))
}

// lopsided is the ratio of both colour differences of a screen under which the smaller is not used.
const lopsided = 0.2

// limits returns the shares of screen colour under which a pixel is opaque, anywhere and deep inside, for a strength.
func limits(strength float64) (anywhere, inside float32) {
	between := func(weak, usual, strong float64) float32 {
		if strength < 0 {
			return float32(usual * math.Pow(weak/usual, -strength))
		}
		return float32(usual * math.Pow(strong/usual, strength))
	}
	return between(weakOpaque, opaque, strongOpaque), between(weakTinted, tinted, strongTinted)
}

// surelyOpaque turns the share of screen into a hint at the same size.
func surelyOpaque(share picture.Image, strength float64) picture.Image {
	anywhere, inside := limits(strength)
	share = picture.Blur(share, 1)
	edge := float64(max(share.W, share.H))
	reach := float32(fringe * edge)
	subject := picture.New(share.W, share.H, 1)
	for i, v := range share.Pix {
		subject.Pix[i] = 1 - v
	}
	depth := picture.Distance(subject, 0.5, reach)
	mask := picture.New(share.W, share.H, 1)
	for i, v := range share.Pix {
		if v < anywhere || (v < inside && depth.Pix[i] >= reach) {
			mask.Pix[i] = 1
		}
	}
	removeIslands(mask)
	fillBlemishes(mask)
	// The edge lies half a pixel from the centre of the last pixel inside.
	by := float32(shrink*edge + 0.5)
	within := picture.Distance(mask, 0.5, by+1)
	for i, d := range within.Pix {
		mask.Pix[i] = unit(d - by + 0.5)
	}
	removeSlivers(mask)
	// Two sigmas reach from the shrunk edge back to the edge.
	return picture.Blur(mask, soften*edge/2)
}

// enlarge returns a hint made at 1/k of the plate's size at w x h pixels.
func enlarge(m picture.Image, k, w, h int) picture.Image {
	if k == 1 {
		return m
	}
	// The last blocks of the reduction may reach beyond the plate.
	m = picture.ResampleBilinear(m, m.W*k, m.H*k)
	if m.W == w && m.H == h {
		return m
	}
	return picture.Crop(m, 0, 0, w, h)
}
