package hint

import (
	"errors"
	"fmt"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// ErrNoSampledScreen is a plate in which nothing has the colours that were picked as its screen.
var ErrNoSampledScreen = errors.New("nothing in the plate has the colours that were picked (pick them from the screen)")

// SampleError is a picked colour that is none of the screen's.
type SampleError struct {
	// Sample is its index.
	Sample int
	// Screen is what most of the samples are.
	Screen settings.Screen
	// Dark says that it is too dark to tell.
	Dark bool
}

// Error implements error. It counts from 1.
func (e *SampleError) Error() string {
	if e.Dark {
		return fmt.Sprintf("sample %d is too dark to have a colour (pick a brighter place)", e.Sample+1)
	}
	return fmt.Sprintf("sample %d is not %s (pick it from the screen, or take it away)", e.Sample+1, e.Screen)
}

// FromSamples is FromChroma with the screen's colours picked instead of found: each sample, in the plate's
// space, says what the screen looks like in some place, so that a screen of several cloths, or with a floor
// or a corner of another hue, is one. Brightness does not count: it is followed all over the frame as ever.
// The screen is green or blue by most of the samples. A sample that is neither, or too dark to tell, is an
// *SampleError; ErrNoSampledScreen says that no pixel is like them.
func FromSamples(p picture.Picture, samples []settings.Colour, strength float64) (Hint, settings.Screen, error) {
	if p.RGB.Empty() || p.RGB.C != 3 {
		return Hint{}, "", fmt.Errorf("making a chroma hint: the plate has %d channels at %s", p.RGB.C, sized(p.RGB))
	}
	work, k, err := encoded(p, workEdge)
	if err != nil {
		return Hint{}, "", fmt.Errorf("making a chroma hint: %w", err)
	}
	picked, err := pickBackdrop(p.Space, samples)
	if err != nil {
		return Hint{}, "", fmt.Errorf("making a chroma hint: %w", err)
	}
	if picked.screen == settings.ScreenBlue {
		SwapScreen(work)
	}
	small, _ := reduceTo(work, findEdge)
	covered := 0
	for i := 0; i < len(small.Pix); i += 3 {
		if r, ok := ratioOf(small.Pix[i:]); ok && picked.distance(r) < radius {
			covered++
		}
	}
	if covered == 0 {
		return Hint{}, "", ErrNoSampledScreen
	}
	picked.share = float64(covered) / float64(small.W*small.H)
	return fromBackdrop(work, small, picked, k, p.RGB, strength), picked.screen, nil
}

// pickBackdrop makes a screen of samples in a space.
func pickBackdrop(space colour.Space, samples []settings.Colour) (backdrop, error) {
	if len(samples) == 0 {
		return backdrop{}, errors.New("no colour of the screen was picked")
	}
	all := picture.Picture{RGB: picture.New(len(samples), 1, 3), Space: space}
	for i, s := range samples {
		for k, v := range s {
			all.RGB.Pix[3*i+k] = float32(v)
		}
	}
	// Reducing by 1 only encodes.
	m, _, err := encoded(all, len(samples))
	if err != nil {
		return backdrop{}, err
	}
	blue := 0
	for i := 0; i < len(m.Pix); i += 3 {
		if m.Pix[i+2] > m.Pix[i+1] {
			blue++
		}
	}
	b := backdrop{screen: settings.ScreenGreen}
	if 2*blue > len(samples) {
		b.screen = settings.ScreenBlue
		SwapScreen(m)
	}
	for i := range samples {
		c := m.Pix[3*i : 3*i+3]
		r, ok := ratioOf(c)
		switch {
		case c[1] < leastKey:
			return backdrop{}, &SampleError{Sample: i, Screen: b.screen, Dark: true}
		case !ok:
			return backdrop{}, &SampleError{Sample: i, Screen: b.screen}
		}
		b.middles = append(b.middles, r)
	}
	return b, nil
}

// pickReach is how many pixels to each side of a picked one are averaged with it: grain is no colour.
const pickReach = 2

// Pick returns the colour of a plate around a place, in the plate's space: the mean of the 5 x 5 pixels around
// it that lie in the frame and are finite. false says that there are none.
func Pick(p picture.Picture, at settings.Point) (settings.Colour, bool) {
	var c settings.Colour
	if !(at.X >= 0 && at.Y >= 0 && at.X < float64(p.RGB.W) && at.Y < float64(p.RGB.H)) {
		return c, false
	}
	x, y, n := int(at.X), int(at.Y), 0.0
	for j := max(y-pickReach, 0); j <= min(y+pickReach, p.RGB.H-1); j++ {
		for i := max(x-pickReach, 0); i <= min(x+pickReach, p.RGB.W-1); i++ {
			v := p.RGB.Row(j)[3*i : 3*i+3]
			if !finite(v[0]) || !finite(v[1]) || !finite(v[2]) {
				continue
			}
			n++
			for k := range c {
				c[k] += float64(v[k])
			}
		}
	}
	for k := range c {
		c[k] /= max(n, 1)
	}
	return c, n > 0
}
