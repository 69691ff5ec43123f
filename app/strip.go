package app

import (
	"fmt"
	"image"
	"path/filepath"
	"slices"

	"greenroom/app/keying"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// mostPlates is how many plates the strip holds.
const mostPlates = 20

// Strip are the plates that are at hand. One of them is open; of the others only what was chosen for them is kept, and
// their keys lie in the cache.
type Strip struct {
	Plates []StripPlate
	// Open is the ID of the open plate; 0 with none.
	Open int
	// Run is what is being done with several plates; nil while nothing is.
	Run *StripRun
	// Told says for a while what was done with plates; empty where nothing is to be said.
	Told string
	// last is the last ID that was given.
	last int
}

// StripPlate is a plate of the strip.
type StripPlate struct {
	// ID tells it from the others; it is never given again.
	ID int
	// Path is the plate's file; empty for the sample.
	Path string
	// Thumb is nil until the plate was read for the first time. source is the plate without its pixels; nil until then.
	Thumb  image.Image
	source *keying.Source
	// Failed says why it could not be read, keyed or exported; empty where it could.
	Failed string
	// desk is what was left when another plate was opened; of the open one it is of before that was opened.
	desk
	// seen counts up each time that a plate is opened.
	seen int
}

// desk is what belongs to a plate beside its pictures.
type desk struct {
	Choices settings.Choices
	Edits   []presets.Setting
	History history
	// Folder is where its exports go, Report is of the last one, which was of Written.
	Folder  string
	Report  *keying.Report
	Written writtenKey
	// Keyed says that it has a whole key, which is of a cause, Stale why that is out of date.
	Keyed bool
	cause cause
	Stale string
	// Restored says that what is chosen did not begin here; see State.Restored.
	Restored string
}

// writtenKey is a key that was exported: what it is of, and what was chosen then.
type writtenKey struct {
	cause   cause
	Choices settings.Choices
}

// exported reports whether the last export wrote the key as it is now.
func (d *desk) exported() bool {
	return d.Report != nil && d.Keyed && d.Stale == "" && d.Written.cause == d.cause && d.Written.Choices.Equal(d.Choices)
}

// Name is the plate's file name.
func (p StripPlate) Name() string { return filepath.Base(keying.Order{Plate: p.Path}.Label()) }

// read keeps what is to be known of a plate that was read when its pixels are gone.
func (p *StripPlate) read(plate *Plate) {
	source := plate.Source
	source.Plate.RGB.Pix, source.Plate.Alpha = nil, picture.Image{}
	p.Thumb, p.source = plate.Thumb, &source
}

// find returns where a plate is in the strip; -1 for nowhere.
func (s *Strip) find(id int) int {
	return slices.IndexFunc(s.Plates, func(p StripPlate) bool { return p.ID == id })
}

// at returns the ID of the plate of a file; 0 where it is not in the strip.
func (s *Strip) at(path string) int {
	for _, p := range s.Plates {
		if p.Path == path {
			return p.ID
		}
	}
	return 0
}

// alter changes a plate of the strip, if it is still there.
func (s *Strip) alter(id int, by func(*StripPlate)) {
	if i := s.find(id); i >= 0 {
		s.Plates = slices.Clone(s.Plates)
		by(&s.Plates[i])
	}
}

// add puts a plate at the end, in a place that spare leaves, and returns its ID; 0 where there is no room. The plates in
// keep stay.
func (s *Strip) add(path string, d desk, keep ...int) int {
	if !s.makeRoom(keep) {
		return 0
	}
	s.last++
	s.Plates = append(slices.Clone(s.Plates), StripPlate{ID: s.last, Path: path, desk: d, seen: s.last})
	return s.last
}

// spare returns the plate that can go when the strip is full: the one that was not looked at for longest, of those that
// lose nothing and are not in keep. It returns -1 where there is none.
func (s *Strip) spare(keep []int) int {
	found := -1
	for i, p := range s.Plates {
		lost := (len(p.History.past) > 0 || p.Keyed) && !p.exported()
		if p.ID != s.Open && !lost && !slices.Contains(keep, p.ID) && (found < 0 || p.seen < s.Plates[found].seen) {
			found = i
		}
	}
	return found
}

// hasRoom reports whether one more plate has a place beside those in keep.
func (s *Strip) hasRoom(keep ...int) bool {
	return len(s.Plates) < mostPlates || s.Run == nil && s.spare(keep) >= 0
}

func (s *Strip) makeRoom(keep []int) bool {
	if !s.hasRoom(keep...) {
		return false
	}
	if len(s.Plates) >= mostPlates {
		i := s.spare(keep)
		s.Plates = slices.Delete(slices.Clone(s.Plates), i, i+1)
	}
	return true
}

// stripFull is the problem of one plate too many.
func stripFull(name string) *Problem {
	return &Problem{
		What: "There is no room for " + name, Why: fmt.Sprintf("the strip holds %d plates, and all have work that was not exported", mostPlates),
		Fix: "close a plate in the strip, or export its key",
	}
}

// desk returns what belongs to the open plate.
func (s *State) desk() desk {
	d := desk{
		Choices: s.Choices, Edits: s.Setup.Edits, History: s.History, Folder: s.Export.Folder, Report: s.Export.Report,
		Written: s.Export.Written, Restored: s.Restored, Keyed: s.Key != nil && s.Key.Whole, Stale: s.Stale(),
	}
	if d.Keyed {
		d.cause = s.Key.cause
	}
	return d
}

// leave keeps what belongs to the open plate before another one takes its place.
func (s *State) leave() {
	d := s.desk()
	s.Strip.alter(s.Strip.Open, func(p *StripPlate) { p.desk = d })
}

// enter makes a plate that was read the open one.
func (w *Workspace) enter(s *State, plate *Plate, o opening) {
	before := *s
	s.leave()
	w.install(s, plate)
	id := o.id
	if id == 0 {
		id = s.Strip.at(plate.Path)
	}
	i := s.Strip.find(id)
	switch {
	case o.again:
		s.Choices, s.History, s.Export.Folder = before.Choices, before.History, before.Export.Folder
	case o.recalled != nil:
		w.takeUp(s, o.recalled, o.hint)
		if o.recalled.explicit {
			s.Export.recall(o.recalled.Recall, s.Plate)
		}
	case i >= 0 && id != before.Strip.Open:
		d := s.Strip.Plates[i].desk
		s.Choices, s.Setup.Edits, s.History, s.Restored = d.Choices, d.Edits, d.History, d.Restored
		s.Export.Folder, s.Export.Report, s.Export.Written = d.Folder, d.Report, d.Written
		if o.hint != "" {
			s.Choices.Hint, s.Choices.Chroma = o.hint, false
		}
	default:
		s.Setup.asUsual()
		s.Choices = freshChoices(before.Choices)
		s.Restored = startsWith(s.Choices.Look)
		s.Choices.Hint = o.hint
	}
	if i < 0 {
		if id = s.Strip.add(plate.Path, desk{}); id == 0 {
			// The room that there was when it was asked for has been taken meanwhile: the plate before makes way.
			id = before.Strip.Open
			s.Strip.alter(id, func(p *StripPlate) { *p = StripPlate{ID: id, Path: plate.Path} })
		}
	}
	s.Strip.Open = id
	latest := 0
	for _, p := range s.Strip.Plates {
		latest = max(latest, p.seen)
	}
	s.Strip.alter(id, func(p *StripPlate) {
		p.read(plate)
		p.Failed, p.seen = "", latest+1
	})
	s.keyOnHint = o.key && before.keyBegun() || o.again && before.keyAsked()
	if text := before.leftOff(o.again); text != "" && !o.key {
		w.tell(s, text)
	}
	w.wakeHint(s)
	w.wakeBeside(s)
}

// freshChoices are those that a plate begins with: the look of the plate before.
func freshChoices(before settings.Choices) settings.Choices {
	c := settings.Choices{Look: before.Look}
	if c.Look.Background == settings.BackgroundPicture {
		// It was the picture of the plate before.
		c.Look.Background = settings.DefaultLook().Background
	}
	return c
}

// startsWith says that a plate which was never seen begins with a look that is not the usual one; empty where it is.
func startsWith(look settings.Look) string {
	if look == settings.DefaultLook() {
		return ""
	}
	return "Starts with the last look."
}

// pair is a plate with its hint; an empty hint is looked for.
type pair struct{ plate, hint string }

// OpenAll puts plates into the strip, opens the first of them, and shows notice; nil is none. Of more than have a place
// the first are taken.
func (w *Workspace) OpenAll(list []pair, notice *Problem) {
	left := 0
	var taken []int
	desks := make([]desk, len(list))
	for i := range list {
		if path, err := filepath.Abs(list[i].plate); err == nil {
			list[i].plate = path
		}
		desks[i] = w.newDesk(list[i].plate)
	}
	w.change(func(s *State) {
		for i, p := range list {
			id := s.Strip.at(p.plate)
			if id == 0 {
				id = s.Strip.add(p.plate, desks[i], taken...)
			}
			if id == 0 {
				left++
				continue
			}
			if p.hint != "" && id != s.Strip.Open {
				s.Strip.alter(id, func(e *StripPlate) { e.Choices.Hint, e.Choices.Chroma = p.hint, false })
			}
			taken = append(taken, id)
		}
	})
	if left > 0 {
		notice = &Problem{
			What: fmt.Sprintf("%d of %d plates were left out", left, len(list)), Why: fmt.Sprintf("the strip holds %d", mostPlates),
			Fix: "close plates in the strip, then drop the rest",
		}
	}
	s, i := w.State(), -1
	if len(taken) > 0 {
		i = s.Strip.find(taken[0])
	}
	if i >= 0 && taken[0] != s.Strip.Open {
		w.open(opening{path: s.Strip.Plates[i].Path, id: taken[0], notice: notice})
	} else if notice != nil {
		w.change(func(s *State) { s.Problem = notice })
	}
	w.reading.Go(w.thumbnails)
}

// openedNow is closed when the plate that was asked for last has been read.
func (w *Workspace) openedNow() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.opened
}

