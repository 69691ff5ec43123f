package app

import (
	"context"
	"errors"
	"strings"
	"time"

	"greenroom/engine/checkpoint"
)

// Fetch is a download of a model.
type Fetch struct {
	Model checkpoint.Model
	// Verifying says that all of it is here and its hash is being taken.
	Verifying bool
	// Done of Total bytes are here; Total is 0 where nobody says. Left is the time the rest takes, negative while nobody
	// knows.
	Done, Total int64
	Left        time.Duration
}

// FetchModel begins to fetch a model of the catalogue. One with a licence is fetched once that is accepted.
func (w *Workspace) FetchModel(name string) {
	start := false
	w.change(func(s *State) {
		m, ok := s.Models.find(name)
		switch {
		case !ok || s.Models.Fetch != nil:
		case m.Licence.Accept != "":
			s.Models.Licence = &m
		default:
			start = true
		}
	})
	if start {
		w.startFetching(name)
	}
}

// AcceptLicence answers whether the licence that is shown is accepted.
func (w *Workspace) AcceptLicence(yes bool) {
	name := ""
	w.change(func(s *State) {
		if m := s.Models.Licence; m != nil && yes {
			name = m.Name
		}
		s.Models.Licence = nil
	})
	if name != "" {
		w.startFetching(name)
	}
}

// startFetching downloads a model whose licence is accepted.
func (w *Workspace) startFetching(name string) {
	ctx, stop := context.WithCancel(w.ctx)
	var m checkpoint.Model
	w.change(func(s *State) {
		found, ok := s.Models.find(name)
		if !ok || s.Models.Fetch != nil {
			return
		}
		m, w.stopFetch = found, stop
		s.Models.Fetch, s.Problem = &Fetch{Model: m, Left: -1}, nil
	})
	if m.Name == "" {
		stop()
		return
	}
	w.work.Go(func() {
		defer stop()
		w.fetch(ctx, m)
	})
}

// StopFetching stops the download. What is here of it stays, and the next download goes on from there.
func (w *Workspace) StopFetching() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopFetch != nil {
		w.stopFetch()
	}
}

// tellEvery is how often the progress of a download is told.
const tellEvery = 100 * time.Millisecond

// fetch downloads a model and chooses it.
func (w *Workspace) fetch(ctx context.Context, m checkpoint.Model) {
	shelf, err := w.shelf()
	if err == nil {
		pace, told := pace{begun: time.Now()}, time.Time{}
		_, err = checkpoint.Fetch(ctx, w.client, m, shelf.Folder, true, func(p checkpoint.Progress) {
			left := pace.left(p, time.Now())
			if now := time.Now(); p.Done == p.Total || now.Sub(told) >= tellEvery {
				told = now
				f := &Fetch{Model: m, Verifying: p.Phase == checkpoint.Verifying, Done: p.Done, Total: p.Total, Left: left}
				w.change(func(s *State) { s.Models.Fetch = f })
			}
		})
	}
	if err == nil {
		w.loadModels()
	}
	w.change(func(s *State) {
		s.Models.Fetch, w.stopFetch = nil, nil
		if err != nil && !errors.Is(err, context.Canceled) && w.ctx.Err() == nil {
			s.Problem = fetchProblem(m, err)
		}
	})
	if err == nil {
		w.ChooseModel(m.Name)
	}
}

// pace tells how long the rest of a download takes. A part that was here before does not count.
type pace struct {
	begun time.Time
	// url is the file that is being fetched, and first how much of it was here when it began.
	url   string
	first int64
}

// steadyAfter is how long a download must have gone on before its time is told.
const steadyAfter = time.Second

func (a *pace) left(p checkpoint.Progress, now time.Time) time.Duration {
	if a.url != p.URL {
		a.url, a.begun, a.first = p.URL, now, p.Done
	}
	spent, gained := now.Sub(a.begun), p.Done-a.first
	if p.Phase != checkpoint.Downloading || p.Total == 0 || gained <= 0 || spent < steadyAfter {
		return -1
	}
	return time.Duration(float64(spent) * float64(p.Total-p.Done) / float64(gained))
}

// fetchProblem says why a download failed, in a sentence, and offers to try again. Where several places were tried, the
// first of them speaks: it is the one that most people get the model from.
func fetchProblem(m checkpoint.Model, err error) *Problem {
	p := &Problem{What: m.Title + " was not downloaded", Details: err.Error(), remedy: remedyFetch, subject: m.Name}
	var several *checkpoint.SourcesError
	if errors.As(err, &several) && len(several.Errs) > 0 {
		err = several.Errs[0]
	}
	var download *checkpoint.DownloadError
	var file *checkpoint.FileError
	switch {
	case errors.As(err, &download):
		p.Why, p.Fix = download.Problem, download.Remedy
	case errors.As(err, &file):
		p.Why, p.Fix = file.Problem, file.Remedy
	default:
		p.Why = err.Error()
	}
	p.Fix = strings.Replace(p.Fix, "point at the file", "open its file under Model", 1)
	return p
}
