package app

import (
	"image/color"
	"slices"
	"testing"

	"greenroom/engine/hint"
	"greenroom/engine/settings"
	"greenroom/views"
)

// hinted opens a plate and waits for its hint.
func hinted(t *testing.T, w int, h int) (*tested, State) {
	t.Helper()
	work := newTested(t)
	work.Open(savePlate(t, "shot.png", w, h))
	return work, work.until(t, "the hint", func(s State) bool { return s.Hint != nil && !s.FindingHint })
}

// followed waits until the hint is what is chosen.
func (w *tested) followed(t *testing.T) State {
	t.Helper()
	return w.until(t, "the hint", func(s State) bool { return s.Hint != nil && !s.FindingHint && s.Hint.Choices.SameHint(s.Choices) })
}

// stroke paints one dab.
func (w *tested) stroke(x, y, value float64, turn int) {
	dab := settings.Stroke{Points: []settings.Point{{X: x, Y: y}}, Size: 20, Value: value}
	w.Choose(views.Step{Name: "Brush", Turn: turn}, func(c *settings.Choices) {
		c.Marks.Hint = append(slices.Clip(c.Marks.Hint), dab)
	})
}

func TestStrokesComeToTheHintAndGoWithUndo(t *testing.T) {
	w, before := hinted(t, 300, 200)
	w.stroke(20, 20, settings.PaintSubject, 1)
	one := w.followed(t)
	w.stroke(150, 100, settings.PaintTranslucent, 2)
	two := w.followed(t)
	if a, b := two.Hint.Source.Hint.Row(20)[20], two.Hint.Source.Hint.Row(100)[150]; a != 1 || b != 0.5 {
		t.Errorf("under the strokes are %v and %v", a, b)
	}
	if v := w.show(two); v.Hint.Strokes != 2 || v.Undo != "Brush" {
		t.Errorf("%d strokes are painted, undo %q", v.Hint.Strokes, v.Undo)
	}
	if before.Hint.edited != two.Hint.edited {
		t.Error("what is under the strokes was found again")
	}
	if one.Hint.print == two.Hint.print || one.Hint.print == before.Hint.print {
		t.Error("a stroke leaves the fingerprint")
	}
	w.Undo()
	back := w.followed(t)
	if back.Hint.print != one.Hint.print || back.Hint.Source.Hint.Row(100)[150] != before.Hint.Source.Hint.Row(100)[150] {
		t.Error("an undone stroke is still there")
	}
	w.Undo()
	if back = w.followed(t); back.Hint.print != before.Hint.print {
		t.Error("without strokes it is another hint than before them")
	}
}

// TestAPickThatIsNoScreenIsForgottenWithoutAHint: where there is no hint either, the plate stays as it was.
func TestAPickThatIsNoScreenIsForgottenWithoutAHint(t *testing.T) {
	w := newTested(t)
	w.Open(save(t, "grey.png", 300, 200, func(int, int) color.NRGBA { return color.NRGBA{R: 128, G: 128, B: 128, A: 255} }))
	w.until(t, "no hint", func(s State) bool { return s.Problem != nil && !s.FindingHint })
	w.Pick(views.TargetHint, settings.Point{X: 30.7, Y: 40})
	s := w.until(t, "the problem", func(s State) bool {
		return s.Problem != nil && s.Problem.What == "That is not the screen" && !s.FindingHint
	})
	if len(s.Choices.Marks.Samples) != 0 || last(s.History.past) == stepPick || s.Problem.Why != "the colour picked at 30, 40 is neither green nor blue" {
		t.Errorf("samples %v, problem %+v", s.Choices.Marks.Samples, s.Problem)
	}
}

func TestAnEditKeepsWhereTheHintComesFrom(t *testing.T) {
	w, before := hinted(t, 300, 200)
	for i, edit := range []settings.HintEdit{{Grow: 3}, {Grow: 3, Soften: 2}, {Invert: true}} {
		w.Choose(views.Step{Name: "Edit", Turn: i}, func(c *settings.Choices) { c.Edit = edit })
		s := w.followed(t)
		if s.Hint.edited.Base() != before.Hint.edited.Base() || s.Hint.print == before.Hint.print {
			t.Errorf("%+v: found again, or the same as before", edit)
		}
	}
	w.Choose(views.Step{Name: "Strength"}, func(c *settings.Choices) { c.Edit = settings.HintEdit{Strength: 0.5} })
	if s := w.followed(t); s.Hint.edited.Base() == before.Hint.edited.Base() {
		t.Error("another strength has the same source")
	}
}