// thumbnails makes those that are missing, one after another.
func (w *Workspace) thumbnails() {
	w.thumbing.Lock()
	defer w.thumbing.Unlock()
	for w.ctx.Err() == nil {
		<-w.openedNow()
		state := w.State()
		i := slices.IndexFunc(state.Strip.Plates, func(p StripPlate) bool { return p.Thumb == nil && p.Failed == "" })
		if i < 0 {
			return
		}
		p := state.Strip.Plates[i]
		plate, err := readPlate(p.Path, p.Choices)
		w.change(func(s *State) {
			s.Strip.alter(p.ID, func(e *StripPlate) {
				if err != nil {
					e.Failed = problem(err, remedyNone, p.Path).words()
					return
				}
				e.read(plate)
			})
		})
		w.recogniseKeys()
	}
}

// SwitchTo opens a plate of the strip. While a key is being made it does nothing: that would be lost.
func (w *Workspace) SwitchTo(id int) {
	s := w.State()
	i := s.Strip.find(id)
	if i < 0 || s.Running != nil || id == s.Strip.Open && s.Opening == "" {
		return
	}
	w.open(opening{path: s.Strip.Plates[i].Path, id: id})
}

// ClosePlate takes a plate out of the strip. In place of the open one its neighbour is opened; the last one stays.
func (w *Workspace) ClosePlate(id int) {
	var next *StripPlate
	w.change(func(s *State) {
		i := s.Strip.find(id)
		if i < 0 || len(s.Strip.Plates) < 2 || s.Running != nil || s.Strip.Run != nil {
			return
		}
		if id == s.Strip.Open {
			n := i + 1
			if n == len(s.Strip.Plates) {
				n = i - 1
			}
			next = &s.Strip.Plates[n]
			return
		}
		s.Strip.Plates = slices.Delete(slices.Clone(s.Strip.Plates), i, i+1)
	})
	if next != nil {
		w.open(opening{path: next.Path, id: next.ID, closing: id})
	}
}

