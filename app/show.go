package app

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"greenroom/app/keying"
	"greenroom/engine/hint"
	"greenroom/engine/settings"
	"greenroom/presets"
	"greenroom/views"
)

// show puts a state into the words and numbers that the views draw.
func (w *Workspace) show(s State) views.State {
	v := views.State{
		Choices: s.Choices, Undo: last(s.History.past), Redo: last(s.History.future), Plan: s.showPlan(), Key: s.showKey(), Export: w.showExport(s), Hint: s.showHint(),
		Setup: s.showSetup(), Seams: s.showSeams(), Matte: s.showMatte(), Model: s.showModels(),
		Strip: s.showStrip(), Variants: s.showVariants(),
	}
	if s.Machine.Chip != "" {
		v.Machine = s.Machine.String()
	}
	if s.Setup.Device.Name != "" {
		v.Device = "on " + deviceWords(s.Setup.Device)
	}
	for _, path := range s.Recents {
		look := s.recentLooks[path]
		recent := views.Recent{Path: path, Name: filepath.Base(path), Folder: tilde(filepath.Dir(path)), Thumb: look.thumb}
		if look.gone {
			recent.Gone = "It is not there any more"
		}
		v.Recents = append(v.Recents, recent)
	}
	if s.Opening != "" {
		v.Opening = filepath.Base(s.Opening)
	}
	if p := s.Plate; p != nil {
		v.Plate = p.show()
		v.Plate.Restored = s.Restored
		v.Layers.Plate = p.Shown
	}
	if s.Backdrop != nil {
		v.Layers.Backdrop = s.Backdrop.Shown
	}
	if s.Hint != nil {
		v.Layers.Hint = s.Hint.Shown
	}
	v.Layers.Seen, v.NoSeen = s.showSeen()
	switch {
	case s.Running != nil && s.Running.Shown != nil:
		v.Layers.Key, v.Layers.Tiles = s.Running.Shown, s.Running.Tile
	case s.Key != nil:
		v.Layers.Key, v.Layers.Stopped = s.Key.Shown, !s.Key.Whole
	}
	if s.Compare != nil {
		v.Layers.Second = s.Compare.Second
	}
	if p := s.Problem; p != nil {
		v.Problem = &views.Problem{What: p.What, Why: p.Why, Fix: p.Fix, Button: p.remedy.label(), Details: p.Details}
	}
	if s.Question != nil {
		v.Question = &s.Question.Question
	}
	return v
}

// show says what a plate is.
func (p *Plate) show() views.PlateState {
	h := p.Source.Header
	kind := fmt.Sprintf("%d-bit", h.Depth)
	if h.Float {
		kind += " float"
	}
	v := views.PlateState{
		Name: p.Name(), Details: fmt.Sprintf("%d x %d, %s %s", h.W, h.H, kind, h.Format),
		Space: p.Source.Plate.Space.Title(), SpaceNote: "chosen", Guess: h.Space.Title(),
		ChromaAuto: hint.ChromaSmoothing(settings.ChromaAuto, h.Subsampling),
	}
	if p.space == "" {
		v.SpaceNote = "guessed"
		if h.SpaceBy != "" {
			v.SpaceNote = "as the file says"
		}
	}
	switch {
	case h.EXR == nil:
		v.NoLayers = fmt.Sprintf("A %s file has no layers", h.Format)
	case len(h.EXR.Layers) < 2:
		v.NoLayers = "The file has one layer"
		v.Layer = h.EXR.Layer
	default:
		v.Layers, v.Layer = h.EXR.Layers, h.EXR.Layer
	}
	// What the colour is taken for is said above.
	notes := slices.DeleteFunc(slices.Clone(p.Source.Notes), func(note string) bool { return note == h.SpaceNote() })
	v.Remarks = remarks(p.Source.Warnings, notes)
	return v
}

// remarks puts warnings before notes.
func remarks(warnings, notes []string) []views.Remark {
	var list []views.Remark
	for _, text := range warnings {
		list = append(list, views.Remark{Text: sentence(withoutFlags(text)), Warning: true})
	}
	for _, text := range notes {
		list = append(list, views.Remark{Text: sentence(withoutFlags(text))})
	}
	return list
}

// showHint says what the hint is.
func (s *State) showHint() views.HintState {
	v := views.HintState{Finding: s.seekingHint(), Samples: s.showSamples()}
	if h := s.Hint; h != nil {
		v.Strokes = paintedOf(h.Choices.Marks.Hint, s.Choices.Marks.Hint)
		v.FromFile, v.Screen = h.Source.From != "", string(h.Source.Screen)
		v.Source = fmt.Sprintf("From the %s screen", h.Source.Screen)
		if v.FromFile {
			v.Source = "From " + filepath.Base(h.Source.From)
		}
		v.Channel, v.HasAlpha = h.Source.Channel, h.Source.HintAlpha
		// The file is named above.
		about := filepath.Base(h.Source.From) + ": "
		v.Remarks = append(h.showFaults(), remarks(without(h.Warnings, about), without(h.Notes, about))...)
	}
	return v
}

// without takes a beginning off sentences.
func without(texts []string, beginning string) []string {
	var list []string
	for _, t := range texts {
		list = append(list, strings.TrimPrefix(t, beginning))
	}
	return list
}

