package app

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"greenroom/app/keying"
	"greenroom/assets"
	"greenroom/engine/checkpoint"
	"greenroom/engine/imageio/disktest"
	"greenroom/engine/settings"
	"greenroom/views"
)

// step names a change that is none of a drag.
func step(name string) views.Step { return views.Step{Name: name} }

// matteSum tells one finished matte from another.
func matteSum(s State) float64 {
	sum := 0.0
	for i, v := range s.Key.Finished.Matte.Pix {
		sum += float64(v) * float64(i%97+1)
	}
	return sum
}

// publisher is a local server that stands for the publisher of a model.
type publisher struct {
	*httptest.Server
	// handle answers; it may be changed.
	handle atomic.Pointer[http.HandlerFunc]
	ranges []string
}

// weights are a checkpoint that keys: the built-in one with its last number a little off.
func weights() []byte {
	other := bytes.Clone(assets.Nano)
	other[len(other)-4] ^= 1
	return other
}

func newPublisher(t *testing.T) *publisher {
	p := &publisher{}
	p.answer(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(weights()))
	})
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.ranges = append(p.ranges, r.Header.Get("Range"))
		(*p.handle.Load())(w, r)
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *publisher) answer(h http.HandlerFunc) { p.handle.Store(&h) }

// sells makes a workspace's models come from a publisher, into a folder.
func (w *tested) sells(t *testing.T, p *publisher, folder string) {
	t.Helper()
	nano, err := checkpoint.Find(keying.DefaultModel)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(weights())
	blue := checkpoint.Model{
		Name: "studio-blue", Title: "Studio Blue", About: "A blue-screen model.", Screen: checkpoint.BlueScreen,
		Licence: checkpoint.Licence{Name: "Studio licence", URL: "https://example.org/licence", Text: "For pictures only.", Accept: "I accept it."},
		Sources: []checkpoint.Source{{
			URL: p.URL + "/blue.safetensors", File: "blue.safetensors", Layout: "torch", Size: int64(len(weights())), SHA256: hex.EncodeToString(sum[:]),
		}},
	}
	w.shelf = func() (keying.Shelf, error) {
		return keying.Shelf{Models: []checkpoint.Model{nano, blue}, Folder: folder}, nil
	}
}

// offered waits until the models are known.
func (w *tested) offered(t *testing.T) {
	t.Helper()
	w.until(t, "the models", func(s State) bool { return s.Model != nil && len(s.Models.Known) > 0 })
}

// TestAModelIsFetchedAfterItsLicenceAndKeys goes from the menu to a key with the new model, and back by undo.
func TestAModelIsFetchedAfterItsLicenceAndKeys(t *testing.T) {
	p := newPublisher(t)
	w := newTested(t)
	folder := filepath.Join(t.TempDir(), "models")
	w.sells(t, p, folder)
	w.Start()
	w.offered(t)
	w.Open(savePlate(t, "shot.png", 160, 96))
	s := w.keyed(t)
	if v := w.show(s).Model; v.Label != "Nano" || len(v.Offers) != 1 || !strings.Contains(v.Offers[0].Label, "Get Studio Blue (blue, ") {
		t.Fatalf("offered %+v", v)
	}
	w.FetchModel("studio-blue")
	l := w.show(w.State()).Model.Licence
	if l == nil || l.Text != "For pictures only." || l.Accept != "I accept it." || l.URL == "" || len(p.ranges) > 0 {
		t.Fatalf("licence %+v, %d requests before it is accepted", l, len(p.ranges))
	}
	w.AcceptLicence(false)
	if s := w.State(); s.Models.Licence != nil || s.Models.Fetch != nil {
		t.Error("refused, and a download goes on")
	}
	w.FetchModel("studio-blue")
	w.AcceptLicence(true)
	s = w.until(t, "the model", func(s State) bool { return s.Model.Name == "studio-blue" })
	if s.Models.Fetch != nil || s.Problem != nil || s.Stale() != "the model has changed" {
		t.Errorf("fetch %+v, problem %+v, stale %q", s.Models.Fetch, s.Problem, s.Stale())
	}
	told := false
	for _, s := range w.recorder.all() {
		if f := s.Models.Fetch; f != nil && f.Done > 0 && f.Total == int64(len(weights())) {
			told = told || f.show().Part > 0
		}
	}
	if !told {
		t.Error("no progress was told")
	}
	if v := w.show(s).Model; v.Label != "Studio Blue" || len(v.Offers) != 0 || len(v.Choices) != 2 || v.Name != "studio-blue" {
		t.Errorf("then %+v", v)
	}
	w.planned(t)
	s = w.keyed(t)
	if !s.Key.Result.Swapped || s.Key.Model.Name != "studio-blue" || s.Stale() != "" {
		t.Errorf("a blue model on a green screen: swapped %v, stale %q", s.Key.Result.Swapped, s.Stale())
	}
	w.Undo()
	s = w.until(t, "the model of before", func(s State) bool { return s.Model.Name == keying.DefaultModel })
	if s.Stale() == "" || last(s.History.future) != stepModel {
		t.Errorf("undone: stale %q", s.Stale())
	}
	w.Redo()
	w.until(t, "the model again", func(s State) bool { return s.Model.Name == "studio-blue" && s.Stale() == "" })
}