func TestPickedColoursMakeTheHint(t *testing.T) {
	w, _ := hinted(t, 300, 200)
	w.UseHint(saveHint(t, "mask.png", 300, 200))
	w.followed(t)
	w.Pick(views.TargetHint, settings.Point{X: 10.5, Y: 10.5})
	w.Pick(views.TargetHint, settings.Point{X: 290, Y: 190})
	s := w.followed(t)
	samples := s.Choices.Marks.Samples
	if len(samples) != 2 || s.Hint.Source.From != "" || !slices.Equal(s.Hint.Source.Marks.Samples, samples) {
		t.Fatalf("samples %v, hint from %q", samples, s.Hint.Source.From)
	}
	// Green wanders around 168 of 255, and the mean of 25 pixels with it.
	if g := samples[0][1] * 255; g < 160 || g > 176 {
		t.Errorf("a sample is %v", samples[0])
	}
	shown := w.show(s).Hint.Samples
	if len(shown) != 2 || shown[0].R != 45 || shown[0].B != 60 {
		t.Errorf("shown as %v", shown)
	}
	w.Pick(views.TargetHint, settings.Point{X: -3, Y: 5})
	if n := len(w.State().Choices.Marks.Samples); n != 2 {
		t.Errorf("%d samples after one beside the plate", n)
	}
	// The subject is no screen: this is told, and nothing is chosen by it.
	w.Pick(views.TargetHint, settings.Point{X: 150, Y: 100})
	s = w.until(t, "the problem", func(s State) bool { return s.Problem != nil && !s.FindingHint })
	if len(s.Choices.Marks.Samples) != 2 || last(s.History.past) != stepPick || s.Problem.Fix == "" {
		t.Errorf("samples %v, problem %+v", s.Choices.Marks.Samples, s.Problem)
	}
	if want := (Problem{What: "That is not the screen", Why: "the colour picked at 150, 100 is not green", Fix: "pick a place where the screen is bare"}); *s.Problem != want {
		t.Errorf("problem %+v, want %+v", *s.Problem, want)
	}
	w.Dismiss()
	for range 2 {
		w.Undo()
	}
	if s = w.followed(t); len(s.Choices.Marks.Samples) != 0 || s.Hint.Source.From == "" {
		t.Errorf("undone: samples %v, hint from %q", s.Choices.Marks.Samples, s.Hint.Source.From)
	}
	w.Pick(views.TargetKept, settings.Point{X: 150, Y: 100})
	if kept := w.State().Choices.Marks.Kept; len(kept) != 1 || kept[0].Tolerance != settings.DefaultTolerance {
		t.Errorf("kept %v", kept)
	}
}

func TestFaultsOfAHintCanBeFixedByAClick(t *testing.T) {
	w, _ := hinted(t, 300, 200)
	grey := func(v uint8) color.NRGBA { return color.NRGBA{v, v, v, 255} }
	for _, c := range []struct {
		name string
		at   func(x, y int) color.NRGBA
		kind hint.Kind
		fix  views.Fix
	}{
		{"inverted.png", func(x, y int) color.NRGBA {
			if inside(x, y, 300, 200) {
				return grey(0)
			}
			return grey(255)
		}, hint.KindInverted, views.Fix{Button: "Invert", Edit: settings.HintEdit{Invert: true}}},
		{"alpha.png", func(x, y int) color.NRGBA {
			c := grey(uint8(x * 255 / 299))
			if c.A = 0; inside(x, y, 300, 200) {
				c.A = 255
			}
			return c
		}, hint.KindAlpha, views.Fix{Button: "Read the alpha", Edit: settings.HintEdit{Channel: hint.ChannelAlpha}}},
		{"empty.png", func(int, int) color.NRGBA { return grey(0) }, hint.KindEmpty, views.Fix{Button: "Make it from the screen", FromScreen: true}},
		{"full.png", func(int, int) color.NRGBA { return grey(255) }, hint.KindFull, views.Fix{Button: "Make it from the screen", FromScreen: true}},
		{"half.png", func(x, y int) color.NRGBA {
			if inside(x, y, 300, 200) && y < 100 {
				return grey(255)
			}
			return grey(0)
		}, hint.KindDetail, views.Fix{Button: "Make it from the screen", FromScreen: true}},
	} {
		w.UseHint(save(t, c.name, 300, 200, c.at))
		w.until(t, c.name, func(s State) bool {
			return s.Hint.Source.From == s.Choices.Hint && s.Hint.Source.From != "" && !s.FindingHint
		})
		s := w.followed(t)
		at := slices.IndexFunc(s.Hint.Faults, func(n hint.Notice) bool { return n.Kind == c.kind })
		if at < 0 {
			t.Errorf("%s: faults %v", c.name, s.Hint.Faults)
			continue
		}
		remark := w.show(s).Hint.Remarks[at]
		if remark.Fix != c.fix || !remark.Warning || remark.Text == "" {
			t.Errorf("%s: remark %+v", c.name, remark)
		}
		// As the window does it.
		if remark.Fix.FromScreen {
			w.MakeHint()
		} else {
			w.Choose(views.Step{Name: remark.Fix.Button}, func(ch *settings.Choices) { ch.Edit = remark.Fix.Edit })
		}
		if s = w.followed(t); len(s.Hint.Faults) > 0 {
			t.Errorf("%s: fixed, it has %v", c.name, s.Hint.Faults)
		}
	}
}

