package app

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"greenroom/app/keying"
	"greenroom/engine"
	"greenroom/engine/device/choose"
	"greenroom/engine/settings"
	"greenroom/presets"
	"greenroom/views"
)

// Workspace holds what is open and tells of every change. It owns the engine. Its methods may be called from any
// goroutine; none but Close waits for anything.
type Workspace struct {
	// emit is called with each new state, one call at a time, in order.
	emit func(State)
	// device is the device to key on, for engine.Options.
	device string
	// asked are single settings that go before the rules'.
	asked []keying.Setting
	// sampleFolder is where keys of the sample go.
	sampleFolder string
	// folder is the app's own folder, in which presets and measurements lie; empty keeps none.
	folder string
	// measureAt is the resolution at which this machine is measured; 0 goes by the plate.
	measureAt int
	// lastPreset is the name of the preset of the last time, lastLook the look of the last plate; nil is none.
	lastPreset string
	lastLook   *settings.Look
	// detected is this machine with the best of its GPUs, whatever keys run on.
	detected presets.Machine

	// cache holds keys that can be brought back; nil keeps none. thumbing is held while missing thumbnails are made.
	cache    *variantCache
	thumbing sync.Mutex
	// thumbs is where thumbnails of recent plates lie; empty keeps none.
	thumbs string

	ctx    context.Context
	cancel context.CancelFunc
	// work is what Close waits for; reading is what it need not.
	work, reading sync.WaitGroup

	// focused says that the window has the focus; attention tells the watch over the plate that it has just got it.
	focused   atomic.Bool
	attention chan struct{}

	mu    sync.Mutex
	state State
	// The turns count what was asked for: only the last one asked for counts.
	modelTurn, plateTurn, hintTurn, dropTurn, planTurn, besideTurn int
	// stop cancels the key that is being made, stopBench the measuring, stopCheck the check of seams, stopStrip what is
	// done with several plates; nil while none is.
	stop, stopBench, stopCheck, stopStrip context.CancelFunc
	// picks counts the colours that were picked: each is a step of its own.
	picks int
	// opened is closed when the plate that was asked for last has been read.
	opened chan struct{}
	// seen is what the last look at the plate's file found where it had changed, passed what the artist has put away.
	seen, passed stamp
	// sightings are the same of the hint and of the files beside it, by their paths.
	sightings map[string]sighting
	// following says that the key is being brought up to the choices, hinting that the hint is.
	following, hinting bool
	// reviewing says that the matte is being looked over.
	reviewing bool
	// followingSecond says the same of the key on the other grid.
	followingSecond bool
	// bringing says that a variant is being brought back.
	bringing bool
	engine   *engine.Engine
	// models are all that were opened; opening is held while one is.
	models  []*keying.Model
	opening sync.Mutex
	// shelf is where models come from, and client what fetches them; nil is the usual one. stopFetch cancels the download
	// that goes on; nil while none does.
	shelf     func() (keying.Shelf, error)
	client    *http.Client
	stopFetch context.CancelFunc
	saver     saver
}

// NewWorkspace returns an empty workspace that reports its changes to emit, from any goroutine, one at a time.
// emit must not call the workspace. Start makes it able to key.
func NewWorkspace(emit func(State)) *Workspace {
	ctx, cancel := context.WithCancel(context.Background())
	opened := make(chan struct{})
	close(opened)
	return &Workspace{
		emit: emit, ctx: ctx, cancel: cancel, sampleFolder: sampleFolder(), opened: opened,
		attention: make(chan struct{}, 1), shelf: keying.ThisShelf,
		state: State{
			Choices: settings.Choices{Look: settings.DefaultLook()},
			Export:  Export{ExportChoice: views.ExportChoice{Key: true, Matte: true}},
		},
	}
}