// stepCopyLook is the step that CopyLook is in the history of the plates that it changes.
const stepCopyLook = "Copy look"

// CopyLook gives the look of the open plate to others of the strip: what fits any plate. What was drawn on them stays.
func (w *Workspace) CopyLook(ids []int) {
	var changed []int
	var state State
	w.change(func(s *State) {
		for _, id := range ids {
			if id == s.Strip.Open {
				continue
			}
			s.Strip.alter(id, func(p *StripPlate) {
				before := p.Choices
				p.Choices.Look = s.Choices.Look
				if s.Choices.Look.Background == settings.BackgroundPicture {
					p.Choices.Backdrop, p.Choices.BackdropSpace = s.Choices.Backdrop, s.Choices.BackdropSpace
				}
				if p.Choices.Equal(before) {
					return
				}
				p.History.single(stepCopyLook, moment{before, s.Setup.Preset, p.Edits, s.Setup.Model})
				if p.Keyed && p.Stale == "" && !p.Choices.SameHint(before) {
					p.Stale = hintChanged
				}
				changed = append(changed, id)
			})
		}
		told := "Look copied to 1 plate"
		if n := len(ids); n != 1 {
			told = fmt.Sprintf("Look copied to %d plates", n)
		}
		w.tell(s, told)
		state = *s
	})
	if len(changed) > 0 {
		w.work.Go(func() { w.saveAway(state, changed) })
	}
}
