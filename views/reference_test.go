package views

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
)

// reference draws as Draw does, the plainest way: in floats, pixel by pixel. Drawing may differ from it by rounding.
type reference struct {
	plate, hint, matte, fg []picture.Image
	space                  colour.Space
}

// copies are an image and its halvings, their pixels counted by a weight where there is one.
func copies(m picture.Image, weight []picture.Image) []picture.Image {
	list := []picture.Image{m}
	for i := 0; max(list[i].W, list[i].H) > smallest; i++ {
		if weight == nil {
			list = append(list, halved(list[i], nil))
		} else {
			list = append(list, halved(list[i], &weight[i]))
		}
	}
	return list
}

// halved is an image of half the size, its pixels counted by a weight where there is one.
func halved(m picture.Image, weight *picture.Image) picture.Image {
	return drawn((m.W+1)/2, (m.H+1)/2, m.C, func(x, y, c int) float32 {
		var sum, all, plain float32
		for _, d := range []image.Point{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
			at := min(2*y+d.Y, m.H-1)*m.W + min(2*x+d.X, m.W-1)
			v, w := m.Pix[at*m.C+c], float32(1)
			if weight != nil {
				w = weight.Pix[at]
			}
			sum, all, plain = sum+v*w, all+w, plain+v/4
		}
		if all > 0 {
			return sum / all
		}
		return plain
	})
}

// sampled returns what an image, given with its halvings, shows at a device pixel.
func sampled(list []picture.Image, p placed, x, y int) []float64 {
	step := p.zoom
	for ; 2*step <= enlarge && len(list) > 1; step *= 2 {
		list = list[1:]
	}
	m := list[0]
	px, py := (float64(x)+0.5-p.left)/step, (float64(y)+0.5-p.top)/step
	if p.zoom > 2 {
		px, py = math.Floor(px), math.Floor(py)
	} else {
		px, py = px-0.5, py-0.5
	}
	px, py = max(0, min(px, float64(m.W-1))), max(0, min(py, float64(m.H-1)))
	x0, y0 := int(px), int(py)
	u, v := px-float64(x0), py-float64(y0)
	out := make([]float64, m.C)
	for c := range out {
		get := func(dx, dy int) float64 {
			return float64(m.Pix[(min(y0+dy, m.H-1)*m.W+min(x0+dx, m.W-1))*m.C+c])
		}
		out[c] = (get(0, 0)*(1-u)+get(1, 0)*u)*(1-v) + (get(0, 1)*(1-u)+get(1, 1)*u)*v
	}
	return out
}

// pixel returns the red, green and blue of a device pixel, 0..255.
func (r reference) pixel(p placed, look Look, x, y int) (rgb [3]float64) {
	show := func(v []float64) {
		for c := range rgb {
			e := v[min(c, len(v)-1)]
			if len(v) == 3 && r.space == colour.LinearRec709 {
				e = float64(colour.LinearToSRGB(float32(e)))
			}
			rgb[c] = 255 * max(0, min(e, 1))
		}
	}
	switch look.View {
	case ViewPlate:
		show(sampled(r.plate, p, x, y))
		if look.Overlay {
			o, from := look.Tint.opacity(), x+y
			part := 1 - sampled(r.hint, p, x, y)[0]
			if look.Tint.Style == TintInside {
				part, from = 1-part, x-y+1000*stripeStep
			}
			if from%stripeStep < stripeWidth {
				o = min(o+stripe, 1)
			}
			c := look.Tint.Colour.rgb()
			for i, v := range [3]uint8{c.R, c.G, c.B} {
				rgb[i] += (float64(v) - rgb[i]) * o * part
			}
		}
	case ViewHint:
		show(sampled(r.hint, p, x, y))
	case ViewMatte:
		show(sampled(r.matte, p, x, y))
	case ViewFG:
		show(sampled(r.fg, p, x, y))
	case ViewComp:
		grey := float32(checkerDark) / 255
		if (x/checkerSquare+y/checkerSquare)%2 == 1 {
			grey = float32(checkerLight) / 255
		}
		a := max(0, min(sampled(r.matte, p, x, y)[0], 1))
		for c, v := range sampled(r.fg, p, x, y) {
			light := float32(max(0, min(v, 1)))
			if r.space == colour.SRGB {
				light = colour.SRGBToLinear(light)
			}
			light = light*float32(a) + colour.SRGBToLinear(grey)*float32(1-a)
			rgb[c] = 255 * float64(colour.LinearToSRGB(light))
		}
	}
	return rgb
}

func TestDrawAgreesWithThePlainestDrawing(t *testing.T) {
	const w, h = 520, 301
	r := rand.New(rand.NewPCG(3, 4))
	soft := func(x, y, _ int) float32 { return min(max(float32(x-150+y/4)/180, 0), 1) }
	for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
		// Linear light goes beyond 1.
		most := map[colour.Space]float64{colour.SRGB: 1, colour.LinearRec709: 1.4}[space]
		noisy := func(x, y, c int) float32 {
			v := 0.5 + 0.4*math.Sin(float64(x*(c+1))/23)*math.Cos(float64(y)/31) + 0.2*(r.Float64()-0.5)
			return float32(v * most)
		}
		plate, fg := drawn(w, h, 3, noisy), drawn(w, h, 3, noisy)
		hint, matte := drawn(w, h, 1, soft), drawn(w, h, 1, soft)
		want := reference{plate: copies(plate, nil), hint: copies(hint, nil), matte: copies(matte, nil), space: space}
		want.fg = copies(fg, want.matte)
		layers := Layers{
			Plate: NewShown(picture.Picture{RGB: plate, Space: space}), Hint: NewShownHint(hint),
			Key: NewKey(matte, fg, space),
		}
		painter := NewPainter()
		for _, look := range []Look{{}, {Overlay: true}, {Overlay: true, Tint: OverlayLook{TintInside, OverlayCyan, 0.7}}, {View: ViewHint}, {View: ViewMatte}, {View: ViewFG}, {View: ViewComp}} {
			for _, zoom := range []float64{0, 0.27, 0.5, 0.51, 0.8, 1, 1.3, 2, 2.6, 9} {
				name := fmt.Sprintf("%s, view %d, overlay %v, zoom %v", space, look.View, look.Overlay, zoom)
				sight := Sight{Zoom: zoom, X: 251, Y: 140}
				const vw, vh = 90, 70
				m := painter.Draw(vw, vh, layers, sight, look)
				p := sight.place(w, h, vw, vh)
				same, all := 0, 0
				for y := p.seen.Min.Y; y < p.seen.Max.Y; y += 3 {
					for x := p.seen.Min.X; x < p.seen.Max.X; x++ {
						v := want.pixel(p, look, x, y)
						for c, got := range []uint8{m.RGBAAt(x, y).R, m.RGBAAt(x, y).G, m.RGBAAt(x, y).B} {
							d := math.Abs(float64(got) - v[c])
							// The tint is reckoned in whole steps of 8 bits, one after another.
							if d > 1 && !(look.Overlay && d <= 2.5) {
								t.Fatalf("%s: %d, %d is %v, want %v", name, x, y, m.RGBAAt(x, y), v)
							}
							if all++; d <= 0.52 {
								same++
							}
						}
					}
				}
				if !look.Overlay && same*100 < all*97 {
					t.Errorf("%s: only %d of %d numbers are rounded rightly", name, same, all)
				}
			}
		}
	}
}
