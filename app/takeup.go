package app

import (
	"fmt"
	"path/filepath"
	"strings"

	"greenroom/app/keying"
	"greenroom/engine/settings"
	"greenroom/presets"
	"greenroom/views"
)

// recalled is what was chosen for a plate before, and is taken up again.
type recalled struct {
	keying.Recall
	like *keying.Like
	// preset is the one of Recall.Preset; nil for none.
	preset *presets.Preset
	// words say that it is back; explicit says that the artist opened the sidecar, whose export counts too.
	words    string
	explicit bool
}

// isSidecarName reports whether a name ends like a sidecar's.
func isSidecarName(name string) bool { return strings.EqualFold(filepath.Ext(name), ".toml") }

// savedFor returns what was saved of a plate; nil where nothing was, or it cannot be read any more.
func (w *Workspace) savedFor(plate string) *recalled {
	if w.folder == "" || plate == "" {
		return nil
	}
	w.flush()
	like, err := keying.ReadLike(w.savedPath(plate))
	if err != nil {
		return nil
	}
	r := w.recalledFrom(like, plate)
	r.words = "As you left it on " + r.Written.Local().Format("2 January at 15:04") + "." + r.words
	return r
}

// recalledFrom takes up what a sidecar says, for a plate.
func (w *Workspace) recalledFrom(like *keying.Like, plate string) *recalled {
	r := &recalled{Recall: like.Recall(plate), like: like}
	for _, lost := range r.Lost {
		if lost.Changed {
			r.words += fmt.Sprintf(" %s has changed since: it is taken as it is now.", filepath.Base(lost.Path))
		}
	}
	if r.Preset == "" {
		return r
	}
	p, err := w.store().Load(r.Preset)
	if err != nil {
		// What the key was run with stays, as the artist's own settings.
		r.Edits = like.Asked()
		r.words += fmt.Sprintf(" The preset %s is not there any more: its settings are kept.", r.Preset)
		return r
	}
	r.preset = &p
	return r
}

// readPlain reads a plate as its file has it where it cannot be read as it was: it may have been written again without that
// layer. Where that fails, too, it returns what it was given.
func (r *recalled) readPlain(path string, failed *Plate, why error) (*Plate, error) {
	c := &r.Choices
	if c.Layer == "" && c.Space == "" {
		return failed, why
	}
	plate, err := readPlate(path, settings.Choices{})
	if err != nil {
		return failed, why
	}
	r.words += " It is read as its file has it now: " + problem(why, remedyNone, path).words() + "."
	c.Layer, c.Space = "", ""
	return plate, nil
}