func TestANewFileStartsWithoutTheEditOfTheLast(t *testing.T) {
	w, _ := hinted(t, 300, 200)
	first := saveHint(t, "a.png", 300, 200)
	w.UseHint(first)
	w.followed(t)
	w.Choose(views.Step{Name: "Invert"}, func(c *settings.Choices) { c.Edit = settings.HintEdit{Invert: true, Grow: 2} })
	w.UseHint(first)
	if s := w.followed(t); !s.Choices.Edit.Invert {
		t.Error("read again, a hint is not inverted any more")
	}
	w.MakeHint()
	if s := w.followed(t); s.Choices.Edit != (settings.HintEdit{Grow: 2}) {
		t.Errorf("made from the screen, it is edited by %+v", s.Choices.Edit)
	}
	w.UseHint(saveHint(t, "b.png", 300, 200))
	if s := w.followed(t); s.Choices.Edit != (settings.HintEdit{}) {
		t.Errorf("another file is edited by %+v", s.Choices.Edit)
	}
}

// BenchmarkStroke is the time from a stroke's end to the hint that has it, ready to be drawn, on a plate of 4096 x 2160.
func BenchmarkStroke(b *testing.B) {
	plate, err := readPlate(savePlate(b, "shot.png", 4096, 2160), settings.Choices{Look: settings.DefaultLook()})
	if err != nil {
		b.Fatal(err)
	}
	choices := settings.Choices{Look: settings.DefaultLook(), Edit: settings.HintEdit{Grow: 3}}
	made, err := readHint(b.Context(), plate, choices, nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		dab := settings.Stroke{Points: []settings.Point{{X: 900, Y: 900}, {X: 1500, Y: 1000}, {X: 1700, Y: 1500}}, Size: 120, Softness: 0.3, Value: 1}
		choices.Marks.Hint = append(slices.Clip(choices.Marks.Hint), dab)
		if made, err = readHint(b.Context(), plate, choices, made); err != nil {
			b.Fatal(err)
		}
	}
}

func TestAKeyWaitsForTheHintOfTheLastStroke(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 300, 200))
	w.ready(t)
	w.stroke(20, 20, settings.PaintSubject, 1)
	// Most likely the hint has not followed yet; either way the key is of the hint with the stroke.
	w.Key()
	s := w.until(t, "the key", func(s State) bool { return s.Key != nil && s.Running == nil })
	if len(s.Key.Hint.Choices.Marks.Hint) != 1 || s.Stale() != "" {
		t.Errorf("keyed with %d strokes, stale %q", len(s.Key.Hint.Choices.Marks.Hint), s.Stale())
	}
	s.FindingHint, s.Hint = true, &Hint{Choices: s.Choices}
	s.Choices.Marks.Hint = nil
	if v := w.show(s); !v.Key.Ready || v.Hint.Finding {
		t.Errorf("while a stroke is painted: ready %v, finding %v", v.Key.Ready, v.Hint.Finding)
	}
	s.Choices.Hint = "other.png"
	if v := w.show(s); !v.Hint.Finding {
		t.Error("while another file is read nothing tells of it")
	}
}
