//go:build !headless

package views

import (
	"image"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/tiling"
)

// TestTheHeatMapLeavesTheStatusAlone: of two pictures in false colours there is one.
func TestTheHeatMapLeavesTheStatusAlone(t *testing.T) {
	r := withSeams(t, checkedState())
	c := r.window.Canvas()
	test.TypeOnCanvas(c, "T")
	test.TypeOnCanvas(c, "6")
	if r.view != ViewStatus || r.heatShown() || r.seamLayer().Heat != nil {
		t.Errorf("view %d, heat map %v", r.view, r.heatShown())
	}
	test.TypeOnCanvas(c, "T")
	if r.view != ViewPlate || !r.heatShown() {
		t.Errorf("then: view %d, heat map %v", r.view, r.heatShown())
	}
	r.WipeWith(Side{View: ViewStatus})
	if r.heatShown() {
		t.Error("the heat map lies over a status beside the plate")
	}
	test.TypeOnCanvas(c, "T")
	if !r.heatShown() || r.wiping() {
		t.Errorf("then: heat map %v, wipe %v", r.heatShown(), r.wiping())
	}
}

func TestHeatScaleChangesTheMap(t *testing.T) {
	r := withSeams(t, seamState())
	r.ToggleHeat()
	g := r.panel.seams
	if got := r.readout(300, 20); !strings.HasSuffix(got, "apart   2.0") {
		t.Errorf("the read-out says %q", got)
	}
	at := r.viewer.place().device(image.Rect(300, 20, 301, 21)).Min // 2 steps
	pixel := func() uint8 {
		r.viewer.draw(r.viewer.w, r.viewer.h)
		return r.viewer.painter.out.RGBAAt(at.X, at.Y).R
	}
	before := pixel()
	typeNumber(r, g.full.number, "3")
	brighter := pixel()
	typeNumber(r, g.threshold.number, "2.5")
	hidden := pixel()
	if brighter <= before+20 || hidden >= before {
		t.Errorf("a difference of 2 steps is %d, brightest from 3 on %d, from over 2.5 on %d", before, brighter, hidden)
	}
	typeNumber(r, g.threshold.number, "7")
	if s := r.viewer.seams.Scale; s.Threshold != 7 || s.Full <= 7 || g.full.slider.value != s.Full {
		t.Errorf("the threshold over the brightest: %+v", s)
	}
	test.Tap(g.full.reset)
	test.Tap(g.threshold.reset)
	if r.viewer.seams.Scale != tiling.DefaultHeatScale() {
		t.Errorf("reset to %+v", r.viewer.seams.Scale)
	}
	if r.window.Canvas().Focused() != nil {
		t.Error("a control keeps the keyboard")
	}
}

func TestHeatIsSeenAtEveryZoom(t *testing.T) {
	m := picture.New(2000, 1200, 1)
	m.Pix[700*2000+1301] = 20.0 / 255
	h := NewHeat(m)
	if got := h.At(1301, 700); got < 19.9 || got > 20.1 || h.At(1300, 700) != 0 || h.At(-1, 0) != 0 || h.At(2000, 5) != 0 {
		t.Errorf("steps there %v", got)
	}
	if NewHeat(picture.Image{}) != nil {
		t.Error("no picture makes a heat map")
	}
	plate := NewShown(picture.Picture{RGB: picture.New(2000, 1200, 3), Space: colour.SRGB})
	for _, zoom := range []float64{1.0 / 64, 0.1, 0.13, 0.37, 0.5, 0.77, 1, 3} {
		p := NewPainter()
		sight := Sight{Zoom: zoom, X: 1301, Y: 700}
		p.Draw(400, 300, Layers{Plate: plate}, sight, Look{})
		p.DrawSeams(SeamLayer{Heat: h, Scale: tiling.DefaultHeatScale()}, Layers{Plate: plate}, sight, Look{})
		bright, n := image.Point{}, 0
		for y := range 300 {
			for x := range 400 {
				if p.out.RGBAAt(x, y).R > 200 {
					bright, n = image.Pt(x, y), n+1
				}
			}
		}
		px, py := sight.place(2000, 1200, 400, 300).picture(float64(bright.X), float64(bright.Y))
		if n == 0 || n > 16 || px < 1301-2/zoom-1 || px > 1301+2/zoom+1 || py < 700-2/zoom-1 || py > 700+2/zoom+1 {
			t.Errorf("zoom %v: %d bright pixels, one at %v, %v", zoom, n, px, py)
		}
	}
}
