package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/engine/device"
	"greenroom/engine/device/choose"
)

// shop opens fake devices: a GPU as long as it is not barred, then the processor.
type shop struct {
	asked  string
	gpu    func() (*fake, error)
	opened []*fake
	barred []string
	told   []choose.Using
}

func (s *shop) open(_ context.Context, name, barred string) (device.Device, choose.Using, error) {
	s.barred = append(s.barred, barred)
	if name == "" {
		name = s.asked
	}
	using := choose.Using{Info: device.Info{Kind: choose.CPU, Name: "the processor"}, Asked: name, Why: barred}
	d := &fake{}
	if barred == "" && name != choose.CPU {
		using.Info = device.Info{Kind: choose.Vulkan, Name: "the GPU"}
		var err error
		if d, err = s.gpu(); err != nil {
			return nil, choose.Using{}, err
		}
	}
	s.opened = append(s.opened, d)
	return d, using, nil
}

// start starts an engine on the shop's devices and checks, when the test ends, that each was closed once.
func (s *shop) start(t *testing.T) *Engine {
	t.Helper()
	e, err := start(context.Background(), Options{Changed: func(u choose.Using) { s.told = append(s.told, u) }}, s.open)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		for i, d := range s.opened {
			if d.closed != 1 || d.live != 0 || len(d.strange) > 0 {
				t.Errorf("device %d was closed %d times with %d programs, called from elsewhere: %v", i, d.closed, d.live, d.strange)
			}
		}
	})
	return e
}

// losing returns GPUs that are lost in their second tile, and whole ones from the given number on.
func losing(lost int) func() (*fake, error) {
	return func() (*fake, error) {
		d := &fake{}
		if lost--; lost >= 0 {
			d.run = func(_ context.Context, n int, _ *fakeRunner) error {
				if n == 1 {
					return fmt.Errorf("submit: %w", device.ErrLost)
				}
				return nil
			}
		}
		return d, nil
	}
}

func TestALostDeviceEndsItsJobAndIsOpenedForTheNext(t *testing.T) {
	for _, asked := range []string{choose.Auto, choose.Vulkan} {
		s := &shop{asked: asked, gpu: losing(1)}
		e := s.start(t)
		_, err := e.Key(context.Background(), testJob(t, 600, 100))
		var lost *LostError
		if !errors.As(err, &lost) || !errors.Is(err, device.ErrLost) || lost.Barred || !strings.HasPrefix(err.Error(), "the GPU stopped working: ") {
			t.Errorf("%s: the error is %v", asked, err)
		}
		if s.opened[0].runs != 2 {
			t.Errorf("%s: the lost device ran %d tiles: it was tried again", asked, s.opened[0].runs)
		}
		r, err := e.Key(context.Background(), testJob(t, 600, 100))
		if err != nil || len(s.opened) != 2 {
			t.Fatalf("%s: the next job: %v, %d devices were opened", asked, err, len(s.opened))
		}
		if len(r.Adjusted) != 0 || e.Using().Kind != choose.Vulkan {
			t.Errorf("%s: the next job ran on %+v, %v", asked, e.Using(), r.Adjusted)
		}
	}
}

func TestADeviceThatIsLostAgainGivesWayToTheProcessor(t *testing.T) {
	s := &shop{asked: choose.Auto, gpu: losing(9)}
	e := s.start(t)
	var last error
	for range 2 {
		_, last = e.Key(context.Background(), testJob(t, 600, 100))
	}
	var lost *LostError
	if !errors.As(last, &lost) || !lost.Barred || !strings.Contains(last.Error(), "the processor takes over") {
		t.Errorf("the second error is %v", last)
	}
	r, err := e.Key(context.Background(), testJob(t, 600, 100))
	if err != nil {
		t.Fatal(err)
	}
	if u := e.Using(); u.GPU() || u.Why != "the GPU stopped working 2 times" || r.Why != u.Why {
		t.Errorf("the third job ran on %+v, because %q", u, r.Why)
	}
	if kinds := []string{s.told[0].Kind, s.told[1].Kind, s.told[2].Kind}; len(s.told) != 3 || !slices.Equal(kinds, []string{"vulkan", "vulkan", "cpu"}) {
		t.Errorf("told of %v", s.told)
	}
	// One that was asked for is opened again and again.
	s = &shop{asked: choose.Vulkan, gpu: losing(9)}
	e = s.start(t)
	for range 4 {
		if _, err := e.Key(context.Background(), testJob(t, 600, 100)); !errors.Is(err, device.ErrLost) {
			t.Errorf("the error is %v", err)
		}
	}
	if len(s.opened) != 4 || s.barred[3] != "" {
		t.Errorf("%d devices were opened, barred %q", len(s.opened), s.barred)
	}
}

