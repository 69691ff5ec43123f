package app

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	"greenroom/engine/settings"
	"greenroom/presets"
	"greenroom/views"
)

// showVariants says which keys of the plate can be brought back.
func (s *State) showVariants() []views.VariantState {
	shown := s.shownVariant()
	var list []views.VariantState
	for i := range s.Variants {
		v := &s.Variants[i]
		row := views.VariantState{
			Name: v.Name, Title: fmt.Sprintf("Key %d", v.Number), Words: v.words(), Thumb: v.Thumb, Shown: v == shown,
			Compared: s.Compare != nil && s.Compare.Name == v.Name,
		}
		if shown != nil && v != shown {
			now := *shown
			now.Choices = s.Choices
			row.Differs = strings.Join(v.differs(now), ", ")
			if row.Differs == "" {
				row.Differs = "nothing differs"
			}
		}
		list = append(list, row)
	}
	return list
}

// words say how a variant was made.
func (v *Variant) words() string { return modelWord(v.Model) + ", " + tileWord(v.Result.Used) }

// modelWord is what a model is called: the catalogue's name, or the name of its file.
func modelWord(name string) string { return filepath.Base(name) }

// tileWord says in how large tiles a key was made.
func tileWord(s settings.Settings) string {
	if s.Tile == 0 {
		return "whole frame"
	}
	return fmt.Sprintf("%d/%d", s.Tile, s.Overlap)
}

// differs says what a variant has that another has not, in few words: what the network saw first, then the look.
func (v *Variant) differs(o Variant) []string {
	var list []string
	if v.cause.model != o.cause.model {
		list = append(list, modelWord(v.Model))
	}
	a, b := v.cause.sight, o.cause.sight
	if a.Tile != b.Tile || a.Overlap != b.Overlap {
		list = append(list, "tile "+tileWord(a))
	}
	for _, name := range []string{"frame", "refine", "bf16", "half"} {
		x, _ := a.Get(name)
		y, _ := b.Get(name)
		if x != y {
			list = append(list, name+" "+presets.Word(x))
		}
	}
	c, d := v.Choices, o.Choices
	switch {
	case c.Hint != d.Hint && c.Hint != "":
		list = append(list, "hint "+filepath.Base(c.Hint))
	case c.Hint != d.Hint || c.Chroma != d.Chroma:
		list = append(list, "hint from the screen")
	case !settings.EqualStrokes(c.Marks.Hint, d.Marks.Hint):
		list = append(list, countWords(len(c.Marks.Hint), "hint stroke"))
	case v.cause.hint != o.cause.hint && c.SameHint(d):
		list = append(list, "another hint")
	}
	return append(list, lookDiffers(c.Look, d.Look)...)
}

// countWords counts things in words.
func countWords(n int, thing string) string {
	switch n {
	case 0:
		return "no " + thing
	case 1:
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// lookDiffers names the controls of a look that differ from another's, with their values. Names are those of the sidecar.
func lookDiffers(a, b settings.Look) []string {
	var list []string
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		if x.Field(i).Interface() == y.Field(i).Interface() {
			continue
		}
		name := strings.ReplaceAll(x.Type().Field(i).Tag.Get("toml"), "_", " ")
		switch v := x.Field(i).Interface().(type) {
		case float64:
			list = append(list, fmt.Sprintf("%s %.3g", name, v))
		case bool:
			list = append(list, name+" "+presets.Word(v))
		case settings.Comp:
			list = append(list, "another background")
		default:
			list = append(list, fmt.Sprintf("%s %v", name, v))
		}
	}
	return list
}
