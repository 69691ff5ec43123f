package hint

import (
	"errors"
	"math"
	"slices"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// ErrNoScreen is a plate in which no green or blue screen can be made out.
var ErrNoScreen = errors.New("no green or blue screen found in the plate (give a hint with --hint)")

const (
	// findEdge is the long edge in pixels at which the screen is looked for: grain and texture are gone, and
	// a screen of any use still covers thousands of pixels.
	findEdge = 320
	// The histogram has bins x bins bins over 0..1 on both axes.
	bins = 24
	// radius is how far, in ratio, a screen's colour spreads around its middle: uneven light, grain, wrinkles.
	radius = 0.16
	// leastKey is the encoded value of the screen's channel under which a pixel says nothing about colour.
	leastKey = 0.08
	// leastRatio is how far both other channels lie under the screen's, relative to it, for a pixel to count.
	leastRatio = 0.05
	// roughness is the difference to the neighbours, relative to the screen's channel, at which a pixel counts
	// half: screens are smooth, leaves and fabric are not.
	roughness = 0.08
	// leastShare is the share of the frame that the smallest screen covers.
	leastShare = 0.02
	// leastSaturation is the mean ratio of the palest screen: one of HSV saturation 0.35 has 0.35, one that
	// leans towards cyan two thirds of that.
	leastSaturation = 0.18
)

// ratio describes the colour of a pixel apart from its brightness: how far each of the two other channels
// lies under the screen's, relative to it; 0 is no colour, 1 is pure. For a green screen they are
// (G-R)/G and (G-B)/G.
type ratio [2]float64

// saturation is the mean of both.
func (r ratio) saturation() float64 { return (r[0] + r[1]) / 2 }

func (r ratio) distance(o ratio) float64 { return math.Hypot(r[0]-o[0], r[1]-o[1]) }

// ratioOf returns the ratio of a colour whose screen channel is green, and whether it has one.
func ratioOf(c []float32) (ratio, bool) {
	key := float64(c[1])
	if key < leastKey {
		return ratio{}, false
	}
	r := ratio{(key - float64(c[0])) / key, (key - float64(c[2])) / key}
	return r, r[0] > leastRatio && r[1] > leastRatio
}

// backdrop is a screen as it was found or picked: what it looks like apart from its brightness.
type backdrop struct {
	screen settings.Screen
	// middles are the ratios that its colours spread around: one that was found, or those of several samples.
	middles []ratio
	// share is the share of the frame that shows it.
	share float64
	score float64
}

// distance is how far a ratio lies from the nearest of the screen's.
func (b backdrop) distance(r ratio) float64 {
	nearest := math.Inf(1)
	for _, m := range b.middles {
		nearest = min(nearest, r.distance(m))
	}
	return nearest
}

// findBackdrop looks for the screen in a reduced, encoded picture. A screen is a large, smooth area of one
// saturated hue that reaches the frame's edge; of several candidates the one that is most of all this wins.
// asked limits the search to green or blue.
func findBackdrop(small picture.Image, asked settings.Screen) (backdrop, error) {
	var best backdrop
	for _, screen := range []settings.Screen{settings.ScreenGreen, settings.ScreenBlue} {
		if asked != settings.ScreenAuto && asked != screen {
			continue
		}
		m := small
		if screen == settings.ScreenBlue {
			m = small.Clone()
			SwapScreen(m)
		}
		for _, peak := range newHistogram(m).peaks(3) {
			b := measure(m, peak)
			if b.share >= leastShare && b.middles[0].saturation() >= leastSaturation && b.score > best.score {
				best, best.screen = b, screen
			}
		}
	}
	if best.score == 0 {
		return backdrop{}, ErrNoScreen
	}
	return best, nil
}

// histogram counts smooth pixels by their ratio.
type histogram [bins][bins]float64

func newHistogram(m picture.Image) *histogram {
	var h histogram
	for y := range m.H {
		for x := range m.W {
			if r, ok := ratioOf(m.Row(y)[3*x:]); ok {
				h[bin(r[0])][bin(r[1])] += smoothness(m, x, y)
			}
		}
	}
	return &h
}

func bin(v float64) int { return min(max(int(v*bins), 0), bins-1) }

// smoothness weighs a pixel from 0 to 1 by how little it differs from its neighbours to the right and below.
func smoothness(m picture.Image, x, y int) float64 {
	here := m.Row(y)[3*x:]
	difference := 0.0
	for _, there := range [][]float32{m.Row(y)[3*min(x+1, m.W-1):], m.Row(min(y+1, m.H-1))[3*x:]} {
		for i := range 3 {
			difference += math.Abs(float64(there[i] - here[i]))
		}
	}
	d := difference / 6 / float64(max(here[1], leastKey)) / roughness
	return 1 / (1 + d*d)
}

// peaks returns the middles of the n fullest windows, each taken out before the next is looked for.
func (h *histogram) peaks(n int) []ratio {
	reach := int(math.Round(radius * bins))
	var found []ratio
	for range n {
		var best, sum, sumA, sumB float64
		var at [2]int
		for a := range bins {
			for b := range bins {
				if v := h.window(a, b, reach); v > best {
					best, at = v, [2]int{a, b}
				}
			}
		}
		if best == 0 {
			break
		}
		for a := max(at[0]-reach, 0); a <= min(at[0]+reach, bins-1); a++ {
			for b := max(at[1]-reach, 0); b <= min(at[1]+reach, bins-1); b++ {
				v := h[a][b]
				sum, sumA, sumB = sum+v, sumA+v*(float64(a)+0.5), sumB+v*(float64(b)+0.5)
				h[a][b] = 0
			}
		}
		found = append(found, ratio{sumA / sum / bins, sumB / sum / bins})
	}
	return found
}

// window sums the bins around a, b, weighted by how saturated they are.
func (h *histogram) window(a, b, reach int) float64 {
	sum := 0.0
	for i := max(a-reach, 0); i <= min(a+reach, bins-1); i++ {
		for _, v := range h[i][max(b-reach, 0) : min(b+reach, bins-1)+1] {
			sum += v
		}
	}
	return sum * float64(a+b+1) / (2 * bins)
}

// measure moves a candidate to the middle of what it gathers, and scores it.
func measure(m picture.Image, middle ratio) backdrop {
	var b backdrop
	for range 3 {
		var smooth, border float64
		var sum ratio
		covered := 0
		for y := range m.H {
			for x := range m.W {
				r, ok := ratioOf(m.Row(y)[3*x:])
				if !ok || r.distance(middle) > radius {
					continue
				}
				w := smoothness(m, x, y)
				covered++
				smooth += w
				sum[0] += w * r[0]
				sum[1] += w * r[1]
				// Clothes reach the lower edge of the frame too, a screen the others.
				if x == 0 || x == m.W-1 || y == 0 {
					border++
				}
			}
		}
		if smooth == 0 {
			return backdrop{}
		}
		middle = ratio{sum[0] / smooth, sum[1] / smooth}
		pixels := float64(m.W * m.H)
		reached := border / float64(m.W+2*m.H)
		// Pale areas are common, so saturation counts twice. A tenth of the edge is enough: subjects cover
		// the rest.
		saturation := middle.saturation()
		b = backdrop{middles: []ratio{middle}, share: float64(covered) / pixels}
		b.score = smooth / pixels * saturation * saturation * (0.3 + 0.7*min(reached/0.1, 1))
	}
	return b
}

// reduceTo returns m reduced by a whole factor so that its long edge is at most edge, and the factor.
func reduceTo(m picture.Image, edge int) (picture.Image, int) {
	k := max((max(m.W, m.H)+edge-1)/edge, 1)
	return picture.BoxReduce(m, k), k
}

// validScreen reports whether s is a screen that a caller may ask for.
func validScreen(s settings.Screen) bool {
	return slices.Contains([]settings.Screen{settings.ScreenAuto, settings.ScreenGreen, settings.ScreenBlue}, s)
}
