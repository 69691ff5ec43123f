package app

import (
	"fmt"
	"math"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/matte"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/views"
)

// TestViewerCompsAsTheEngineDoes holds the viewer's comp, over every background, against the comp that is exported: they
// differ by a step at most. The picture behind is smooth: the viewer's filter is a simpler one. The checker's squares are
// of another size, so that only its greys are held.
func TestViewerCompsAsTheEngineDoes(t *testing.T) {
	const w, h = 160, 90
	behind := ramps(120, 100, colour.SRGB, 1)
	behind.Alpha = picture.New(120, 100, 1)
	for i := range behind.Alpha.Pix {
		behind.Alpha.Pix[i] = min(0.3+float32(i%120)/80, 1)
	}
	m := picture.New(w, h, 1)
	for i := range m.Pix {
		m.Pix[i] = min(max(float32(i%w-20)/100, 0), 1)
	}
	usual := settings.DefaultLook().Comp
	usual.Colour = settings.Colour{0.2, 0.5, 0.9}
	placed := func(change func(*settings.Comp)) settings.Comp {
		c := usual
		change(&c)
		return c
	}
	comps := map[string]settings.Comp{
		"fill": usual,
		"fit":  placed(func(c *settings.Comp) { c.Placement = settings.PlaceFit }),
		"moved, smaller, brighter": placed(func(c *settings.Comp) {
			c.Placement, c.Scale, c.OffsetX, c.OffsetY, c.Exposure = settings.PlaceActual, 0.7, 13.4, -7.2, 0.8
		}),
		"much larger": placed(func(c *settings.Comp) { c.Scale, c.OffsetX, c.OffsetY = 6, 200, -90 }),
	}
	for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
		fg := ramps(w, h, space, 0.9)
		layers := views.Layers{
			Plate: views.NewShown(fg), Key: views.NewKey(m, fg.RGB, space), Backdrop: views.NewShownBackdrop(behind),
		}
		for _, blend := range []settings.Blend{settings.BlendLinear, settings.BlendDisplay} {
			for _, background := range settings.Backgrounds() {
				for name, comp := range comps {
					comp.Blend = blend
					what := fmt.Sprintf("%s, %s, %s, %s", space, blend, background, name)
					back, err := matte.Backdrop(t.Context(), background, comp, behind, w, h)
					if err != nil {
						t.Fatal(err)
					}
					if background == settings.BackgroundChecker {
						if back, err = plainSquares(back); err != nil {
							t.Fatal(err)
						}
					}
					want, err := matte.Comp(t.Context(), fg.RGB, space, m, back, blend)
					if err != nil {
						t.Fatal(err)
					}
					at := drawn(layers, views.Look{View: views.ViewComp, Background: background, Comp: comp, Unit: 1e6})
					if worst, where := apart(want, at); worst > 1.001 {
						t.Errorf("%s: %.2f steps apart at %v", what, worst, where)
					}
				}
			}
		}
	}
}

// plainSquares makes a checker one square, as large as the viewer's is with a great unit.
func plainSquares(m picture.Image) (picture.Image, error) {
	out := picture.New(m.W, m.H, 3)
	for i := range out.Pix {
		out.Pix[i] = m.Pix[0]
	}
	if m.Pix[0] == m.Row(0)[3*16] {
		return out, fmt.Errorf("the checker has one grey")
	}
	return out, nil
}

// apart returns how far a drawn picture is from sRGB-encoded values at most, in steps of 8 bits, and where.
func apart(want picture.Image, at func(x, y int) [3]uint8) (worst float64, where [2]int) {
	for y := range want.H {
		for x := range want.W {
			for c, got := range at(x, y) {
				// Half a step is what rounding takes.
				d := math.Abs(float64(got)-255*float64(min(max(want.Row(y)[3*x+c], 0), 1))) - 0.5
				if d > worst {
					worst, where = d, [2]int{x, y}
				}
			}
		}
	}
	return worst, where
}