// missing is the problem of the files that are gone; nil where none is. One speaks for all.
func (r *recalled) missing(plate string) *Problem {
	var gone []keying.Lost
	for _, lost := range r.Lost {
		if !lost.Changed {
			gone = append(gone, lost)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	first := gone[0]
	p := &Problem{
		What: filepath.Base(first.Path) + " is not there any more", Why: fmt.Sprintf("it was the %s of %s; all else is back", first.As, plate),
		Fix: "open it where it is now", Details: "It was " + first.Path + ".",
	}
	p.remedy = map[keying.UsedAs]remedy{
		keying.UsedAsHint: remedyOpenHint, keying.UsedAsCore: remedyOpenCore, keying.UsedAsGarbage: remedyOpenGarbage, keying.UsedAsBackdrop: remedyOpenBackdrop,
	}[first.As]
	for _, other := range gone[1:] {
		p.Details += fmt.Sprintf(" The %s %s is not there either.", other.As, other.Path)
	}
	if n := len(gone) - 1; n > 0 {
		p.Why += fmt.Sprintf(", but for %d more (see the details)", n)
	}
	return p
}

// moment is what is chosen when it is taken up.
func (r *recalled) moment() moment { return moment{r.Choices, r.preset, r.Edits, r.Model} }

// usual is how the network is run for plates of which nothing else is known.
type usual struct {
	preset *presets.Preset
	model  string
	edits  []presets.Setting
}

// usual returns the one of now.
func (s *Setup) usual() usual {
	if s.Usual != nil {
		return *s.Usual
	}
	return usual{s.Preset, s.Model, s.Edits}
}

// asUsual brings the usual choice back for a plate of which nothing else is known.
func (s *Setup) asUsual() {
	u := s.usual()
	s.Preset, s.Model, s.Edits, s.Usual = u.preset, u.model, u.edits, nil
}

// takeUp makes what was chosen before what is chosen for a plate that has just been put into its place. A hint that was
// opened together with it goes before that one. The state is being changed.
func (w *Workspace) takeUp(s *State, r *recalled, hint string) {
	m, u := r.moment(), s.Setup.usual()
	s.Setup.Usual = &u
	s.Choices, s.Setup.Preset, s.Setup.Edits, s.Setup.Model = m.Choices, m.Preset, m.Edits, m.Model
	if hint != "" {
		s.Choices.Hint, s.Choices.Chroma = hint, false
	}
	s.Restored = r.words
	if !r.like.SamePlate(s.Plate.Source) {
		s.Restored += " The plate itself has changed since."
	}
	if p := r.missing(s.Plate.Name()); p != nil && (hint == "" || p.remedy != remedyOpenHint) {
		s.Problem = p
	}
}

// OpenSidecar opens the plate of a sidecar, and brings back all that the sidecar says.
func (w *Workspace) OpenSidecar(path string) { w.openSidecar(path, "") }

// openSidecar is OpenSidecar for a plate that lies somewhere else now; empty looks for it.
func (w *Workspace) openSidecar(path, plate string) {
	w.reading.Go(func() {
		if full, err := filepath.Abs(path); err == nil {
			path = full
		}
		like, err := keying.ReadLike(path)
		if err != nil {
			w.fail(err, remedyOpenPlate)
			return
		}
		if plate == "" {
			found, ok := like.PlatePath()
			if !ok {
				name := filepath.Base(found)
				w.change(func(s *State) {
					s.Problem = &Problem{
						What: name + " is not there any more", Why: fmt.Sprintf("it is the plate of %s", filepath.Base(path)),
						Fix: "open it where it is now: all else is brought back", Details: "It was " + found + ".",
						remedy: remedyPlateOf, file: path,
					}
				})
				return
			}
			plate = found
		}
		r := w.recalledFrom(like, plate)
		r.explicit = true
		r.words = "As " + filepath.Base(path) + " has it." + r.words
		if !w.takeUpOpen(plate, r) {
			w.open(opening{path: plate, recalled: r})
		}
	})
}

// takeUpOpen takes up what a sidecar says where its plate is open already, as a step that can be undone. It reports
// whether it is.
func (w *Workspace) takeUpOpen(plate string, r *recalled) bool {
	done := false
	w.change(func(s *State) {
		if s.Plate == nil || s.Plate.Path != plate || s.Running != nil || s.setupFixed() {
			return
		}
		done = true
		s.Problem, s.Question, s.Restored = r.missing(s.Plate.Name()), nil, r.words
		s.Export.recall(r.Recall, s.Plate)
		m := r.moment()
		if m.Choices.Equal(s.Choices) && m.Preset == s.Setup.Preset && m.Model == s.Setup.Model && len(m.Edits) == 0 && len(s.Setup.Edits) == 0 {
			return
		}
		s.History.single("Open a sidecar", s.moment())
		w.take(s, m)
	})
	if done {
		w.names()
	}
	return done
}

// recall makes an export what a sidecar of a plate says of its own. A format that suits the plate anyway was not chosen:
// other plates are not to have it.
func (e *Export) recall(r keying.Recall, p *Plate) {
	if len(r.Passes) > 0 {
		e.Key, e.Matte, e.FG, e.Comp = false, false, false, false
		for _, pass := range r.Passes {
			switch pass {
			case keying.PassKey:
				e.Key = true
			case keying.PassMatte:
				e.Matte = true
			case keying.PassFG:
				e.FG = true
			case keying.PassComp:
				e.Comp = true
			}
		}
	}
	e.Format, e.MatteY = views.ExportFormat(r.Format), r.MatteChannels == keying.MatteY
	if r.Format == keying.Format("").Suits(p.Source.Header) {
		e.Format = ""
	}
	e.Float, e.Comp8 = r.Float, r.CompDepth == 8
}

// settled opens the model and the device that were taken up, and says where the model is not the one of then.
func (w *Workspace) settled(r *recalled) {
	w.wantModel()
	w.wantDevice(r.preset)
	w.change(func(s *State) {
		if s.Model != nil && s.Restored != "" && r.Hash != "" && s.Model.Hash != r.Hash {
			s.Restored += " Another model is in use than then."
		}
	})
}

// newDesk is what a plate of the strip has before it is opened: what was saved of it, else what a new plate begins with.
func (w *Workspace) newDesk(plate string) desk {
	if r := w.savedFor(plate); r != nil {
		return desk{Choices: r.Choices, Edits: r.Edits, Folder: w.State().Export.Folder, Restored: r.words}
	}
	s := w.State()
	c := freshChoices(s.Choices)
	return desk{Choices: c, Edits: s.Setup.Edits, Folder: s.Export.Folder, Restored: startsWith(c.Look)}
}
