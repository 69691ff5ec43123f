package matte

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"greenroom/engine/bench/benchtest"
	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
	"greenroom/engine/settings"
	"pgregory.net/rapid"
)

// drawnNetwork is drawnPlate with coarse logits: those of the same matte and foreground, seen from afar.
func drawnNetwork(w, h int, space colour.Space) (picture.Picture, Network) {
	plate, raw := drawnPlate(w, h, space)
	matte, fg := picture.BoxReduce(raw.Matte, 4), picture.BoxReduce(raw.FG, 4)
	raw.Coarse = picture.New((w+31)/32*8, (h+31)/32*8, 4)
	logit := func(v float32) float32 {
		p := min(max(float64(v), 0.001), 0.999)
		return float32(math.Log(p / (1 - p)))
	}
	for y := range matte.H {
		for x, v := range matte.Row(y) {
			c := raw.Coarse.Row(y)[4*x : 4*x+4]
			c[0] = logit(v)
			for k := range 3 {
				c[1+k] = logit(fg.Row(y)[3*x+k])
			}
		}
	}
	return plate, raw
}

// drawLook draws a look, most controls at their default.
func drawLook(t *rapid.T) settings.Look {
	l := settings.DefaultLook()
	number := func(name string, v *float64, choices ...float64) {
		*v = rapid.SampledFrom(append(choices, *v, *v)).Draw(t, name)
	}
	number("refiner", &l.Refiner, 0, 0.5)
	number("black", &l.ClipBlack, 0, 0.1)
	number("gamma", &l.Gamma, 0.7)
	number("grow", &l.Grow, -0.5, 3)
	number("soften", &l.Soften, 1.5)
	number("extend", &l.EdgeExtend, 0, 12)
	number("despill", &l.Despill, 0, 0.5)
	number("return", &l.NeutralReturn, 0, 1)
	l.Despeckle = rapid.SampledFrom([]int{0, 400}).Draw(t, "despeckle")
	l.DespeckleBy = rapid.SampledFrom([]settings.Despeckling{settings.DespeckleIslands, settings.DespeckleReference}).Draw(t, "by")
	l.EdgeColour = rapid.SampledFrom([]settings.EdgeColour{settings.EdgeNetwork, settings.EdgePlate}).Draw(t, "edge")
	l.DespillLimit = rapid.SampledFrom(settings.DespillLimits()).Draw(t, "limit")
	l.SourceDetail = rapid.Bool().Draw(t, "source detail")
	return l
}

// drawMarks draws marks, none of a kind more often than not.
func drawMarks(t *rapid.T) settings.Marks {
	var m settings.Marks
	dab := func(x float64) []settings.Stroke {
		return []settings.Stroke{{Points: []settings.Point{{X: x, Y: 20}}, Size: 14, Softness: 0.3, Value: 1}}
	}
	box := func(x float64) []settings.Box { return []settings.Box{{X0: x, Y0: 3, X1: x + 9.5, Y1: 12}} }
	switch rapid.IntRange(0, 6).Draw(t, "marks") {
	case 0:
		m.Core = settings.Region{Boxes: box(4), Strokes: dab(70)}
	case 1:
		m.Garbage.Boxes = box(40)
	case 2:
		m.KeptStrokes = dab(50)
	case 3:
		m.Kept = []settings.KeptColour{{Colour: settings.Colour{0.4, 0.6, 0.5}, Tolerance: 0.1}}
	}
	return m
}

