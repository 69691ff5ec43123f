package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"greenroom/app/keying"
	"greenroom/engine"
	"greenroom/engine/colour"
	"greenroom/engine/settings"
	"greenroom/presets"
	"greenroom/views"
)

// SetExport changes what an export writes.
func (w *Workspace) SetExport(choice views.ExportChoice) {
	w.change(func(s *State) { s.Export.ExportChoice = choice })
	w.reading.Go(w.names)
}

// SetFolder changes where an export writes, for this plate and those after it; empty is the usual folder of each.
func (w *Workspace) SetFolder(folder string) {
	w.change(func(s *State) { s.Export.Folder = folder })
	w.reading.Go(w.names)
}

// names finds the names that an export would give.
func (w *Workspace) names() {
	state := w.State()
	if state.Plate == nil {
		return
	}
	order := w.order(state)
	names, version := order.Names()
	fault := order.CheckNames()
	w.change(func(s *State) {
		if s.Plate == state.Plate && s.Export.ExportChoice == state.Export.ExportChoice && s.Export.Folder == state.Export.Folder {
			s.Export.Names, s.Export.Version, s.Export.Fault = names, version, fault
		}
	})
}

// order is the order by which the open plate is exported.
func (w *Workspace) order(s State) keying.Order {
	c := s.Choices
	o := keying.Order{
		Plate: s.Plate.Path, Model: s.Model, Machine: s.Machine, Preset: s.Setup.Preset, Look: c.Look, Marks: c.Marks, Edit: c.Edit,
		Hint: c.Hint, Chroma: c.Chroma, Core: c.Core, Garbage: c.Garbage, Backdrop: c.Backdrop, BackdropSpace: c.BackdropSpace,
		Space: c.Space, Layer: c.Layer, Out: s.Export.Folder, Format: s.exportFormat(), Overwrite: s.Export.Overwrite,
		Session: s.session(),
	}
	if s.Hint != nil && s.Hint.Source.From != "" { // one that lies beside the plate has no name in the order
		o.Inputs = []string{s.Hint.Source.From}
	}
	if s.noDepth() == "" {
		if o.Format == keying.FormatEXR && s.Export.Float {
			o.Depth = keying.DepthFloat
		}
		if o.Format != keying.FormatEXR && s.Export.Comp8 {
			o.CompDepth = 8
		}
	}
	if o.Out == "" && o.Plate == "" {
		o.Out = w.sampleFolder
	}
	if s.noMatteY() == "" {
		o.MatteChannels = keying.MatteRGBA
		if s.Export.MatteY {
			o.MatteChannels = keying.MatteY
		}
	}
	on := map[keying.Pass]bool{
		keying.PassKey: s.Export.Key, keying.PassMatte: s.Export.Matte, keying.PassFG: s.Export.FG,
		keying.PassComp: s.Export.Comp && s.noComp() == "",
	}
	for _, pass := range keying.Passes() {
		if on[pass] {
			o.Passes = append(o.Passes, pass)
		}
	}
	return o
}

// exportFormat is the format that is written: the one that is chosen, else the one that suits the plate.
func (s *State) exportFormat() keying.Format {
	return keying.Format(s.Export.Format).Suits(s.Plate.Source.Header)
}

// noComp says why no comp can be written; empty where one can.
func (s *State) noComp() string {
	switch s.Choices.Look.Background {
	case settings.BackgroundChecker:
		return "Choose a background under Comp first: the checker is only there to look at"
	case settings.BackgroundPicture:
		if s.Choices.Backdrop == "" {
			return "Open the background picture under Comp first"
		}
	}
	return ""
}

// noMatteY says why the channels of the matte cannot be chosen; empty where they can.
func (s *State) noMatteY() string {
	switch {
	case s.exportFormat() != keying.FormatEXR:
		return "PNG and TIFF hold the matte in grey; only OpenEXR has a choice of channels"
	case !s.Export.Matte:
		return "The matte is not written"
	}
	return ""
}

// noDepth says why the bits of a sample cannot be chosen; empty where they can.
func (s *State) noDepth() string {
	if s.exportFormat() != keying.FormatEXR && !(s.Export.Comp && s.noComp() == "") {
		return "PNG and TIFF have 16 bits a sample; only a comp may have 8"
	}
	return ""
}

// canExport says what an export still needs; empty when it can begin.
func (s *State) canExport() string {
	switch {
	case s.Key == nil || s.Running != nil:
		return "Key the plate first"
	case !s.Key.Whole:
		return fmt.Sprintf("Key the whole plate first: %d of %d tiles are done", s.Key.Tile, s.Key.Tiles)
	case !s.Export.Key && !s.Export.Matte && !s.Export.FG && !(s.Export.Comp && s.noComp() == ""):
		return "Choose what to write"
	case s.Export.Running:
		return "Exporting"
	}
	return s.besideUnread()
}

// contract says what the pixels of an export mean, in a few words.
func (s *State) contract() string {
	format, space := s.exportFormat(), s.Plate.Source.Plate.Space
	if format == keying.FormatEXR {
		bits := ", half EXR"
		if s.Export.Float {
			bits = ", float EXR"
		}
		light := linearLight(space)
		switch {
		case s.Export.Key:
			return "premultiplied " + light + bits
		case s.Export.FG:
			return "straight " + light + bits
		case s.Export.Comp:
			return "linear" + bits
		case s.Export.MatteY:
			return "matte in Y" + bits
		}
		return "matte in R, G, B and A" + bits
	}
	kind := "16-bit " + views.ExportFormat(format).Title()
	switch {
	case s.Export.Key || s.Export.FG:
		return "straight " + space.Title() + ", " + kind
	case s.Export.Comp && s.Export.Comp8:
		return "sRGB, 8-bit " + views.ExportFormat(format).Title()
	case s.Export.Comp:
		return "sRGB, " + kind
	}
	return "grey matte, " + kind
}

