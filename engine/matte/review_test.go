package matte

import (
	"context"
	"errors"
	"image"
	"math"
	"strings"
	"testing"

	"greenroom/engine/bench/benchtest"
	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
)

func TestCheckFindsWhatWasPutIntoAMatte(t *testing.T) {
	m := picture.New(400, 300, 1)
	picturetest.FillBox(m, 100, 100, 150, 200, 1) // a subject that the lower edge cuts
	picturetest.FillBox(m, 120, 120, 4, 3, 0.9)   // a hole
	m.Row(121)[122] = 0.7                         // its worst pixel
	picturetest.FillBox(m, 160, 150, 10, 10, 0)   // a pinhole that shows the screen
	picturetest.FillBox(m, 200, 180, 30, 30, 0)   // a gap between arm and body
	picturetest.FillBox(m, 250, 140, 30, 30, 0.5) // a veil beside the subject: neither
	picturetest.FillBox(m, 330, 40, 5, 5, 0.2)    // residue
	m.Row(42)[333] = 0.3                          // its worst pixel
	picturetest.FillBox(m, 335, 45, 1, 1, 0.1)    // touches it by a corner
	picturetest.FillBox(m, 292, 150, 3, 3, 0.2)   // 42 px from the core: residue; the veil is no core
	picturetest.FillBox(m, 285, 250, 3, 3, 0.2)   // 35 px from the core: none
	picturetest.FillBox(m, 0, 0, 3, 400/10, 0.75) // beyond the core, at the frame's edge: residue and cut
	r, err := Check(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	want := []Finding{
		{Kind: CoreHole, X: 160, Y: 150, Box: image.Rect(160, 150, 170, 160), Pixels: 100, Worst: 0, Amount: 100},
		{Kind: ScreenResidue, X: 0, Y: 0, Box: image.Rect(0, 0, 3, 40), Pixels: 120, Worst: 0.75, Amount: 90},
		{Kind: ScreenResidue, X: 333, Y: 42, Box: image.Rect(330, 40, 336, 46), Pixels: 26, Worst: 0.3, Amount: 5.2},
		{Kind: ScreenResidue, X: 292, Y: 150, Box: image.Rect(292, 150, 295, 153), Pixels: 9, Worst: 0.2, Amount: 1.8},
		{Kind: CoreHole, X: 122, Y: 121, Box: image.Rect(120, 120, 124, 123), Pixels: 12, Worst: 0.7, Amount: 1.4},
		{Kind: CutByFrame, X: 100, Y: 299, Box: image.Rect(100, 299, 250, 300), Pixels: 150, Worst: 1, Amount: 150},
		{Kind: CutByFrame, X: 0, Y: 0, Box: image.Rect(0, 0, 1, 40), Pixels: 40, Worst: 0.75, Amount: 30},
		{Kind: CutByFrame, X: 0, Y: 0, Box: image.Rect(0, 0, 3, 1), Pixels: 3, Worst: 0.75, Amount: 2.25},
	}
	for i, f := range r.Findings {
		if i >= len(want) {
			t.Errorf("more than was put in: %v", f)
			continue
		}
		w := want[i]
		if f.Kind != w.Kind || f.X != w.X || f.Y != w.Y || f.Box != w.Box || f.Pixels != w.Pixels || f.Worst != w.Worst ||
			math.Abs(f.Amount-w.Amount) > 0.01 {
			t.Errorf("finding %d is %+v, want %+v", i, f, w)
		}
	}
	if len(r.Findings) < len(want) || r.More != 0 {
		t.Errorf("%d findings and %d more, want %d", len(r.Findings), r.More, len(want))
	}
	translucent := float64(12+900+26+9+9+120) / (400 * 300)
	if math.Abs(r.Translucent-translucent) > 1e-9 || math.Abs(r.Translucent+r.Solid+r.Clear-1) > 1e-9 {
		t.Errorf("translucent %v, solid %v, clear %v; want %v translucent", r.Translucent, r.Solid, r.Clear, translucent)
	}
}

func TestCheckOfACleanMatteFindsNothing(t *testing.T) {
	m := picture.New(200, 150, 1)
	picturetest.FillBox(m, 50, 50, 80, 60, 1)
	r, err := Check(t.Context(), m)
	if err != nil || len(r.Findings) != 0 || r.Translucent != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := Check(t.Context(), picture.Image{C: 1}); err != nil || len(r.Findings) != 0 {
		t.Errorf("an empty matte: %+v, %v", r, err)
	}
}

func TestCheckListsTheWorstOnly(t *testing.T) {
	m := picture.New(300, 300, 1)
	picturetest.FillBox(m, 0, 0, 300, 300, 1)
	for i := range 400 {
		m.Row(3 + i/20*14)[3+i%20*14] = 0.99 - float32(i)/1000
	}
	r, err := Check(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != mostFindings || r.More != 400+4-mostFindings {
		t.Fatalf("%d findings and %d more", len(r.Findings), r.More)
	}
	for i, f := range r.Findings {
		if i > 0 && f.Amount > r.Findings[i-1].Amount {
			t.Fatalf("finding %d is worse than the one before", i)
		}
		if !strings.HasPrefix(f.String(), string(CoreHole)+" at ") {
			t.Fatalf("it says %q", f)
		}
	}
}

func TestCheckStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Check(ctx, picturetest.Matte(60, 40)); !errors.Is(err, context.Canceled) {
		t.Fatalf("error is %v", err)
	}
}

func BenchmarkCheck(b *testing.B) {
	m := picturetest.Matte(1920, 1080)
	benchtest.Measure(b, func() {
		if _, err := Check(b.Context(), m); err != nil {
			b.Fatal(err)
		}
	})
}

// TestFindingsSayHowMuchIsWrong and give no zero a sign.
func TestFindingsSayHowMuchIsWrong(t *testing.T) {
	m := picture.New(40, 40, 1)
	picturetest.FillBox(m, 5, 5, 30, 30, 1)
	picturetest.FillBox(m, 10, 10, 2, 2, -0.0002)
	r, err := Check(t.Context(), m)
	if err != nil || len(r.Findings) != 1 {
		t.Fatalf("%v, %v", r.Findings, err)
	}
	if got, want := r.Findings[0].String(), "core hole at 10,10: 4 pixels under 1, down to 0.000, missing 4.0 px"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for amount, want := range map[float64]string{0.01: "<0.1", 12.34: "12.3", 1234.5: "1234"} {
		if got := (Finding{Amount: amount}).AmountWords(); got != want {
			t.Errorf("%v is %q, want %q", amount, got, want)
		}
	}
}