func TestAFinisherGivesWhatAFreshOneGives(t *testing.T) {
	mask := picture.New(96, 64, 1)
	picturetest.FillBox(mask, 30, 30, 20, 20, 0.8)
	rapid.Check(t, func(t *rapid.T) {
		space := rapid.SampledFrom([]colour.Space{colour.SRGB, colour.LinearRec709}).Draw(t, "space")
		plate, raw := drawnNetwork(96, 64, space)
		f, err := NewFinisher(plate, raw, settings.ScreenGreen)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rapid.IntRange(2, 5).Draw(t, "looks") {
			look, marks := drawLook(t), drawMarks(t)
			var masks Masks
			if rapid.IntRange(0, 3).Draw(t, "mask") == 0 {
				masks.Core = mask
			}
			if i > 0 && rapid.Bool().Draw(t, "interrupted") {
				ctx, cancel := context.WithCancel(context.Background())
				cancel()
				if _, err := f.Finish(ctx, look, marks, masks); err != nil && !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
			}
			got, err := f.Finish(context.Background(), look, marks, masks)
			if err != nil {
				t.Fatal(err)
			}
			fresh, err := NewFinisher(plate, raw, settings.ScreenGreen)
			if err != nil {
				t.Fatal(err)
			}
			want, err := fresh.Finish(context.Background(), look, marks, masks)
			if err != nil {
				t.Fatal(err)
			}
			if j := picturetest.FirstDifference(got.Matte.Pix, want.Matte.Pix); j >= 0 {
				t.Fatalf("look %d: matte %d is %v, a fresh one has %v", i, j, got.Matte.Pix[j], want.Matte.Pix[j])
			}
			if j := picturetest.FirstDifference(got.FG.Pix, want.FG.Pix); j >= 0 {
				t.Fatalf("look %d: foreground %d is %v, a fresh one has %v", i, j, got.FG.Pix[j], want.FG.Pix[j])
			}
		}
	})
}

// versions counts how often each step was made.
func versions(f *Finisher) map[string]int {
	return map[string]int{
		"refined": f.refined.version, "clipped": f.clipped.version, "gamma": f.gamma.version, "grown": f.grown.version,
		"softened": f.softened.version, "despeckled": f.despeckled.version, "core": f.core.version,
		"garbage": f.garbage.version, "held": f.held.version, "known": f.known.version, "network": f.network.version,
		"backing": f.backing.version, "unmixed": f.unmixed.version, "share": f.share.version, "edge": f.edge.version,
		"kept area": f.keptArea.version, "despilled": f.despilled.version,
	}
}

func TestAChangeMakesOnlyTheStepsAfterIt(t *testing.T) {
	stroke := []settings.Stroke{{Points: []settings.Point{{X: 20, Y: 20}}, Size: 9, Value: 1}}
	for name, tt := range map[string]struct {
		look  func(*settings.Look)
		marks settings.Marks
		made  string // the steps that run again
	}{
		"nothing":        {},
		"background":     {look: func(l *settings.Look) { l.Background = settings.BackgroundBlack }},
		"despill":        {look: func(l *settings.Look) { l.Despill = 0.5 }, made: "despilled"},
		"neutral return": {look: func(l *settings.Look) { l.NeutralReturn = 1 }, made: "despilled"},
		"screen limit":   {look: func(l *settings.Look) { l.DespillLimit = settings.DespillScreen }, made: "backing despilled"},
		"edge extend":    {look: func(l *settings.Look) { l.EdgeExtend = 8 }, made: "edge despilled"},
		"source detail":  {look: func(l *settings.Look) { l.SourceDetail = false }, made: "share edge despilled"},
		"despeckle":      {look: func(l *settings.Look) { l.Despeckle = 0 }, made: "despeckled held share edge despilled"},
		"soften":         {look: func(l *settings.Look) { l.Soften = 2 }, made: "softened despeckled held share edge despilled"},
		"grow":           {look: func(l *settings.Look) { l.Grow = 2 }, made: "grown softened despeckled held share edge despilled"},
		"core":           {marks: settings.Marks{Core: settings.Region{Strokes: stroke}}, made: "core held known share edge despilled"},
		"garbage":        {marks: settings.Marks{Garbage: settings.Region{Strokes: stroke}}, made: "garbage held share edge despilled"},
		"kept strokes":   {marks: settings.Marks{KeptStrokes: stroke}, made: "kept area despilled"},
		"kept colour":    {marks: settings.Marks{Kept: []settings.KeptColour{{Tolerance: 0.1}}}, made: "despilled"},
	} {
		plate, raw := drawnNetwork(96, 64, colour.SRGB)
		f, err := NewFinisher(plate, raw, settings.ScreenGreen)
		if err != nil {
			t.Fatal(err)
		}
		look := settings.DefaultLook()
		if _, err := f.Finish(t.Context(), look, settings.Marks{}, Masks{}); err != nil {
			t.Fatal(err)
		}
		before := versions(f)
		if tt.look != nil {
			tt.look(&look)
		}
		if _, err := f.Finish(t.Context(), look, tt.marks, Masks{}); err != nil {
			t.Fatal(err)
		}
		want := strings.ReplaceAll(tt.made, "kept area", "kept-area")
		for step, v := range versions(f) {
			again := v != before[step]
			if expected := strings.Contains(" "+want+" ", " "+strings.ReplaceAll(step, " ", "-")+" "); again != expected {
				t.Errorf("%s: %s ran again: %v, want %v", name, step, again, expected)
			}
		}
	}
}