// TestFailedDownloadsAreToldApart: each in a sentence of its own, with a button that tries again.
func TestFailedDownloadsAreToldApart(t *testing.T) {
	p := newPublisher(t)
	good := p.handle.Load()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	seen := map[string]string{}
	for _, c := range []struct {
		name, want string
		answer     http.HandlerFunc
		folder     func() string
		nowhere    bool
	}{
		{name: "404", want: "does not have this file", answer: http.NotFound},
		{name: "wrong hash", want: "not the published file", answer: func(w http.ResponseWriter, r *http.Request) {
			other := bytes.Clone(weights())
			other[len(other)-1] ^= 1
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(other))
		}},
		{name: "no network", want: "cannot be reached", nowhere: true},
		{name: "full disk", want: "no room left", folder: func() string { return disktest.Small(t, 1<<20) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			if c.folder != nil {
				folder = c.folder()
			}
			w := newTested(t)
			w.sells(t, p, folder)
			if c.nowhere {
				shelf, _ := w.shelf()
				source := shelf.Models[1].Sources[0]
				source.URL = gone.URL + "/blue.safetensors"
				shelf.Models[1].Sources = []checkpoint.Source{source}
				w.shelf = func() (keying.Shelf, error) { return shelf, nil }
			}
			p.handle.Store(good)
			if c.answer != nil {
				p.answer(c.answer)
			}
			w.Start()
			w.offered(t)
			w.FetchModel("studio-blue")
			w.AcceptLicence(true)
			s := w.until(t, "the problem", func(s State) bool { return s.Problem != nil && s.Models.Fetch == nil })
			v := w.show(s).Problem
			if v.What != "Studio Blue was not downloaded" || !strings.Contains(v.Why, c.want) || v.Button != "Try again" || v.Fix == "" || v.Details == "" {
				t.Errorf("told %+v", v)
			}
			if other, twice := seen[v.Why]; twice {
				t.Errorf("%s and %s are told by one sentence: %s", other, c.name, v.Why)
			}
			seen[v.Why] = c.name
			if s.Model.Name != keying.DefaultModel {
				t.Errorf("keys would run with %s", s.Model.Name)
			}
			if _, err := os.Stat(filepath.Join(folder, "blue.safetensors")); err == nil {
				t.Error("a file of that name is there")
			}
			// The button's way, once the fault is gone. The licence is not asked for again.
			if c.folder == nil && !c.nowhere {
				p.handle.Store(good)
				w.startFetching(s.Problem.subject)
				w.until(t, "the model", func(s State) bool { return s.Model.Name == "studio-blue" && s.Problem == nil })
			}
		})
	}
}

// TestACancelledDownloadGoesOnWhereItStopped stops in the middle and asks only for the rest afterwards.
func TestACancelledDownloadGoesOnWhereItStopped(t *testing.T) {
	p := newPublisher(t)
	good := *p.handle.Load()
	hold := make(chan struct{})
	p.answer(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		w.Header().Set("Content-Length", strconv.Itoa(len(weights())))
		w.Write(weights()[:1<<20])
		w.(http.Flusher).Flush()
		select {
		case <-hold:
		case <-r.Context().Done():
		}
	})
	w := newTested(t)
	folder := t.TempDir()
	w.sells(t, p, folder)
	w.Start()
	w.offered(t)
	w.FetchModel("studio-blue")
	w.AcceptLicence(true)
	w.until(t, "a part", func(s State) bool { return s.Models.Fetch != nil && s.Models.Fetch.Done > 0 })
	w.StopFetching()
	s := w.until(t, "the end", func(s State) bool { return s.Models.Fetch == nil })
	close(hold)
	if s.Problem != nil {
		t.Errorf("cancelling is told as %+v", s.Problem)
	}
	p.answer(good)
	w.FetchModel("studio-blue")
	w.AcceptLicence(true)
	w.until(t, "the model", func(s State) bool { return s.Model.Name == "studio-blue" })
	if rest := p.ranges[len(p.ranges)-1]; !strings.HasPrefix(rest, "bytes=") {
		t.Errorf("asked for %q", p.ranges)
	}
}

