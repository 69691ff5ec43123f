package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"greenroom/app/keying"
	"greenroom/presets"
	"greenroom/views"
)

// store is where presets lie.
func (w *Workspace) store() presets.Store {
	if w.folder == "" {
		return presets.Store{}
	}
	return presets.Store{Folder: filepath.Join(w.folder, "presets")}
}

// loadPresets reads all presets anew and keeps to the one in use.
func (w *Workspace) loadPresets() {
	list, broken := w.store().List()
	w.change(func(s *State) { s.Setup.Presets, s.Setup.Broken = list, broken })
}

// firstPreset chooses the preset of the last time, else one that the artist made for this machine.
func (w *Workspace) firstPreset(last string, m presets.Machine) {
	if last == recommended {
		return
	}
	if last != "" {
		if p, err := w.store().Load(last); err == nil {
			if w.lastLook == nil {
				w.useFirst(&p)
				return
			}
			// The look and the export of the last time go before those of the preset.
			w.change(func(s *State) {
				next := s.moment()
				next.Preset = &p
				w.take(s, next)
			})
			return
		}
	}
	if p, ok := w.store().For(m); ok && !p.BuiltIn() {
		w.useFirst(&p)
	}
}

// useFirst is use for a preset that nobody has just chosen: it is not the one of a plate that is as it was left.
func (w *Workspace) useFirst(p *presets.Preset) {
	left := false
	w.change(func(s *State) {
		if left = s.Setup.Usual != nil; left {
			u := *s.Setup.Usual
			u.preset = p
			s.Setup.Usual = &u
		}
	})
	if !left {
		w.use(p)
	}
}

// UsePreset chooses a preset by its name.
func (w *Workspace) UsePreset(name string) {
	if name == recommended {
		w.use(nil)
		return
	}
	w.work.Go(func() {
		p, err := w.store().Load(name)
		if err != nil {
			w.fail(fmt.Errorf("cannot use %s: %w", name, err), remedyPresets)
			w.loadPresets()
			return
		}
		w.use(&p)
	})
}

// use takes a preset, with its settings, look and export; nil leaves all to the rules.
func (w *Workspace) use(p *presets.Preset) {
	w.change(func(s *State) {
		s.Setup.Usual = nil
		next := moment{s.Choices, p, nil, s.Setup.Model}
		if p != nil {
			next.Choices.Look = p.Look(s.Choices.Look)
			s.Export.take(p.Export)
		}
		s.History.single("Preset", s.moment())
		w.take(s, next)
	})
	w.names()
}

// take makes an export what a preset says.
func (e *Export) take(p presets.Export) {
	if len(p.Passes) > 0 {
		has := func(pass keying.Pass) bool {
			for _, name := range p.Passes {
				if name == string(pass) {
					return true
				}
			}
			return false
		}
		e.Key, e.Matte, e.FG, e.Comp = has(keying.PassKey), has(keying.PassMatte), has(keying.PassFG), has(keying.PassComp)
	}
	if p.Format != "" {
		e.Format = views.ExportFormat(p.Format)
	}
}

// give is an export as a preset keeps it.
func (w *Workspace) give(s State) presets.Export {
	o := w.order(s)
	e := presets.Export{Format: string(s.Export.Format)}
	for _, pass := range o.Passes {
		e.Passes = append(e.Passes, string(pass))
	}
	return e
}

// RevertPreset brings the preset's own settings and look back.
func (w *Workspace) RevertPreset() {
	w.change(func(s *State) {
		next := s.moment()
		next.Edits = nil
		if p := s.Setup.Preset; p != nil {
			next.Choices.Look = p.Look(s.Choices.Look)
		}
		s.History.single("Revert the preset", s.moment())
		w.take(s, next)
	})
}

// SavePreset writes settings and look into the preset's file. A preset of the program cannot be changed: the artist is
// asked whether to make a copy.
func (w *Workspace) SavePreset() {
	state := w.State()
	if !state.edited() || state.Plan == nil {
		return
	}
	p := state.Setup.Preset
	if p == nil || p.BuiltIn() {
		w.change(func(s *State) { s.Question = w.copyQuestion(s) })
		return
	}
	w.work.Go(func() {
		saved, err := w.store().Save(w.filled(state, *p, len(p.LookNames()) > 0))
		if err != nil {
			w.fail(err, remedyNone)
			return
		}
		w.saved(saved)
	})
}

// copyQuestion asks whether to save a preset that cannot be changed under another name.
func (w *Workspace) copyQuestion(s *State) *Question {
	name := recommended
	if s.Setup.Preset != nil {
		name = s.Setup.Preset.Name
	}
	return &Question{
		Question: views.Question{
			Title:   name + " comes with Greenroom and cannot be changed",
			Detail:  "Save these settings as a preset of your own?",
			Answers: []views.Answer{{Label: "Duplicate…", Detail: "A copy with these settings"}},
		},
		do: []func(){w.SavePresetAs},
	}
}