func TestAKeyIsNotChangedByTheNextOne(t *testing.T) {
	plate, raw := drawnNetwork(96, 64, colour.SRGB)
	f, err := NewFinisher(plate, raw, settings.ScreenGreen)
	if err != nil {
		t.Fatal(err)
	}
	first, err := f.Finish(t.Context(), settings.DefaultLook(), settings.Marks{}, Masks{})
	if err != nil {
		t.Fatal(err)
	}
	matte, fg := first.Matte.Clone(), first.FG.Clone()
	look := settings.DefaultLook()
	look.Grow, look.Soften, look.Despill, look.Gamma, look.Refiner = 4, 3, 0.2, 2, 0.3
	if _, err := f.Finish(t.Context(), look, settings.Marks{Core: settings.Region{Boxes: []settings.Box{{X1: 20, Y1: 20}}}}, Masks{}); err != nil {
		t.Fatal(err)
	}
	if picturetest.FirstDifference(first.Matte.Pix, matte.Pix) >= 0 || picturetest.FirstDifference(first.FG.Pix, fg.Pix) >= 0 {
		t.Error("the first key changed")
	}
}

func TestCoreAndGarbageWinThroughTheWholeChain(t *testing.T) {
	plate, raw := drawnNetwork(320, 180, colour.SRGB)
	f, err := NewFinisher(plate, raw, settings.ScreenGreen)
	if err != nil {
		t.Fatal(err)
	}
	look := settings.DefaultLook()
	look.Grow, look.Soften, look.Gamma = -3, 5, 0.5
	marks := settings.Marks{
		Core:    settings.Region{Boxes: []settings.Box{{X0: 10, Y0: 10, X1: 60, Y1: 60}}},
		Garbage: settings.Region{Boxes: []settings.Box{{X0: 40, Y0: 40, X1: 200, Y1: 120}}},
	}
	key, err := f.Finish(t.Context(), look, marks, Masks{})
	if err != nil {
		t.Fatal(err)
	}
	for y := range 180 {
		for x, v := range key.Matte.Row(y) {
			core, garbage := x >= 10 && x < 60 && y >= 10 && y < 60, x >= 40 && x < 200 && y >= 40 && y < 120
			feathered := x >= 38 && x < 202 && y >= 38 && y < 122
			if garbage && v != 0 || core && !feathered && v != 1 {
				t.Fatalf("at %d,%d is %v; core %v, garbage %v", x, y, v, core, garbage)
			}
		}
	}
	// In a painted core the foreground is the plate: there is nothing of the network's to prefer.
	look.Despill = 0
	if key, err = f.Finish(t.Context(), look, marks, Masks{}); err != nil {
		t.Fatal(err)
	}
	if i := picturetest.FirstDifference(key.FG.Row(25)[3*25:3*26], plate.RGB.Row(25)[3*25:3*26]); i >= 0 {
		t.Error("the painted core is not the plate's")
	}
}

func TestAGrownMatteTakesNoScreenFromThePlate(t *testing.T) {
	// The plate is green outside the subject and red inside; grown by 15 px the matte is solid over green.
	const w, h = 640, 480
	fg, own := twoColours(w, h, 2)
	plate := picture.Picture{RGB: fg.Clone(), Space: colour.SRGB}
	look := settings.DefaultLook()
	look.Grow, look.Despill = 15, 0
	key, err := Finish(t.Context(), plate, Network{Matte: own, FG: fg}, look, settings.ScreenGreen)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range key.Matte.Pix {
		if c := key.FG.Pix[3*i : 3*i+3]; a > 0 && screenShows(c) > 0 {
			t.Fatalf("at %d,%d the matte is %v and the foreground %v", i%w, i/w, a, c)
		}
	}
}

