package app

import (
	"path/filepath"
	"slices"

	"greenroom/engine/settings"
	"greenroom/views"
)

// showMatte says what there is beside plate and hint, and what was found about the matte.
func (s *State) showMatte() views.MatteState {
	v := views.MatteState{Review: s.showReview()}
	if s.Plate == nil {
		return v
	}
	v.Space = s.Plate.Source.Plate.Space
	if m := s.Masks.Garbage; m == nil {
		v.Bars = s.bars()
	}
	v.Core, v.Garbage, v.Backdrop = s.showBeside(besideCore), s.showBeside(besideGarbage), s.showBeside(besideBackdrop)
	for _, m := range []struct {
		*Mask
		shown *views.BesideState
	}{
		{s.Masks.Core, &v.Core}, {s.Masks.Garbage, &v.Garbage},
	} {
		if m.Mask != nil && !m.shown.Reading {
			// The file is named above.
			about := filepath.Base(m.Path) + ": "
			m.shown.Remarks = remarks(without(m.Warnings, about), without(m.Notes, about))
		}
	}
	if b := s.Backdrop; b != nil && b.Note != "" && !v.Backdrop.Reading {
		v.Backdrop.Remarks = []views.Remark{{Text: sentence(withoutFlags(b.Note))}}
	}
	return v
}

// bars are the plate's bars that are not garbage yet.
func (s *State) bars() []settings.Box {
	return slices.DeleteFunc(slices.Clone(s.Plate.Bars), func(b settings.Box) bool {
		return slices.Contains(s.Choices.Marks.Garbage.Boxes, b)
	})
}

// showBeside names a file beside plate and hint.
func (s *State) showBeside(k besideKind) views.BesideState {
	file := s.besideAsked(k)
	if file.path == "" {
		return views.BesideState{}
	}
	return views.BesideState{Name: filepath.Base(file.path), Reading: s.reading[k].path != ""}
}

// showReview says what was found about the matte.
func (s *State) showReview() views.ReviewState {
	switch {
	case s.Running != nil:
		return views.ReviewState{WhyNot: "The plate is being keyed."}
	case s.Key == nil:
		return views.ReviewState{WhyNot: "Key the plate: the finished matte is then looked over."}
	case !s.Key.Whole:
		return views.ReviewState{WhyNot: "Key the whole plate first."}
	case s.Review == nil:
		return views.ReviewState{Checking: true}
	}
	v := s.Review.Shown
	v.Checking = s.behind() || s.unreviewed()
	return v
}
