package app

import (
	"testing"

	"pgregory.net/rapid"

	"greenroom/engine/settings"
	"greenroom/views"
)

// setLook chooses a look, as a control of the window does.
func (w *Workspace) setLook(look settings.Look) {
	w.Choose(views.Step{}, func(c *settings.Choices) { c.Look = look })
}

// despilled is a moment that can be told from others.
func despilled(v float64) moment {
	look := settings.DefaultLook()
	look.Despill = v
	return moment{Choices: settings.Choices{Look: look}}
}

func TestADragIsOneStep(t *testing.T) {
	var h history
	for i := range 5 {
		h.record(views.Step{Name: "Despill", Turn: 1}, despilled(float64(i)/10))
	}
	h.record(views.Step{Name: "Despill", Turn: 2}, despilled(0.5))
	if len(h.past) != 2 {
		t.Fatalf("%d steps, want 2", len(h.past))
	}
	m, _ := h.undo(despilled(0.6))
	if m.Choices.Look.Despill != 0.5 {
		t.Errorf("the second drag is undone to %v", m.Choices.Look.Despill)
	}
	m, _ = h.undo(m)
	if m.Choices.Look.Despill != 0 {
		t.Errorf("the first drag is undone to %v", m.Choices.Look.Despill)
	}
	if _, ok := h.undo(m); ok {
		t.Error("there was no third step")
	}
}

func TestUndoAndRedoWalkTheSameMoments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h history
		steps := rapid.IntRange(0, 2*stepsKept).Draw(t, "steps")
		now := despilled(0)
		for i := range steps {
			h.record(views.Step{Name: "step", Turn: i}, now)
			now = despilled(float64(i+1) / 1000)
		}
		kept := min(steps, stepsKept)
		end := now
		for i := range kept {
			m, ok := h.undo(now)
			if want := float64(steps-1-i) / 1000; !ok || m.Choices.Look.Despill != want {
				t.Fatalf("undo %d: %v, %v, want %v", i, m.Choices.Look.Despill, ok, want)
			}
			now = m
		}
		if _, ok := h.undo(now); ok {
			t.Fatalf("more than %d steps were kept", stepsKept)
		}
		for range kept {
			now, _ = h.redo(now)
		}
		if _, ok := h.redo(now); ok || now.Choices.Look != end.Choices.Look {
			t.Fatalf("redo ends at %v, want %v", now.Choices.Look.Despill, end.Choices.Look.Despill)
		}
	})
}

func TestAStepEndsWhatCouldBeDoneAgain(t *testing.T) {
	var h history
	h.record(views.Step{Name: "one"}, despilled(0))
	m, _ := h.undo(despilled(0.1))
	h.record(views.Step{Name: "two"}, m)
	if last(h.future) != "" || last(h.past) != "two" {
		t.Errorf("past ends with %q, future with %q", last(h.past), last(h.future))
	}
}

func TestSinglesAreStepsOfTheirOwn(t *testing.T) {
	var h history
	h.single("Tile", despilled(0))
	h.single("Tile", despilled(0.1))
	if m, ok := h.undo(despilled(0.2)); !ok || m.Choices.Look.Despill != 0.1 || last(h.past) != "Tile" {
		t.Errorf("undone to %v, then %q", m.Choices.Look.Despill, last(h.past))
	}
}

func TestUndoBringsBackLookHintAndSettings(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 300, 200))
	s := w.ready(t)
	before := s.Choices
	look := before.Look
	look.Despill = 0.25
	w.setLook(look)
	w.SetSetting("tile", "192")
	w.until(t, "the tile", func(s State) bool { return s.Plan != nil && !s.Planning && s.Plan.Settings.Tile == 192 })
	w.UseHint(saveHint(t, "mask.png", 300, 200))
	s = w.until(t, "the file", func(s State) bool { return s.Hint.Source.From != "" && !s.FindingHint })
	if v := w.show(s); v.Undo != "Hint" || v.Redo != "" {
		t.Errorf("undo %q, redo %q", v.Undo, v.Redo)
	}
	w.Undo()
	w.until(t, "the hint before", func(s State) bool { return s.Hint.Source.From == "" && !s.FindingHint })
	w.Undo()
	w.until(t, "the settings before", func(s State) bool { return !s.Planning && s.Plan.Settings.Tile != 192 })
	w.Undo()
	if s = w.State(); !s.Choices.Equal(before) {
		t.Errorf("undone to %+v, want %+v", s.Choices, before)
	}
	for range 3 {
		w.Redo()
	}
	s = w.until(t, "all again", func(s State) bool {
		return s.Hint.Source.From != "" && !s.FindingHint && !s.Planning && s.Plan.Settings.Tile == 192
	})
	if s.Choices.Look != look {
		t.Errorf("the look is %+v", s.Choices.Look)
	}
}

func TestAHintThatCannotBeReadIsNoStep(t *testing.T) {
	w := newTested(t)
	w.Open(savePlate(t, "shot.png", 300, 200))
	before := w.until(t, "the hint", func(s State) bool { return s.Hint != nil && !s.FindingHint })
	w.UseHint(saveHint(t, "mask.png", 100, 100))
	s := w.until(t, "the problem", func(s State) bool { return s.Problem != nil && !s.FindingHint })
	if s.Hint != before.Hint || !s.Choices.Equal(before.Choices) || len(s.History.past) != 0 {
		t.Errorf("choices %+v, %d steps", s.Choices, len(s.History.past))
	}
}