// TestAModelIsOpenedFromAFile: by its path; one that is none is refused and the choice goes back.
func TestAModelIsOpenedFromAFile(t *testing.T) {
	w := newTested(t)
	w.sells(t, newPublisher(t), t.TempDir())
	w.Start()
	w.offered(t)
	mine := filepath.Join(t.TempDir(), "mine é.safetensors")
	if err := os.WriteFile(mine, weights(), 0o666); err != nil {
		t.Fatal(err)
	}
	w.ChooseModel(mine)
	s := w.until(t, "the file", func(s State) bool { return s.Model.Name == mine })
	if v := w.show(s).Model; v.Label != "mine é.safetensors" || v.Name != mine || !slices.ContainsFunc(v.Choices, func(c views.ModelChoice) bool { return c.Name == mine }) {
		t.Errorf("shown %+v", v)
	}
	broken := filepath.Join(t.TempDir(), "broken.safetensors")
	if err := os.WriteFile(broken, weights()[:1000], 0o666); err != nil {
		t.Fatal(err)
	}
	w.ChooseModel(broken)
	s = w.until(t, "the problem", func(s State) bool { return s.Problem != nil && s.Models.Opening == "" })
	if v := w.show(s); !strings.Contains(v.Problem.What, "broken.safetensors") || v.Problem.Why == "" || v.Problem.Button == "" || v.Model.Name != mine {
		t.Errorf("told %+v, chosen %s", v.Problem, v.Model.Name)
	}
	if s.Model.Name != mine || last(s.History.past) != stepModel || len(s.History.past) != 1 {
		t.Errorf("the model is %s, %d steps", s.Model.Name, len(s.History.past))
	}
}

// TestWhatTheNetworkIsGivenPutsTheKeyOutOfDate changes each control of the group: the refiner works at once, the others
// ask for a new key, which comes out in another way.
func TestWhatTheNetworkIsGivenPutsTheKeyOutOfDate(t *testing.T) {
	w := newTested(t)
	w.Start()
	w.Open(savePlate(t, "shot.png", 160, 96))
	s := w.keyed(t)
	before := matteSum(s)
	w.Choose(step("Refiner"), func(c *settings.Choices) { c.Look.Refiner = 0 })
	s = w.until(t, "the coarse result", func(s State) bool { return !s.behind() })
	if got := matteSum(s); got == before || s.Stale() != "" {
		t.Errorf("without the refiner: matte %v as before %v, stale %q", got, before, s.Stale())
	}
	w.Undo()
	w.until(t, "the refined result", func(s State) bool { return !s.behind() && matteSum(s) == before })
	for name, alter := range map[string]func(*settings.Choices){
		"key exposure":  func(c *settings.Choices) { c.Look.KeyExposure = 2 },
		"chroma smooth": func(c *settings.Choices) { c.Look.ChromaSmooth = 4 },
		"screen":        func(c *settings.Choices) { c.Look.Screen = settings.ScreenBlue },
	} {
		w.Choose(step(name), alter)
		s = w.until(t, name, func(s State) bool { return !s.FindingHint })
		if name != "screen" {
			if s.Stale() == "" || !w.show(s).Key.Ready {
				t.Errorf("%s: stale %q, ready %v", name, s.Stale(), w.show(s).Key.Ready)
			}
			s = w.keyed(t)
			if s = w.until(t, "the key", func(s State) bool { return s.Stale() == "" }); matteSum(s) == before {
				t.Errorf("%s makes no other matte", name)
			}
		} else if s.Problem == nil && s.Stale() == "" {
			t.Error("a blue screen is taken for the green one")
		}
		w.Dismiss()
		w.Undo()
		w.until(t, "the hint of before", func(s State) bool { return !s.FindingHint })
		w.keyed(t)
		w.until(t, "the key of before", func(s State) bool { return s.Stale() == "" && matteSum(s) == before })
	}
}

// TestTheTimeADownloadTakesIsToldOnceItIsSteady: what was here before does not count, and a hash has no time.
func TestTheTimeADownloadTakesIsToldOnceItIsSteady(t *testing.T) {
	begun := time.Now()
	p := pace{}
	at := func(after time.Duration, done int64, phase checkpoint.Phase) time.Duration {
		return p.left(checkpoint.Progress{Phase: phase, URL: "a", Done: done, Total: 1000}, begun.Add(after))
	}
	for i, c := range []struct {
		after time.Duration
		done  int64
		phase checkpoint.Phase
		want  time.Duration
	}{
		{0, 400, checkpoint.Downloading, -1}, // resumed
		{500 * time.Millisecond, 450, checkpoint.Downloading, -1},
		{2 * time.Second, 500, checkpoint.Downloading, 10 * time.Second},
		{10 * time.Second, 900, checkpoint.Downloading, 2 * time.Second},
		{12 * time.Second, 500, checkpoint.Verifying, -1},
	} {
		if got := at(c.after, c.done, c.phase); got != c.want {
			t.Errorf("%d: %v left, want %v", i, got, c.want)
		}
	}
}