// showPlan says how the plate will be keyed.
func (s *State) showPlan() views.PlanState {
	p := s.Plan
	if p == nil || p.Err != nil {
		return views.PlanState{}
	}
	v := views.PlanState{Settings: "whole frame"}
	if n := p.Grid.Len(); n > 1 {
		v.Settings = fmt.Sprintf("tiled %d/%d, %d tiles", p.Choice.Settings.Tile, p.Choice.Settings.Overlap, n)
	}
	if s.Pace > 0 {
		v.Settings += ", about " + seconds(s.Pace*float64(p.Grid.Len()*p.Grid.TileW*p.Grid.TileH))
	}
	v.Memory = presets.Memory(p.Choice.PeakBytes)
	if limit := s.Machine.Limit(); limit > 0 {
		v.Memory += " of " + presets.Memory(limit)
	}
	adjusted := p.Adjusted
	if s.Key != nil && s.Key.Whole {
		// What the engine had to change while it ran counts too.
		for _, a := range s.Key.Result.Adjusted {
			adjusted = append(adjusted[:len(adjusted):len(adjusted)], presets.Adjusted(a))
		}
	}
	v.Adjusted = showAdjusted(adjusted)
	return v
}

// showAdjusted puts settings that are not as they were asked for into words.
func showAdjusted(list []presets.Adjusted) []views.Adjusted {
	var v []views.Adjusted
	for _, a := range list {
		v = append(v, views.Adjusted{
			Setting: a.Setting, Asked: settingWord(a.Setting, a.Asked), Used: settingWord(a.Setting, a.Used), Why: a.Why,
		})
	}
	return v
}

// settingWord writes a setting's value.
func settingWord(name string, value any) string {
	if name == "tile" && value == 0 {
		return "the whole frame"
	}
	return presets.Word(value)
}

// seconds writes a time.
func seconds(s float64) string {
	switch {
	case s < 1.5:
		return "1 s"
	case s < 90:
		return fmt.Sprintf("%.0f s", s)
	}
	return fmt.Sprintf("%.0f min", s/60)
}

// showKey says how far the key is.
func (s *State) showKey() views.KeyState {
	v := views.KeyState{Ready: s.keyable(), Stale: s.Stale()}
	if r := s.Running; r != nil {
		v.Running, v.Doing, v.Tile, v.Tiles, v.Left = true, r.Doing, r.Tile, r.Tiles, r.Left
		return v
	}
	switch {
	case s.Plate == nil:
		v.WhyNot = "No plate"
	case s.Setup.Bench != nil:
		v.WhyNot = "This machine is being measured"
	case s.Seams.Run != nil:
		v.WhyNot = "The seams are being checked"
	case s.Strip.Run != nil:
		v.WhyNot = s.cannotRunStrip()
	case s.Hint == nil && !s.FindingHint:
		v.WhyNot = "A hint is needed to key"
	case s.FindingHint:
		v.WhyNot = "Finding the hint"
	case s.Model == nil:
		v.WhyNot = "Opening the model"
	case s.Plan != nil && s.Plan.Err != nil:
		v.WhyNot = "This machine cannot key the plate"
	}
	if v.Waiting = v.Ready && s.keyAsked(); v.Waiting {
		if v.WhyNot == "" {
			v.WhyNot = "Planning"
		}
		v.WhyNot += ", then keying"
	}
	if k := s.Key; k != nil {
		v.Summary = k.summary()
	}
	return v
}

// summary says what came of a key.
func (k *Key) summary() string {
	if !k.Whole {
		return fmt.Sprintf("Stopped: %d of %d tiles are done", k.Tile, k.Tiles)
	}
	text := "Keyed in " + seconds(k.Result.Seconds.Load+k.Result.Seconds.Key)
	if k.Tiles > 1 {
		text += fmt.Sprintf(", %d tiles", k.Tiles) + k.recalledWords()
	}
	for _, warning := range k.Finished.Warnings {
		text += ". " + sentence(withoutFlags(warning))
	}
	return text
}

// showExport says what an export would write.
func (w *Workspace) showExport(s State) views.ExportState {
	e := s.Export
	v := views.ExportState{
		ExportChoice: e.ExportChoice, Files: e.Names, Exists: e.Version > 1, Running: e.Running,
		WhyNot: s.canExport(),
	}
	v.Ready = v.WhyNot == ""
	if k := s.Key; k != nil && s.Running == nil && !k.Whole {
		v.Note = fmt.Sprintf("%d of %d tiles are done", k.Tile, k.Tiles)
	} else if stale := s.Stale(); stale != "" {
		v.Note = "Out of date: " + stale
	}
	if s.Plate == nil {
		return v
	}
	v.Folder, v.OwnFolder = tilde(w.order(s).Folder()), e.Folder != ""
	v.Used, v.NoComp, v.NoMatteY, v.Contract = views.ExportFormat(s.exportFormat()), s.noComp(), s.noMatteY(), s.contract()
	v.NoDepth = s.noDepth()
	if e.Saved != "" {
		v.Saved = filepath.Base(e.Saved)
	}
	if e.Report != nil {
		v.Written = written(e.Report)
	}
	return v
}

// written lists the names of what was written.
func written(r *keying.Report) []string {
	var names []string
	for _, pass := range keying.Passes() {
		if path, ok := r.Files[pass]; ok {
			names = append(names, filepath.Base(path))
		}
	}
	names = append(names, filepath.Base(r.Sidecar))
	for i, n := range names {
		names[i] = strings.ToValidUTF8(n, "?")
	}
	return names
}
