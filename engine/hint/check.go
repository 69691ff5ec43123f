package hint

import (
	"fmt"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// Checker looks at hints of one plate, and warns where they do not fit it. The zero Checker, and that of a plate without a
// screen, knows only what a hint shows by itself.
type Checker struct {
	w, h, k int
	screen  settings.Screen
	// small is the size at which hints are looked at: screen says which of its pixels have the screen's colour, and
	// opaque, [h, w, 1], is 1 where there is surely none of it.
	screened []bool
	opaque   picture.Image
}

const (
	// marked is the reduced hint over which a place counts as marked, and solid the one from which as the subject.
	marked, solid = 0.2, 0.5
	// deep is how far inside, as a share of the long edge, an area beside the hint must go to be more than an edge, and
	// detail its least share of the frame.
	deep, detail = 0.012, 0.001
	// separated is by how much more a channel must tell subject from screen than the luminance does.
	separated = 0.15
)

// NewChecker returns what looks at hints of a plate. The screen is that of the samples, if there are any, else asked or
// found.
func NewChecker(p picture.Picture, asked settings.Screen, samples []settings.Colour) *Checker {
	c := &Checker{w: p.RGB.W, h: p.RGB.H}
	if p.RGB.Empty() || p.RGB.C != 3 {
		return c
	}
	small, k, err := encoded(p, findEdge)
	if err != nil {
		return c
	}
	var found backdrop
	if len(samples) > 0 {
		found, err = pickBackdrop(p.Space, samples)
	} else {
		found, err = findBackdrop(small, asked)
	}
	if err != nil {
		return c
	}
	if found.screen == settings.ScreenBlue {
		SwapScreen(small)
	}
	c.screened = make([]bool, small.W*small.H)
	covered := false
	for i := range c.screened {
		r, ok := ratioOf(small.Pix[3*i:])
		c.screened[i] = ok && found.distance(r) <= radius
		covered = covered || c.screened[i]
	}
	if !covered {
		c.screened = nil
		return c
	}
	c.k, c.screen = k, found.screen
	c.opaque = picture.Blur(screenShare(small, cleanScreen(small, found)), 1)
	for i, v := range c.opaque.Pix {
		c.opaque.Pix[i] = 0
		if v < opaque {
			c.opaque.Pix[i] = 1
		}
	}
	return c
}

// Check looks at a hint [H, W, 1]: whether it marks anything, the screen instead of the subject, or leaves out what
// belongs to the subject. A hint of another size than the plate's is looked at by itself alone.
func (c *Checker) Check(m picture.Image) []Notice {
	if m.Empty() || m.C != 1 {
		return nil
	}
	if found := checkLevels(m); len(found) > 0 {
		return found
	}
	if c.screened == nil || m.W != c.w || m.H != c.h {
		return nil
	}
	coarse := picture.BoxReduce(m, c.k)
	if elsewhere, screen := c.means(coarse); screen > 0.5 && screen > elsewhere+0.25 {
		return []Notice{{Kind: KindInverted, Warning: true, Text: fmt.Sprintf(
			"the hint looks inverted: it is %.0f %% bright over the %s screen and %.0f %% elsewhere (it must be bright over the subject: --hint-invert)",
			100*screen, c.screen, 100*elsewhere)}}
	}
	return c.leftOut(coarse)
}

// means returns how bright a reduced hint is where there is no screen, and over the screen.
func (c *Checker) means(coarse picture.Image) (elsewhere, screen float64) {
	var sums, counts [2]float64
	for i, v := range coarse.Pix {
		at := 0
		if c.screened[i] {
			at = 1
		}
		sums[at] += float64(v)
		counts[at]++
	}
	return sums[0] / max(counts[0], 1), sums[1] / max(counts[1], 1)
}

// leftOut warns of the largest area beside a reduced hint that is surely no screen. What does not touch the subject is
// no part of it: lamps, stands, the studio.
func (c *Checker) leftOut(coarse picture.Image) []Notice {
	outside := picture.New(coarse.W, coarse.H, 1)
	for i, v := range coarse.Pix {
		if v <= marked && c.opaque.Pix[i] == 1 {
			outside.Pix[i] = 1
		}
	}
	reach := float32(deep * float64(max(coarse.W, coarse.H)))
	depth := picture.Distance(outside, 0.5, 4*reach)
	var largest []int32
	middle := int32(0)
	for _, area := range regions(outside, true) {
		if len(area) <= len(largest) || float64(len(area)) < detail*float64(len(coarse.Pix)) {
			continue
		}
		deepest, touches := area[0], false
		for _, i := range area {
			if depth.Pix[i] > depth.Pix[deepest] {
				deepest = i
			}
			touches = touches || beside(coarse, int(i))
		}
		if touches && depth.Pix[deepest] >= reach {
			largest, middle = area, deepest
		}
	}
	if largest == nil {
		return nil
	}
	x, y := int(middle)%coarse.W*c.k+c.k/2, int(middle)/coarse.W*c.k+c.k/2
	return []Notice{{Kind: KindDetail, Warning: true, Text: fmt.Sprintf(
		"part of the subject seems to be outside the hint: %.1f %% of the frame around (%d, %d) is no screen, and touches what the hint marks (give another hint, or grow it with --hint-grow)",
		100*float64(len(largest))/float64(len(coarse.Pix)), x, y)}}
}

// beside reports whether a reduced hint is solid within three pixels of one: its edge is soft.
func beside(coarse picture.Image, i int) bool {
	const far = 3
	x, y := i%coarse.W, i/coarse.W
	for _, at := range [][2]int{{x - far, y}, {x + far, y}, {x, y - far}, {x, y + far}} {
		if at[0] >= 0 && at[0] < coarse.W && at[1] >= 0 && at[1] < coarse.H && coarse.Row(at[1])[at[0]] >= solid {
			return true
		}
	}
	return false
}

// CheckChannel looks at the channel in which a hint was read from a picture, and names a better one: where it is flat, the
// one that PickChannel finds; where a file in colour was read as its luminance, the one that tells the subject from the
// screen; and alpha where that holds another matte.
func (c *Checker) CheckChannel(p picture.Picture, read Channel) []Notice {
	s := survey(p)
	picked, _ := s.pick()
	switch found := s.of(read); {
	case found.span() <= varies && picked != read && s.of(picked).span() > varies:
		return []Notice{{Kind: KindWrongChannel, Warning: true, Channel: picked, Text: fmt.Sprintf(
			"the hint is read from the %s of the file, which is the same everywhere: the %s is not (--hint-channel %s)", read, picked, picked)}}
	case read == ChannelLuminance && picked == ChannelLuminance:
		return c.betterChannel(p)
	case read != ChannelAlpha && s.alpha.span() > varies && apart(p, read):
		return []Notice{{Kind: KindAlpha, Warning: true, Channel: ChannelAlpha, Text: fmt.Sprintf(
			"the file has another matte in its alpha; the hint is read from its %s (--hint-channel alpha)", read)}}
	}
	return nil
}

// betterChannel names the channel of a file in colour that tells the subject from the screen better than its luminance.
func (c *Checker) betterChannel(p picture.Picture) []Notice {
	if c.screened == nil || !sameShape(p.RGB.W, p.RGB.H, c.w, c.h) {
		return nil
	}
	tells := func(read Channel) float64 {
		m, _, err := extract(p, read)
		if err != nil {
			return 0
		}
		elsewhere, screen := c.means(picture.Resample(m, c.opaque.W, c.opaque.H))
		return elsewhere - screen
	}
	best, most := ChannelLuminance, tells(ChannelLuminance)+separated
	for _, read := range []Channel{ChannelRed, ChannelGreen, ChannelBlue} {
		if v := tells(read); v > most {
			best, most = read, v
		}
	}
	if best == ChannelLuminance {
		return nil
	}
	return []Notice{{Kind: KindWrongChannel, Warning: true, Channel: best, Text: fmt.Sprintf(
		"the hint is in colour, and its luminance was read: its %s tells the subject from the screen better (--hint-channel %s)", best, best)}}
}

// apart reports whether a channel of a picture and its alpha are different mattes.
func apart(p picture.Picture, read Channel) bool {
	m, _, err := extract(p, read)
	if err != nil {
		return false
	}
	// Thousands of pixels all over the frame tell.
	step, sum, n := max(1, len(m.Pix)/(1<<16)), 0.0, 0
	for i := 0; i < len(m.Pix); i += step {
		d := m.Pix[i] - unit(p.Alpha.Pix[i])
		sum += float64(max(d, -d))
		n++
	}
	return sum/float64(n) > 0.01
}