func TestANetworkThatAGPUCannotRunGoesToTheProcessor(t *testing.T) {
	failing := func() (*fake, error) {
		return &fake{load: func(string) error { return errors.New("no kernel left for conv2d") }}, nil
	}
	s := &shop{asked: choose.Auto, gpu: failing}
	e := s.start(t)
	ticket := e.Submit(context.Background(), testJob(t, 600, 100))
	r, err := ticket.Wait()
	if err != nil {
		t.Fatal(err)
	}
	want := Adjustment{"device", "vulkan", "cpu", "the GPU cannot run the network: no kernel left for conv2d"}
	if len(r.Adjusted) != 1 || r.Adjusted[0] != want || e.Using().Why != want.Why {
		t.Errorf("adjusted %v, using %+v", r.Adjusted, e.Using())
	}
	told := slices.ContainsFunc(drain(ticket), func(ev Event) bool { return ev.Phase == PhaseRetry && strings.Contains(ev.Note, "cpu") })
	if !told {
		t.Error("no event tells of it")
	}
	// Asked for by name it fails instead.
	s = &shop{asked: choose.Vulkan, gpu: failing}
	var failed *DeviceError
	if _, err := s.start(t).Key(context.Background(), testJob(t, 600, 100)); !errors.As(err, &failed) || len(s.opened) != 1 {
		t.Errorf("asked for by name: %v", err)
	}
}

func TestTooLittleMemoryIsTriedOnceAtTheNextSmallerTile(t *testing.T) {
	for _, fits := range []bool{true, false} {
		s := &shop{asked: choose.Auto, gpu: func() (*fake, error) {
			return &fake{load: func(size string) error {
				if size == "256x256" || !fits {
					return fmt.Errorf("take memory: %w", device.ErrOutOfMemory)
				}
				return nil
			}}, nil
		}}
		e := s.start(t)
		j := testJob(t, 600, 600)
		j.Settings.Tile, j.Settings.Overlap = 256, 32
		r, err := e.Key(context.Background(), j)
		if fits && (err != nil || r.Used.Tile != 128 || len(r.Adjusted) == 0 || r.Adjusted[0].Setting != "tile") {
			t.Errorf("the key: %v", err)
		}
		var memory *MemoryError
		if !fits && !errors.As(err, &memory) {
			t.Errorf("the error is %v", err)
		}
		if got := s.opened[0].sizes; len(s.opened) != 1 || !slices.Equal(got, []string{"256x256", "128x128"}) {
			t.Errorf("tried %v on %d devices", got, len(s.opened))
		}
	}
}

func TestADeviceThatCannotBeOpenedAgainFailsTheJob(t *testing.T) {
	gone := errors.New("no GPU with a Vulkan driver")
	first := losing(1)
	opens := 0
	s := &shop{asked: choose.Vulkan, gpu: func() (*fake, error) {
		if opens++; opens == 2 {
			return nil, gone
		}
		return first()
	}}
	e := s.start(t)
	e.Key(context.Background(), testJob(t, 600, 100))
	var failed *DeviceError
	if _, err := e.Key(context.Background(), testJob(t, 600, 100)); !errors.Is(err, gone) || !errors.As(err, &failed) || !strings.Contains(err.Error(), "failed to open") {
		t.Errorf("the job after: %v", err)
	}
	if _, err := e.Key(context.Background(), testJob(t, 600, 100)); err != nil {
		t.Errorf("once it is back: %v", err)
	}
}

func TestTheEngineTurnsToAnotherDevice(t *testing.T) {
	gone := errors.New("no GPU with a Vulkan driver")
	opens := 0
	s := &shop{asked: choose.Auto, gpu: func() (*fake, error) {
		if opens++; opens == 2 {
			return nil, gone
		}
		return &fake{}, nil
	}}
	e := s.start(t)
	kind := func() string {
		t.Helper()
		r, err := e.Key(context.Background(), testJob(t, 40, 40))
		if err != nil {
			t.Fatal(err)
		}
		if r.Device.Kind != "fake" {
			t.Errorf("it ran on %+v", r.Device)
		}
		return e.Using().Kind
	}
	for _, name := range []string{choose.CPU, choose.CPU} {
		if err := e.Use(context.Background(), name); err != nil {
			t.Fatal(err)
		}
	}
	if k := kind(); k != choose.CPU || len(s.opened) != 2 {
		t.Errorf("on %s, %d devices were opened", k, len(s.opened))
	}
	// Where the other one cannot be opened, the one before goes on.
	if err := e.Use(context.Background(), choose.Vulkan); !errors.Is(err, gone) {
		t.Errorf("a GPU that is gone: %v", err)
	}
	if k := kind(); k != choose.CPU {
		t.Errorf("after that, on %s", k)
	}
	if err := e.Use(context.Background(), choose.Vulkan); err != nil || kind() != choose.Vulkan {
		t.Errorf("once it is back: %v, on %+v", err, e.Using())
	}
	if err := e.Use(context.Background(), "abacus"); err == nil || kind() != choose.Vulkan {
		t.Errorf("an unknown device: %v", err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if err := e.Use(context.Background(), choose.CPU); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed engine: %v", err)
	}
}

func TestATurnWaitsForTheJobAndCanBeGivenUp(t *testing.T) {
	reached := make(chan struct{})
	s := &shop{asked: choose.Auto, gpu: func() (*fake, error) { return &fake{run: slow(0, reached)}, nil }}
	e := s.start(t)
	ticket := e.Submit(context.Background(), testJob(t, 40, 40))
	<-reached
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if err := e.Use(ctx, choose.CPU); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("given up: %v", err)
	}
	if e.Using().Kind != choose.Vulkan {
		t.Error("it did not wait for the job")
	}
	ticket.Cancel()
	ticket.Wait()
	// What was given up is not done later either.
	if _, err := e.Key(context.Background(), testJob(t, 40, 40)); err != nil || len(s.opened) != 1 {
		t.Errorf("the job after: %v, %d devices were opened", err, len(s.opened))
	}
}
