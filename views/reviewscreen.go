//go:build !headless

package views

import (
	"fmt"
	"slices"
)

// noFinding says that none was jumped to.
const noFinding = -1

// showReview follows a new state: another review forgets where the artist was.
func (s *Screen) showReview(before State) {
	if !slices.Equal(before.Matte.Review.Findings, s.state.Matte.Review.Findings) {
		s.finding = noFinding
	}
}

// seamsOpen reports whether N goes through the seams: since something of them was turned on or one was chosen, and no
// finding was, or where the matte check found nothing.
func (s *Screen) seamsOpen() bool {
	return s.canJump() && (s.seams.next || len(s.state.Matte.Review.Findings) == 0)
}

// JumpNext shows the next seam or finding, or with -1 the one before.
func (s *Screen) JumpNext(by int) {
	if s.seamsOpen() {
		s.JumpSeam(by)
		return
	}
	s.JumpFinding(by)
}

// canJumpNext reports whether there is a seam or a finding.
func (s *Screen) canJumpNext() bool { return s.canJump() || len(s.state.Matte.Review.Findings) > 0 }

// JumpFinding shows the finding that is so many places further down the list, and begins again at its end.
func (s *Screen) JumpFinding(by int) {
	n := len(s.state.Matte.Review.Findings)
	if n == 0 {
		return
	}
	next := s.finding + by
	if s.finding == noFinding && by < 0 {
		next = n - 1
	}
	s.ShowFinding((next%n + n) % n)
}

// tinyFinding is the long edge in pixels up to which a finding is shown at 400 %.
const tinyFinding = 24

// ShowFinding shows a finding of the list, its worst pixel in the middle, in a view of the key.
func (s *Screen) ShowFinding(i int) {
	list := s.state.Matte.Review.Findings
	if i < 0 || i >= len(list) {
		return
	}
	f := list[i]
	s.finding, s.seams.chosen, s.seams.next = i, -1, false
	if !s.view.ofKey() && s.canView(ViewMatte) {
		s.view, s.from, s.seams.from = ViewMatte, noView, noView
	}
	zoom := 1.0
	if max(f.Box.Dx(), f.Box.Dy()) <= tinyFinding {
		zoom = 4
	}
	s.viewer.LookAt(float64(f.X)+0.5, float64(f.Y)+0.5, zoom)
	s.look()
	s.explain(fmt.Sprintf("Finding %d of %d: %s", i+1, len(list), f.Text))
}
