package app

import (
	"greenroom/engine/matte"
	"greenroom/engine/picture"
	"greenroom/views"
)

// Review is the check of a finished matte.
type Review struct {
	matte.Review
	// Of is the matte that was looked over.
	Of picture.Image
	// Shown is the review in words.
	Shown views.ReviewState
}

// unreviewed reports whether there is a matte to look over. One that is still being finished is not looked at.
func (s *State) unreviewed() bool {
	return s.Key != nil && s.Key.Whole && !s.behind() && (s.Review == nil || !sameImage(s.Review.Of, s.Key.Finished.Matte))
}

// sameImage reports whether two images are one in memory.
func sameImage(a, b picture.Image) bool {
	return len(a.Pix) > 0 && len(b.Pix) > 0 && &a.Pix[0] == &b.Pix[0]
}

// wakeReview starts to look over the matte, unless that is going on. The state is being changed.
func (w *Workspace) wakeReview(s *State) {
	if s.unreviewed() && !w.reviewing {
		w.reviewing = true
		w.work.Go(w.review)
	}
}

// review looks over mattes until the last one has been.
func (w *Workspace) review() {
	for again := true; again; {
		state := w.State()
		var next *Review
		var err error
		if state.unreviewed() {
			next, err = newReview(w, state.Key.Finished.Matte)
		}
		w.change(func(s *State) {
			if next != nil && s.Key != nil && sameImage(next.Of, s.Key.Finished.Matte) {
				s.Review = next
			}
			again = s.unreviewed() && err == nil
			w.reviewing = again
		})
	}
}

// newReview looks over a matte.
func newReview(w *Workspace, m picture.Image) (*Review, error) {
	r, err := matte.Check(w.ctx, m)
	if err != nil {
		return nil, err
	}
	return &Review{Review: r, Of: m, Shown: showReview(r)}, nil
}

// showReview puts a review into words.
func showReview(r matte.Review) views.ReviewState {
	v := views.ReviewState{
		Known: true, More: r.More, Translucent: 100 * r.Translucent, Solid: 100 * r.Solid, Clear: 100 * r.Clear,
	}
	for _, f := range r.Findings {
		v.Findings = append(v.Findings, views.MatteFinding{Kind: findingWords(f.Kind), X: f.X, Y: f.Y, Box: f.Box, Pixels: f.Pixels, Amount: f.AmountWords(), Worst: float64(f.Worst), Text: sentence(f.String())})
	}
	return v
}

// findingWords names a kind of finding in a list.
func findingWords(k matte.FindingKind) string {
	switch k {
	case matte.CoreHole:
		return "Core hole"
	case matte.ScreenResidue:
		return "Screen residue"
	}
	return "Cut by the frame"
}
