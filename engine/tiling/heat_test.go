package tiling

import (
	"testing"

	"greenroom/engine/picture"
)

func TestHeatIsLighterWhereMoreDiffers(t *testing.T) {
	s := HeatScale{Threshold: 1, Full: 9}
	if _, cover := s.Colour(1.0 / 255); cover != 0 {
		t.Errorf("a difference at the threshold covers %v", cover)
	}
	light := func(steps float32) float32 {
		c, cover := s.Colour(steps / 255)
		if cover <= 0 || cover > 1 {
			t.Errorf("%v steps cover %v", steps, cover)
		}
		return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2]
	}
	before := float32(0)
	for steps := float32(1.25); steps <= 9; steps += 0.25 {
		if now := light(steps); now <= before {
			t.Errorf("%v steps are as light as fewer", steps)
		} else {
			before = now
		}
	}
	if light(200) != light(9) {
		t.Error("more than all is not all")
	}
	if _, cover := (HeatScale{Threshold: 5, Full: 5}).Colour(1); cover != 0 {
		t.Error("an empty scale shows something")
	}
}

func TestHeatMapShowsPlateDifferencesAndBands(t *testing.T) {
	g := Plan(300, 90, 160, 32)
	plate, heat := picture.New(300, 90, 3), picture.New(300, 90, 1)
	for i := range plate.Pix {
		plate.Pix[i] = 1
	}
	hot := 40*300 + 200
	heat.Pix[hot] = 1
	m := HeatMap(g, plate, heat, DefaultHeatScale())
	if got := m.Pix[3*hot]; got != 1 {
		t.Errorf("the difference is %v", got)
	}
	if got := m.Pix[0]; got < 0.29 || got > 0.31 {
		t.Errorf("the plate is %v", got)
	}
	band := g.Borders()[0].Band
	if got := m.Row(10)[3*band.Min.X]; got != heatLine {
		t.Errorf("the band's edge is %v", got)
	}
}