// Start opens the engine and the model, on a goroutine of its own.
func (w *Workspace) Start() {
	w.lookAtRecents()
	w.work.Go(func() {
		machine, err := presets.Detect(keying.GPUs())
		measured := w.measurements(machine)
		w.change(func(s *State) { w.detected, s.Machine, s.Setup.Measured = machine, machine, measured })
		if err != nil {
			w.fail(err, remedyNone)
		}
		w.loadPresets()
		w.loadModels()
		w.firstPreset(w.lastPreset, machine)
		device := w.deviceOf(w.State().Setup.Preset)
		e, err := keying.NewEngine(w.ctx, device, w.keyOn, nil)
		if err != nil && device != w.device {
			// The preset's device is told of, and keys run all the same.
			w.failUnlessClosing(err, remedyNone)
			e, err = keying.NewEngine(w.ctx, w.device, w.keyOn, nil)
		}
		if err != nil {
			w.failUnlessClosing(err, remedyNone)
			return
		}
		model, err := keying.OpenModel(w.ctx, keying.DefaultModel)
		if err != nil {
			e.Close()
			w.failUnlessClosing(err, remedyNone)
			return
		}
		w.change(func(s *State) {
			w.engine, s.Model = e, model
			w.models = append(w.models, model)
		})
		w.wantModel()
		w.wantDevice(w.State().Setup.Preset)
		w.plan()
	})
}

// keyOn takes in what keys run on from now on. The engine tells it.
func (w *Workspace) keyOn(u choose.Using) {
	w.change(func(s *State) {
		s.tilesTurn++
		s.Setup.Device, s.Machine = u, keying.On(w.detected, u)
		w.reading.Go(w.plan)
	})
}

// deviceOf is the device that keys with a preset run on; nil is no preset.
func (w *Workspace) deviceOf(p *presets.Preset) string {
	if p == nil || p.Engine.Device == "" {
		return w.device
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	name, _ := p.On(w.detected)
	return name
}

// wantDevice turns the engine to the device of a preset. Before the engine is there it is opened on it.
func (w *Workspace) wantDevice(p *presets.Preset) {
	w.mu.Lock()
	e := w.engine
	w.mu.Unlock()
	if e == nil {
		return
	}
	if err := e.Use(w.ctx, w.deviceOf(p)); err != nil {
		w.failUnlessClosing(err, remedyNone)
	}
}

// Close stops everything, waits for it and frees it: at most three seconds. A file that is being read is not waited
// for: it changes nothing on the disk.
func (w *Workspace) Close() error {
	w.saveNow()
	w.cancel()
	done := make(chan struct{})
	go func() { w.work.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(closeTime):
	}
	w.mu.Lock()
	e, models := w.engine, w.models
	w.mu.Unlock()
	var err error
	if e != nil {
		err = e.Close()
	}
	for _, m := range models {
		m.Close()
	}
	return err
}

// closeTime is how long Close waits for what is going on, before it closes the engine.
const closeTime = 1500 * time.Millisecond

// change alters the state and tells of it.
func (w *Workspace) change(alter func(*State)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	alter(&w.state)
	w.emit(w.state)
}

// State returns the state of now.
func (w *Workspace) State() State {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state
}

// fail shows what went wrong.
func (w *Workspace) fail(err error, r remedy) {
	w.change(func(s *State) { s.Problem = problem(err, r) })
}

// failUnlessClosing is fail, but not for what closing itself brings about.
func (w *Workspace) failUnlessClosing(err error, r remedy) {
	if w.ctx.Err() == nil {
		w.fail(err, r)
	}
}

// Fail makes err the problem that is shown.
func (w *Workspace) Fail(err error) { w.fail(err, remedyNone) }

// Answer answers the question; an answer that it has not puts it away.
func (w *Workspace) Answer(i int) {
	var do func()
	w.change(func(s *State) {
		if q := s.Question; q != nil && i >= 0 && i < len(q.do) {
			do = q.do[i]
		}
		s.Question = nil
	})
	if do != nil {
		do()
	}
}