// linearLight names linear light over the primaries of a space, as compositors call it.
func linearLight(space colour.Space) string {
	switch space {
	case colour.SRGB, colour.Rec709, colour.LinearRec709, colour.Cineon:
		return "linear"
	case colour.ACEScg, colour.ACEScct:
		return colour.ACEScg.Title()
	case colour.ACES:
		return space.Title()
	case colour.DisplayP3:
		return "linear P3"
	case colour.AdobeRGB:
		return "linear Adobe RGB"
	case colour.LogC3:
		return "linear AWG3"
	case colour.LogC4:
		return "linear AWG4"
	case colour.SLog3:
		return "linear S-Gamut3.Cine"
	case colour.Log3G10:
		return "linear REDWideGamutRGB"
	}
	return "linear, own primaries"
}

// WriteKey exports the key as chosen. Where it cannot, it says why.
func (w *Workspace) WriteKey() {
	var state State
	w.change(func(s *State) {
		if s.canExport() == "" {
			s.Export.Running, s.Problem = true, nil
			state = *s
			return
		}
		if p := s.cannotExport(); p != nil {
			s.Problem = p
		}
	})
	if state.Export.Running {
		w.work.Go(func() { w.export(state) })
	}
}

// cannotExport is the problem of an export that cannot begin; nil while one is running.
func (s *State) cannotExport() *Problem {
	why := s.canExport()
	switch {
	case s.Plate == nil || s.Export.Running:
		return nil
	case s.Running != nil:
		return &Problem{What: "Nothing was exported", Why: "the plate is still being keyed", Fix: "export when the key is done"}
	case s.Key == nil || !s.Key.Whole:
		p := &Problem{What: why}
		if s.keyable() {
			p.remedy = remedyKeyFirst
		}
		return p
	}
	return &Problem{What: "Nothing was exported", Why: strings.ToLower(why[:1]) + why[1:]}
}

// export writes the files.
func (w *Workspace) export(state State) {
	report, err := w.write(state)
	w.change(func(s *State) {
		s.Export.Running = false
		if s.Plate != state.Plate || w.ctx.Err() != nil {
			return
		}
		if err != nil {
			s.Problem = problem(err, remedyFolder)
			return
		}
		s.Export.Report, s.Export.Written = report, state.written()
	})
	w.names()
}

// written is the key of a state that has been exported.
func (s *State) written() writtenKey { return writtenKey{s.Key.cause, s.Choices} }

func (w *Workspace) write(state State) (*keying.Report, error) {
	start := time.Now()
	key, made := state.Key, state
	// A key that is out of date is written as what it was made of, not as what is chosen now.
	made.Choices, made.Model = state.Choices.WithHintOf(key.Hint.Choices), key.Model
	if state.Stale() != "" {
		made.Setup.Model, made.Setup.Edits = key.Model.Name, asEdits(key.Result.Used)
	}
	o := w.order(made)
	// The files hold the look of now, also while the picture on the screen is still behind.
	done, err := key.finisher.finish(w.ctx, state.finishing(), state.Masks)
	if err != nil {
		return nil, err
	}
	source := state.source()
	if o.Look.Background == settings.BackgroundPicture && slices.Contains(o.Passes, keying.PassComp) {
		back, err := keying.ReadBackdrop(state.Choices.Backdrop, state.Choices.BackdropSpace)
		if err != nil {
			return nil, err
		}
		source.Backdrop, source.BackdropFile = back.Picture, back.File
	} else if path := state.Choices.Backdrop; path != "" && source.BackdropFile.Path == "" {
		source.BackdropFile = keying.Used(path)
	}
	report := keying.NewReport(o, source, key.Choice, key.Result, done)
	review := state.Review
	if review == nil || !sameImage(review.Of, done.Matte) {
		if review, err = newReview(w, done.Matte); err != nil {
			return nil, err
		}
	}
	report.AddReview(review.Review)
	var check *engine.Result
	if c := state.checked(); c != nil {
		check = &engine.Result{Seams: c.Seams}
	}
	report.AddSeams(o, key.Result, check)
	report.Seconds.Post = time.Since(start).Seconds()
	return report, report.Write(w.ctx, o, source, done, key.Result)
}

// asEdits are all of the settings that a key was run with, as an artist would choose them.
func asEdits(used settings.Settings) []presets.Setting {
	var list []presets.Setting
	for _, name := range settings.Names() {
		v, _ := used.Get(name)
		list = append(list, presets.Setting{Name: name, Value: fmt.Sprint(v)})
	}
	return list
}

// sampleFolder is where keys of the sample go from a window, which may have been started anywhere.
func sampleFolder() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return filepath.Join(os.TempDir(), "Greenroom")
	}
	if pictures := filepath.Join(home, "Pictures"); isFolder(pictures) {
		return filepath.Join(pictures, "Greenroom")
	}
	return filepath.Join(home, "Greenroom")
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// tilde writes a path with the home folder as ~.
func tilde(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "/" {
		return path
	}
	if rest, ok := strings.CutPrefix(path, home); ok && (rest == "" || rest[0] == filepath.Separator) {
		return "~" + rest
	}
	return path
}
