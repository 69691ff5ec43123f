package hint

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// Channel names where in a picture a hint is read.
type Channel = settings.HintChannel

// The channels a hint can be read from.
const (
	ChannelAlpha     = settings.ChannelAlpha
	ChannelGrey      = settings.ChannelGrey
	ChannelRed       = settings.ChannelRed
	ChannelGreen     = settings.ChannelGreen
	ChannelBlue      = settings.ChannelBlue
	ChannelLuminance = settings.ChannelLuminance
)

// Channels lists every channel, in the order in which a picker shows them.
func Channels() []Channel { return settings.HintChannels() }

const (
	// varies is the range from which a channel counts as varying: 8-bit rounding and JPEG noise stay under it.
	varies = 0.02
	// greyTolerance is how far apart red, green and blue may lie in a near-grey pixel, and greyShare how many
	// of the pixels must be near grey: subsampled JPEG colours some pixels beside hard edges.
	greyTolerance = 0.02
	greyShare     = 0.995
	// opaqueEnough is the alpha from which straight colour is worth looking at: under it 8-bit files hold
	// rounding errors.
	opaqueEnough = 0.1
	// alone is the share of the strongest channel's deviation under which the others carry nothing.
	alone = 0.05
)

// PickChannel returns the channel of p that holds the hint, by the first of these rules that fits, and why:
//
//  1. alpha varies and the colour is flat where alpha is over 0.1: alpha
//  2. red, green and blue agree within 0.02 in 99.5 % of the pixels: grey
//  3. one of red, green and blue varies and the two others do not: that channel
//  4. alpha varies: alpha
//  5. else luminance
//
// Non-finite values are left out, others are judged within 0..1.
func PickChannel(p picture.Picture) (channel Channel, why string) {
	s := survey(p)
	return s.pick()
}

// pick is PickChannel.
func (s statistics) pick() (channel Channel, why string) {
	alphaVaries := s.alpha.span() > varies
	flat := s.opaque[0].span() <= varies && s.opaque[1].span() <= varies && s.opaque[2].span() <= varies
	switch {
	case alphaVaries && flat:
		return ChannelAlpha, "alpha varies and the colour is flat"
	case float64(s.grey) >= greyShare*float64(s.pixels):
		return ChannelGrey, "red, green and blue agree"
	}
	deviations := []float64{s.rgb[0].deviation(), s.rgb[1].deviation(), s.rgb[2].deviation()}
	strongest := slices.Index(deviations, slices.Max(deviations))
	others := deviations[(strongest+1)%3] + deviations[(strongest+2)%3]
	switch {
	case s.rgb[strongest].span() > varies && others <= alone*deviations[strongest]:
		return []Channel{ChannelRed, ChannelGreen, ChannelBlue}[strongest], "it alone varies"
	case alphaVaries:
		return ChannelAlpha, "alpha varies"
	}
	return ChannelLuminance, "the hint is in colour"
}

// LooksLikeHint reports whether a picture can be a hint by what it shows: near grey, or with a varying
// alpha. A file is taken for a hint by itself only if its name says so as well (IsHintName).
func LooksLikeHint(p picture.Picture) bool {
	s := survey(p)
	return s.alpha.span() > varies || float64(s.grey) >= greyShare*float64(s.pixels)
}

// spread gathers the range and the deviation of samples within 0..1.
type spread struct {
	n            int
	low, high    float32
	sum, squares float64
}

func (s *spread) add(v float32) {
	if s.n == 0 {
		s.low, s.high = v, v
	}
	s.n++
	s.low, s.high = min(s.low, v), max(s.high, v)
	s.sum += float64(v)
	s.squares += float64(v) * float64(v)
}

func (s *spread) merge(o spread) {
	if o.n == 0 {
		return
	}
	if s.n == 0 {
		*s = o
		return
	}
	s.n += o.n
	s.low, s.high = min(s.low, o.low), max(s.high, o.high)
	s.sum += o.sum
	s.squares += o.squares
}

// span is the range of the samples; 0 without any.
func (s spread) span() float32 { return s.high - s.low }

// deviation is the standard deviation of the samples; 0 without any.
func (s spread) deviation() float64 {
	if s.n == 0 {
		return 0
	}
	mean := s.sum / float64(s.n)
	return math.Sqrt(max(s.squares/float64(s.n)-mean*mean, 0))
}

// statistics is what PickChannel knows of a picture. rgb is of all pixels, opaque of those whose alpha is
// over opaqueEnough; pixels counts those with finite colour and grey those of them that are near grey.
type statistics struct {
	rgb, opaque  [3]spread
	alpha        spread
	pixels, grey int
}

// of returns the spread of a channel; for those that mix red, green and blue, of the one that varies most.
func (s statistics) of(c Channel) spread {
	switch c {
	case ChannelAlpha:
		return s.alpha
	case ChannelRed:
		return s.rgb[0]
	case ChannelGreen:
		return s.rgb[1]
	case ChannelBlue:
		return s.rgb[2]
	}
	return slices.MaxFunc(s.rgb[:], func(a, b spread) int { return cmp.Compare(a.span(), b.span()) })
}

// survey gathers the statistics of a picture.
func survey(p picture.Picture) statistics {
	var total statistics
	var lock sync.Mutex
	picture.ParallelRows(p.RGB.H, func(y0, y1 int) {
		var s statistics
		for y := y0; y < y1; y++ {
			s.addRow(p, y)
		}
		lock.Lock()
		defer lock.Unlock()
		for i := range 3 {
			total.rgb[i].merge(s.rgb[i])
			total.opaque[i].merge(s.opaque[i])
		}
		total.alpha.merge(s.alpha)
		total.pixels += s.pixels
		total.grey += s.grey
	})
	return total
}

func (s *statistics) addRow(p picture.Picture, y int) {
	row := p.RGB.Row(y)
	for x := range p.RGB.W {
		alpha := float32(1)
		if !p.Alpha.Empty() {
			if v := p.Alpha.Row(y)[x]; finite(v) {
				alpha = unit(v)
				s.alpha.add(alpha)
			}
		}
		c := row[3*x : 3*x+3]
		if !finite(c[0]) || !finite(c[1]) || !finite(c[2]) {
			continue
		}
		r, g, b := unit(c[0]), unit(c[1]), unit(c[2])
		s.pixels++
		if max(r, g, b)-min(r, g, b) <= greyTolerance {
			s.grey++
		}
		for i, v := range [3]float32{r, g, b} {
			s.rgb[i].add(v)
			if alpha > opaqueEnough {
				s.opaque[i].add(v)
			}
		}
	}
}

// unit holds v within 0..1; NaN becomes 0.
func unit(v float32) float32 {
	if v > 0 {
		return min(v, 1)
	}
	return 0
}

// finite reports whether v is a number.
func finite(v float32) bool { return v-v == 0 }
