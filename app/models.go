package app

import (
	"fmt"
	"path/filepath"
	"slices"

	"greenroom/app/keying"
	"greenroom/engine/checkpoint"
	"greenroom/views"
)

// Models are the models that can be chosen, and the one that is being fetched.
type Models struct {
	// Known are those of the catalogue; Here, in the same order, says which of them can be opened without being fetched.
	Known []checkpoint.Model
	Here  []bool
	// Files are the checkpoints in the models' folder, and those that were opened from elsewhere.
	Files []string
	// Opening is the name of the one that is being opened; empty when none is.
	Opening string
	// Licence is what has to be accepted before a model is fetched; nil when nothing has.
	Licence *checkpoint.Model
	// Fetch is the download that goes on; nil when none does.
	Fetch *Fetch
}

// Title is what people call a model of the catalogue, or a file.
func (m *Models) Title(name string) string {
	for _, known := range m.Known {
		if known.Name == name {
			return known.Title
		}
	}
	return filepath.Base(name)
}

// stepModel is the step of choosing a model.
const stepModel = "Model"

// modelName is the name of the model that keys are to run with: the artist's choice, else the preset's, else the one
// that is built in.
func (s *State) modelName() string {
	switch {
	case s.Setup.Model != "":
		return s.Setup.Model
	case s.Setup.Preset != nil && s.Setup.Preset.Engine.Model != "":
		return s.Setup.Preset.Engine.Model
	}
	return keying.DefaultModel
}

// modelBusy says why no other model can be chosen now; empty when one can.
func (s *State) modelBusy() string {
	switch {
	case s.Model == nil:
		return "The model is being opened"
	case s.Setup.Bench != nil:
		return "This machine is being measured"
	}
	return ""
}

// ChooseModel chooses the model by its name, or by the path of its file.
func (w *Workspace) ChooseModel(name string) {
	w.change(func(s *State) {
		if s.modelBusy() != "" || s.modelName() == name {
			return
		}
		if _, known := s.Models.find(name); !known && !slices.Contains(s.Models.Files, name) {
			s.Models.Files = append(slices.Clone(s.Models.Files), name)
		}
		next := s.moment()
		next.Model, s.Setup.Usual = name, nil
		// Each is a step of its own.
		w.modelTurn++
		s.History.record(views.Step{Name: stepModel, Turn: w.modelTurn}, s.moment())
		w.take(s, next)
	})
}

// find returns a model of the catalogue.
func (m *Models) find(name string) (checkpoint.Model, bool) {
	for _, known := range m.Known {
		if known.Name == name {
			return known, true
		}
	}
	return checkpoint.Model{}, false
}

// loadModels looks up which models there are.
func (w *Workspace) loadModels() {
	shelf, err := w.shelf()
	if err != nil {
		w.failUnlessClosing(err, remedyNone)
		return
	}
	here := make([]bool, len(shelf.Models))
	for i, m := range shelf.Models {
		here[i] = shelf.Here(m)
	}
	files := shelf.Files()
	w.change(func(s *State) {
		for _, path := range s.Models.Files {
			if !slices.Contains(files, path) {
				files = append(files, path)
			}
		}
		s.Models.Known, s.Models.Here, s.Models.Files = shelf.Models, here, files
	})
}

// wantModel opens the model that keys are to run with, where another one is open. Where it cannot be opened, the choice
// goes back to the one that is. Models stay open until the end: a key may still run with the one before.
func (w *Workspace) wantModel() {
	// One after another, each by the choice of its time: the last word stays.
	w.opening.Lock()
	defer w.opening.Unlock()
	state := w.State()
	name := state.modelName()
	if state.Model == nil || state.Model.Name == name {
		return
	}
	w.change(func(s *State) { s.Models.Opening = name })
	model, err := w.openModel(name)
	w.change(func(s *State) {
		s.Models.Opening = ""
		switch {
		case s.modelName() != name:
			// The next call opens what is asked for now.
		case err != nil:
			if w.ctx.Err() == nil {
				s.refuseModel(name, err)
			}
		default:
			s.Model, s.Plan = model, nil
		}
	})
}

// refuseModel tells why a model cannot be used, and takes its choice back.
func (s *State) refuseModel(name string, err error) {
	if s.Setup.Model == "" {
		s.Problem = problem(fmt.Errorf("cannot open the preset's model %s: %w", filepath.Base(name), err), remedyModel, name)
		return
	}
	s.Problem = problem(fmt.Errorf("cannot use the model %s: %w", filepath.Base(name), err), remedyModel, name)
	if last(s.History.past) == stepModel {
		s.History.forget()
	}
	s.Models.Files = slices.DeleteFunc(slices.Clone(s.Models.Files), func(path string) bool { return path == name })
	s.Setup.Model = s.Model.Name
	if s.Setup.Model == keying.DefaultModel && (s.Setup.Preset == nil || s.Setup.Preset.Engine.Model == "") {
		s.Setup.Model = ""
	}
}

// openModel opens a model, or finds the very one among those that are open: keys that were made with it are not out of
// date.
func (w *Workspace) openModel(name string) (*keying.Model, error) {
	shelf, err := w.shelf()
	if err != nil {
		return nil, err
	}
	model, err := shelf.Open(w.ctx, name)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range w.models {
		if m.Name == model.Name && m.Hash == model.Hash {
			return m, model.Close()
		}
	}
	w.models = append(w.models, model)
	return model, nil
}