// filled is a preset with the settings, and where asked for the look, of now.
func (w *Workspace) filled(s State, p presets.Preset, look bool) presets.Preset {
	p.SetSettings(s.asked())
	if look {
		// The workspace holds only looks that can work.
		_ = p.SetLook(s.Choices.Look)
	}
	return p
}

// saved makes a preset that was just written the one in use.
func (w *Workspace) saved(p presets.Preset) {
	w.loadPresets()
	w.change(func(s *State) {
		if s.Plan != nil {
			// It chooses every setting: nothing jumps while that is planned.
			chosen := *s.Plan
			for _, a := range p.Asked() {
				_ = chosen.Base.Set(a.Name, a.Value)
			}
			s.Plan = &chosen
		}
		s.Setup.Preset, s.Setup.Edits, s.Planning = &p, nil, s.Plan != nil
	})
	w.plan()
}

// SavePresetAs asks for a name and saves what is set as a preset of this machine.
func (w *Workspace) SavePresetAs() {
	w.reading.Go(func() {
		state := w.State()
		if state.Plan == nil {
			return
		}
		name := state.Machine.String()
		if p := state.Setup.Preset; p != nil {
			name = p.Name + " copy"
		}
		w.asks("Name of the preset", w.store().FreeName(name), "Save", func(text string) error {
			state := w.State()
			if state.Plan == nil {
				return errors.New("the plate is being planned: try again")
			}
			p := presets.Preset{Match: state.Machine.Match()}
			if now := state.Setup.Preset; now != nil {
				p = *now
			}
			p = w.filled(state, p, true)
			p.Export = w.give(state)
			p.Engine.Model = state.Model.Name
			return w.saveAs(p, text)
		})
	})
}

// saveAs saves a preset under a name and uses it.
func (w *Workspace) saveAs(p presets.Preset, name string) error {
	saved, err := w.keep(p, name)
	if err == nil {
		w.saved(saved)
	}
	return err
}

// keep saves a preset under a name.
func (w *Workspace) keep(p presets.Preset, name string) (presets.Preset, error) {
	name = strings.TrimSpace(name)
	if strings.EqualFold(name, recommended) {
		return p, fmt.Errorf("%s is what the rules' own choice is called (choose another name)", recommended)
	}
	return w.store().SaveAs(p, name)
}

// DuplicatePreset asks for a name and copies the preset as it was saved. What was changed since stays changed.
func (w *Workspace) DuplicatePreset() {
	now := w.State().Setup.Preset
	if now == nil {
		w.SavePresetAs()
		return
	}
	w.reading.Go(func() {
		w.asks("Name of the copy", w.store().FreeName(now.Name+" copy"), "Duplicate", func(text string) error {
			saved, err := w.keep(*now, text)
			if err != nil {
				return err
			}
			w.loadPresets()
			w.change(func(s *State) { s.Setup.Preset, s.Planning = &saved, s.Plan != nil })
			w.reading.Go(w.plan)
			return nil
		})
	})
}

// ImportPreset copies a preset's file to the others and uses it.
func (w *Workspace) ImportPreset(path string) {
	w.work.Go(func() {
		p, err := w.store().Import(path)
		if err != nil {
			w.change(func(s *State) { s.Problem = presetProblem(err, path) })
			return
		}
		w.loadPresets()
		w.use(&p)
	})
}

// PresetPlace is what shows where presets lie: the file of the one in use, else their folder, which is made.
func (w *Workspace) PresetPlace() (file, folder string, err error) {
	if p := w.State().Setup.Preset; p != nil && p.Path != "" {
		return p.Path, filepath.Dir(p.Path), nil
	}
	folder = w.store().Folder
	if folder == "" {
		return "", "", errors.New("there is no folder for presets on this system")
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", "", fmt.Errorf("cannot make the folder for presets: %w", err)
	}
	return "", folder, nil
}

// showPreset says which preset is in use and which there are.
func (s *State) showPreset() views.PresetState {
	v := views.PresetState{
		Name: recommended, BuiltIn: true, Edited: s.edited(), Choices: []views.PresetChoice{{Name: recommended, BuiltIn: true}},
	}
	if p := s.Setup.Preset; p != nil {
		v.Name, v.BuiltIn, v.File = p.Name, p.BuiltIn(), p.Path != ""
	}
	for _, p := range s.Setup.Presets {
		v.Choices = append(v.Choices, views.PresetChoice{Name: p.Name, BuiltIn: p.BuiltIn()})
	}
	for _, err := range s.Setup.Broken {
		p := presetProblem(err, "")
		v.Problems = append(v.Problems, p.What+": "+p.Why+".")
	}
	return v
}

// presetProblem says what is wrong with a preset's file, and where.
func presetProblem(err error, path string) *Problem {
	var file *presets.FileError
	if !errors.As(err, &file) {
		return problem(err, remedyNone, path)
	}
	p := &Problem{What: filepath.Base(file.Path) + " cannot be read", Why: file.Err.Error()}
	if file.Line > 0 {
		p.Why = fmt.Sprintf("line %d, column %d: %s", file.Line, file.Column, p.Why)
	}
	return p
}
