//go:build !headless

package views

import (
	"image"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
)

func TestFindingsAreListedAndJumpedTo(t *testing.T) {
	r, s := ready(t)
	g := r.panel.review
	if g.about.text != "7.2 % translucent, 11.5 % solid, 81.2 % clear." || len(g.places.rows) != 3 {
		t.Errorf("%q, %d rows", g.about.text, len(g.places.rows))
	}
	r.View(ViewPlate)
	tap(g.places.rows[0].button)
	if at := r.viewer.sight; at.X != 320.5 || at.Y != 170.5 || at.Zoom != 4 || r.view != ViewMatte {
		t.Errorf("a small hole is shown at %+v in view %d", at, r.view)
	}
	if l := r.seamLayer(); !l.Marked || l.Mark != image.Pt(320, 170) || !strings.Contains(r.bottom.readout.Text, "Finding 1 of 3") {
		t.Errorf("marked %v at %v, told %q", l.Marked, l.Mark, r.bottom.readout.Text)
	}
	r.View(ViewStatus)
	tap(g.next)
	if at := r.viewer.sight; at.X != 60.5 || at.Zoom != 1 || r.view != ViewStatus || !g.places.rows[1].button.on {
		t.Errorf("the next is shown at %+v in view %d", at, r.view)
	}
	tap(g.blacks)
	if r.looking.gain != GainBlacks || r.view != ViewMatte {
		t.Errorf("blacks x16: gain %d in view %d", r.looking.gain, r.view)
	}
	r.View(ViewComp)
	tap(g.blacks)
	if r.looking.gain != GainBlacks || r.view != ViewMatte {
		t.Errorf("blacks x16 from the comp: gain %d in view %d", r.looking.gain, r.view)
	}
	tap(g.whites)
	if r.looking.gain != GainWhites {
		t.Errorf("whites x16: gain %d", r.looking.gain)
	}
	tap(g.whites)
	if r.looking.gain != GainNone {
		t.Errorf("whites x16 again: gain %d", r.looking.gain)
	}
	tap(g.status)
	if r.view != ViewStatus || !g.status.on {
		t.Errorf("status shows view %d", r.view)
	}
	s.Matte.Review = ReviewState{WhyNot: "Key the plate first."}
	if r.Show(s); len(g.places.rows) != 0 || r.finding != noFinding || !g.next.disabled || g.about.text != "Key the plate first." {
		t.Errorf("without a review: %d rows, %q", len(g.places.rows), g.about.text)
	}
}

// TestNGoesToWhatWasTurnedOnLast: the grid and the heat map hand N to the seams, a finding hands it back.
func TestNGoesToWhatWasTurnedOnLast(t *testing.T) {
	for _, key := range []string{"t", "T"} {
		r, s := ready(t)
		c := r.window.Canvas()
		checked := checkedState()
		s.Seams = checked.Seams
		r.Show(s)
		test.TypeOnCanvas(c, "n") // to a finding
		test.TypeOnCanvas(c, key)
		test.TypeOnCanvas(c, "n")
		if r.finding != noFinding || r.seams.chosen != 0 {
			t.Errorf("after %s: finding %d, seam %d", key, r.finding, r.seams.chosen)
		}
		tap(r.panel.review.next)
		test.TypeOnCanvas(c, "n")
		if r.finding != 1 || r.seams.chosen != -1 {
			t.Errorf("after %s and Next: finding %d, seam %d", key, r.finding, r.seams.chosen)
		}
	}
}

// TestFindingsShowWhatTheyAreRankedBy, and no matte has a minus before a zero.
func TestFindingsShowWhatTheyAreRankedBy(t *testing.T) {
	r, s := ready(t)
	row := r.panel.review.places.rows[0]
	if got := row.cells[1].Text; got != s.Matte.Review.Findings[0].Amount || got == "" {
		t.Errorf("the first finding is wrong by %q", got)
	}
	words, _ := MatteFinding{Kind: "Core hole", Worst: -0.0003}.row()
	if words[2] != "0.000" {
		t.Errorf("a matte of a little under 0 is %q", words[2])
	}
}

// TestNGoesThroughSeamsWhileTheyAreLookedAt and through findings else.
func TestNGoesThroughSeamsWhileTheyAreLookedAt(t *testing.T) {
	r, s := ready(t)
	c := r.window.Canvas()
	test.TypeOnCanvas(c, "n")
	if r.finding != 0 || r.seams.chosen != -1 {
		t.Errorf("without seams: finding %d, seam %d", r.finding, r.seams.chosen)
	}
	s.Seams.List = []Seam{{At: image.Pt(300, 100)}, {At: image.Pt(310, 200)}}
	r.Show(s)
	test.TypeOnCanvas(c, "n")
	if r.finding != 1 || r.seams.chosen != -1 {
		t.Errorf("with seams that nobody looks at: finding %d, seam %d", r.finding, r.seams.chosen)
	}
	r.ShowSeam(0)
	test.TypeOnCanvas(c, "n")
	if r.finding != noFinding || r.seams.chosen != 1 {
		t.Errorf("after a seam: finding %d, seam %d", r.finding, r.seams.chosen)
	}
	tap(r.panel.review.places.rows[2].button)
	test.TypeOnCanvas(c, "N")
	if r.finding != 1 || r.seams.chosen != -1 {
		t.Errorf("after a finding: finding %d, seam %d", r.finding, r.seams.chosen)
	}
	s.Matte.Review.Findings = nil
	r.Show(s)
	test.TypeOnCanvas(c, "N")
	if r.finding != noFinding || r.seams.chosen != 1 {
		t.Errorf("without findings: finding %d, seam %d", r.finding, r.seams.chosen)
	}
}