func TestAFinisherRefusesWhatCannotWork(t *testing.T) {
	plate, raw := drawnNetwork(64, 48, colour.SRGB)
	f, err := NewFinisher(plate, raw, settings.ScreenGreen)
	if err != nil {
		t.Fatal(err)
	}
	look := settings.DefaultLook()
	for name, do := range map[string]func() error{
		"gamma": func() error {
			bad := look
			bad.Gamma = 9
			_, err := f.Finish(t.Context(), bad, settings.Marks{}, Masks{})
			return err
		},
		"stroke": func() error {
			_, err := f.Finish(t.Context(), look, settings.Marks{KeptStrokes: make([]settings.Stroke, 1)}, Masks{})
			return err
		},
		"mask": func() error {
			_, err := f.Finish(t.Context(), look, settings.Marks{}, Masks{Garbage: picture.New(9, 9, 1)})
			return err
		},
		"coarse": func() error {
			low := look
			low.Refiner = 0.5
			bare, err := NewFinisher(plate, Network{Matte: raw.Matte, FG: raw.FG}, settings.ScreenGreen)
			if err != nil {
				return nil
			}
			_, err = bare.Finish(t.Context(), low, settings.Marks{}, Masks{})
			return err
		},
	} {
		if err := do(); err == nil || !strings.HasPrefix(err.Error(), "finishing the key: ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	// A refused call changes nothing.
	if _, err := f.Finish(t.Context(), look, settings.Marks{}, Masks{}); err != nil {
		t.Error(err)
	}
}

func TestAFinisherStopsInTheMiddle(t *testing.T) {
	plate, raw := drawnNetwork(1920, 1080, colour.LinearRec709)
	look := settings.DefaultLook()
	look.Grow, look.Soften, look.Refiner, look.EdgeColour = 20, 30, 0.5, settings.EdgePlate
	for _, after := range []time.Duration{5 * time.Millisecond, 60 * time.Millisecond, 200 * time.Millisecond} {
		f, err := NewFinisher(plate, raw, settings.ScreenGreen)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), after)
		start := time.Now()
		_, err = f.Finish(ctx, look, settings.Marks{}, Masks{})
		late := time.Since(start) - after
		cancel()
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		// Some milliseconds on a machine of its own; others work on this one too.
		if err != nil && late > 500*time.Millisecond {
			t.Errorf("cancelled after %v it went on for %v", after, late)
		}
	}
}

func TestVersionsNamesEveryStep(t *testing.T) {
	steps := 0
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Finisher]()) {
		if strings.HasPrefix(field.Type.Name(), "memo[") {
			steps++
		}
	}
	if n := len(versions(&Finisher{})); n != steps {
		t.Errorf("%d steps are counted of %d", n, steps)
	}
}

func BenchmarkFinisher(b *testing.B) {
	everything := settings.DefaultLook()
	everything.Refiner, everything.Gamma, everything.Grow, everything.Soften = 0.7, 1.2, -0.5, 1
	everything.EdgeColour, everything.DespillLimit = settings.EdgePlate, settings.DespillScreen
	for _, size := range [][2]int{{1920, 1080}, {4096, 2160}} {
		for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
			plate, raw := drawnNetwork(size[0], size[1], space)
			if space == colour.SRGB {
				// Encoded plates come from integer files: they hold nothing over 1.
				for i, v := range plate.RGB.Pix {
					plate.RGB.Pix[i] = min(v, 1)
				}
			}
			whole := func(look settings.Look) func(*testing.B) {
				return func(b *testing.B) {
					benchtest.Measure(b, func() {
						if _, err := Finish(b.Context(), plate, raw, look, settings.ScreenGreen); err != nil {
							b.Fatal(err)
						}
					})
				}
			}
			name := fmt.Sprintf("%dx%d %s", size[0], size[1], space)
			b.Run(name+" default", whole(settings.DefaultLook()))
			b.Run(name+" everything", whole(everything))
			b.Run(name+" despill alone", func(b *testing.B) {
				f, err := NewFinisher(plate, raw, settings.ScreenGreen)
				if err != nil {
					b.Fatal(err)
				}
				look := settings.DefaultLook()
				benchtest.Measure(b, func() {
					look.Despill = 1.5 - look.Despill // 1, 0.5, 1, ...
					if _, err := f.Finish(b.Context(), look, settings.Marks{}, Masks{}); err != nil {
						b.Fatal(err)
					}
				})
			})
		}
	}
}
