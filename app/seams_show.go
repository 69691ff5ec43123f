package app

import (
	"fmt"
	"image"
	"strings"

	"greenroom/app/keying"
	"greenroom/engine/settings"
	"greenroom/engine/tiling"
	"greenroom/views"
)

// showSeams says what is known of the borders between tiles.
func (s *State) showSeams() views.SeamState {
	v := views.SeamState{WhyNot: s.cannotCheck(), Left: -1}
	if s.Plate == nil {
		return v
	}
	if r := s.Seams.Run; r != nil {
		v.Checking, v.Doing, v.Done, v.All, v.Left = true, r.Doing, r.Tile, r.Tiles, r.Left
	}
	grid, frame := s.grid()
	picture := s.Plate.Source.Plate.RGB
	for _, b := range grid.Borders() {
		v.Bands = append(v.Bands, views.Band{Rectangle: onPlate(b.Band, frame, picture.W, picture.H), Upright: b.Upright})
	}
	if grid.Len() > 1 {
		v.Remedies = s.showRemedies()
	}
	check := s.checked()
	if s.Running != nil {
		// The grid is that of the next key already.
		check = nil
	}
	v.Follow = s.Seams.Follow && v.WhyNot == ""
	var seams []tiling.Seam
	switch {
	case s.following():
	case check != nil:
		seams, v.Checked, v.Heat, v.Second, v.Known = check.Seams, true, check.Heat, check.Shown, check.Known
	case s.Key != nil && s.Key.Whole && s.Running == nil:
		seams, v.Heat = s.Key.Result.Seams, s.Key.Heat
	}
	for _, seam := range seams {
		worst := seam.Worst()
		v.List = append(v.List, views.Seam{
			Band: views.Band{Rectangle: seam.Band, Upright: seam.Upright},
			Mean: max(seam.Matte.Mean, seam.FG.Mean), P99: seam.Steps(), Worst: worst.Worst, At: image.Pt(worst.X, worst.Y),
		})
	}
	if check != nil {
		v.Verdict = s.verdict(len(v.List))
	}
	if grid.Len() == 1 {
		v.None = noSeams
		if s.Key != nil && s.Key.Whole && s.Running == nil {
			v.None = "Keyed as one tile: there are no seams"
		}
	}
	v.About = s.aboutSeams(grid, len(v.Bands), len(v.List))
	if v.NoHeat = s.noHeat(grid); v.NoHeat != "" {
		v.Heat = nil
	}
	switch {
	case grid.Len() == 1:
		v.NoSecond = noSeams
	case check != nil && check.Shown == nil:
		v.NoSecond = "Check the seams again: of a key that was brought back, that on the other grid is not kept"
	case check == nil:
		v.NoSecond = "Check the seams first: that keys the borders on another grid"
	}
	return v
}

// onPlate turns a rectangle of a frame's square into the plate's pixels.
func onPlate(r image.Rectangle, frame, w, h int) image.Rectangle {
	if frame == 0 {
		return r
	}
	return image.Rect(r.Min.X*w/frame, r.Min.Y*h/frame, (r.Max.X*w+frame-1)/frame, (r.Max.Y*h+frame-1)/frame)
}

// frameRefined reports whether the key that is shown was refined over the whole frame: its run saw nothing twice.
func (s *State) frameRefined() bool {
	return s.Key.Result.Used.Refine == settings.RefineFrame && len(s.Key.Result.Seams) == 0
}

// aboutSeams says what is known, or why nothing is.
func (s *State) aboutSeams(grid tiling.Grid, borders, listed int) string {
	switch {
	case grid.Len() == 0:
		return ""
	case grid.Len() == 1:
		return noSeams + "."
	case s.Key == nil || !s.Key.Whole || s.Running != nil:
		return fmt.Sprintf("%d tiles, %s. Key the plate to measure them.", grid.Len(), countBorders(borders))
	case s.checked() != nil && listed == 0:
		return sentence(keying.NoSeam(grid)) + "."
	case s.checked() != nil:
		text := fmt.Sprintf("%d of %s, checked on another grid. ", listed, countBorders(borders))
		if shared := keying.SharedBorders(grid); shared != "" {
			text += sentence(shared) + ". "
		}
		return text + s.worstWords(true)
	case s.following():
		return countBorders(borders) + ". Checking them, as those of the key before were."
	case s.frameRefined():
		return fmt.Sprintf("%s. The refiner saw the whole frame: what is left shows only on another grid.", countBorders(borders))
	}
	return fmt.Sprintf("%s, measured where tiles overlap. %s", countBorders(listed), s.worstWords(false))
}

// following reports whether a key is being checked because the one before had been: until that has ended there is
// nothing to compare with what was known of that.
func (s *State) following() bool { return s.Seams.Run != nil && s.Seams.Run.Follows }

// worstWords say how far tiles are apart at the worst border of the key that is shown, as a check or as its run
// measured it, and how far they were in the key before if that is known by the same measure.
func (s *State) worstWords(checked bool) string {
	now, before := s.worstBorder(), s.Seams.Before
	steps, was := now.Run, before.Run
	if checked {
		steps, was = now.Checked, before.Checked
	}
	text := fmt.Sprintf("Worst border: 99 %% under %.1f steps", steps)
	if was > 0 {
		text += fmt.Sprintf(", before %.1f", was)
	}
	return text + "."
}

// verdict says in a line what the check of the key that is shown found.
func (s *State) verdict(listed int) string {
	if listed == 0 {
		return "Seams checked: " + keying.NoSeamSeen(s.Key.Result.Grid)
	}
	return "Seams checked. " + strings.TrimSuffix(s.worstWords(true), ".")
}

func countBorders(n int) string {
	if n == 1 {
		return "1 border"
	}
	return fmt.Sprintf("%d borders", n)
}

// noHeat says why there is no heat map; empty when there is one.
func (s *State) noHeat(grid tiling.Grid) string {
	switch {
	case grid.Len() == 1:
		return noSeams
	case s.Running != nil || s.Key == nil || !s.Key.Whole:
		return "Key the plate first"
	case s.following():
		return "The seams are being checked, as those of the key before were"
	case s.checked() != nil && s.checked().Heat == nil:
		return "Check the seams again: of a key that was brought back, where two grids differ is not kept"
	case s.checked() == nil && s.frameRefined():
		return "Check the seams first: the refiner saw the whole frame, and no pixel twice"
	case s.checked() == nil && s.Key.Heat == nil:
		return "Check the seams first: of a key that was brought back, where tiles differ is not kept"
	}
	return ""
}
