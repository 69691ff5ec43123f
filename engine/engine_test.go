package engine

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/engine/device"
	"greenroom/engine/device/choose"
	"greenroom/engine/settings"
)

// slow returns a run that blocks in tile n until its context ends.
func slow(tile int, reached chan<- struct{}) func(context.Context, int, *fakeRunner) error {
	return func(ctx context.Context, n int, _ *fakeRunner) error {
		if n != tile {
			return nil
		}
		close(reached)
		<-ctx.Done()
		return context.Cause(ctx)
	}
}

func TestEventsTellEveryTileWithoutAReader(t *testing.T) {
	e := startFake(t, &fake{})
	for _, preview := range []bool{false, true} {
		j := testJob(t, 700, 500)
		j.Preview = preview
		ticket := e.Submit(context.Background(), j)
		r, err := ticket.Wait() // nobody reads: the engine must not stop
		if err != nil {
			t.Fatal(err)
		}
		events := drain(ticket)
		if events[0].Phase != PhaseLoad || events[1].Phase != PhaseKey || events[1].Tile != 0 {
			t.Errorf("events begin with %+v, %+v", events[0], events[1])
		}
		tiles := events[2:]
		if len(tiles) != r.Grid.Len() {
			t.Fatalf("%d events of %d tiles", len(tiles), r.Grid.Len())
		}
		covered := image.Rectangle{}
		for i, ev := range tiles {
			covered = covered.Union(ev.Rect)
			if ev.Tile != i+1 || ev.Tiles != r.Grid.Len() || ev.Left < 0 || ev.Bytes <= 1000 {
				t.Errorf("event %d is %+v", i, ev)
			}
			if preview != !ev.Matte.Empty() || preview && (ev.Matte.W != ev.Rect.Dx() || ev.FG.H != ev.Rect.Dy()) {
				t.Errorf("event %d shows %dx%d of %v", i, ev.Matte.W, ev.Matte.H, ev.Rect)
			}
			if preview && ev.FG.Pix[0] != j.Plate.RGB.Row(ev.Rect.Min.Y)[3*ev.Rect.Min.X] {
				t.Errorf("event %d shows other pixels than its rectangle's", i)
			}
		}
		if covered != image.Rect(0, 0, 700, 500) || tiles[len(tiles)-1].Left != 0 {
			t.Errorf("tiles cover %v, left at the end %v", covered, tiles[len(tiles)-1].Left)
		}
		if r.PeakBytes < tiles[0].Bytes {
			t.Errorf("the peak is %d, an event said %d", r.PeakBytes, tiles[0].Bytes)
		}
	}
}

func TestTimeLeftComesFromTheTilesBefore(t *testing.T) {
	d := &fake{run: func(context.Context, int, *fakeRunner) error {
		time.Sleep(20 * time.Millisecond)
		return nil
	}}
	start := time.Now()
	ticket := startFake(t, d).Submit(context.Background(), testJob(t, 700, 100))
	for ev := range ticket.Events() {
		if ev.Phase != PhaseKey || ev.Tile == 0 {
			if ev.Left >= 0 {
				t.Errorf("%+v knows what is left before the first tile", ev)
			}
			continue
		}
		left := time.Duration(ev.Tiles - ev.Tile)
		if most := time.Since(start) / time.Duration(ev.Tile); ev.Left < left*20*time.Millisecond || ev.Left > left*most {
			t.Errorf("%d tiles of 20 ms to %v are left, it says %v", left, most, ev.Left)
		}
	}
}

func TestCancelInsideATileKeepsTheFinishedOnes(t *testing.T) {
	reached := make(chan struct{})
	e := startFake(t, &fake{run: slow(2, reached)})
	j := testJob(t, 600, 100)
	ticket := e.Submit(context.Background(), j)
	<-reached
	start := time.Now()
	ticket.Cancel()
	r, err := ticket.Wait()
	if took := time.Since(start); took > time.Second {
		t.Errorf("it took %v", took)
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if r == nil || r.Finished != 2 || r.Grid.Len() <= 2 {
		t.Fatalf("the result is %+v", r)
	}
	// The first two tiles are there at full strength, the rest is 0.
	end := r.Grid.Inside(1).Max.X
	for i, v := range r.Matte.Pix {
		want := j.Plate.RGB.Pix[3*i]
		if i%600 >= end {
			want = 0
		}
		if d := v - want; d > 1e-6 || d < -1e-6 {
			t.Fatalf("pixel %d is %v, want %v", i, v, want)
		}
	}
	// The engine goes on.
	e.Key(context.Background(), testJob(t, 40, 40))
}

func TestCancelBeforeTheFirstTileGivesNoResult(t *testing.T) {
	reached := make(chan struct{})
	e := startFake(t, &fake{run: slow(0, reached)})
	ctx, cancel := context.WithCancel(context.Background())
	ticket := e.Submit(ctx, testJob(t, 600, 100))
	<-reached
	cancel()
	if r, err := ticket.Wait(); r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("result %v, error %v", r, err)
	}
}

func TestCancelledJobsLeaveTheQueueAtOnce(t *testing.T) {
	reached := make(chan struct{})
	e := startFake(t, &fake{run: slow(0, reached)})
	first := e.Submit(context.Background(), testJob(t, 600, 100))
	<-reached
	second := e.Submit(context.Background(), testJob(t, 40, 40))
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	third := e.Submit(ctx, testJob(t, 40, 40))
	second.Cancel()
	if _, err := second.Wait(); !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled job ends with %v", err)
	}
	if _, err := third.Wait(); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the job whose time is over ends with %v", err)
	}
	select {
	case <-first.Done():
		t.Error("the running job ended too")
	default:
	}
	first.Cancel()
	first.Wait()
	drain(second)
}

func TestCloseCancelsDrainsAndFrees(t *testing.T) {
	reached := make(chan struct{})
	d := &fake{run: slow(1, reached)}
	e := startFake(t, d)
	running := e.Submit(context.Background(), testJob(t, 600, 100))
	waiting := e.Submit(context.Background(), testJob(t, 40, 40))
	<-reached
	start := time.Now()
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > closeLimit {
		t.Errorf("closing took %v", took)
	}
	if r, err := running.Wait(); !errors.Is(err, ErrClosed) || r == nil || r.Finished != 1 {
		t.Errorf("the running job ends with %v, %+v", err, r)
	}
	if _, err := waiting.Wait(); !errors.Is(err, ErrClosed) {
		t.Errorf("the waiting job ends with %v", err)
	}
	if _, err := e.Key(context.Background(), testJob(t, 40, 40)); !errors.Is(err, ErrClosed) {
		t.Errorf("a later job ends with %v", err)
	}
	if d.live != 0 || d.closed != 1 {
		t.Errorf("%d programs are left, the device was closed %d times", d.live, d.closed)
	}
}

func TestPanicFailsOnlyItsJob(t *testing.T) {
	d := &fake{}
	d.run = func(_ context.Context, n int, _ *fakeRunner) error {
		if n == 1 {
			explode()
		}
		return nil
	}
	e := startFake(t, d)
	j := testJob(t, 600, 100)
	_, err := e.Key(context.Background(), j)
	var p *PanicError
	if !errors.As(err, &p) || !strings.Contains(string(p.Stack), "explode") || !strings.Contains(err.Error(), "a fault in a kernel") {
		t.Errorf("the error is %v", err)
	}
	if _, err := e.Key(context.Background(), j); err != nil {
		t.Errorf("the next job fails: %v", err)
	}
	if len(d.sizes) != 2 {
		t.Errorf("%d programs were loaded: what had failed was used again", len(d.sizes))
	}
}

func explode() { panic("a fault in a kernel") }

func TestOutOfMemoryIsRetriedOnceAtTheNextSmallerTile(t *testing.T) {
	full := fmt.Errorf("take 9 GB: %w", device.ErrOutOfMemory)
	for _, c := range []struct {
		name string
		fake *fake
		ok   bool
	}{
		{"while loading", &fake{load: func(size string) error {
			if size == "512x512" {
				return full
			}
			return nil
		}}, true},
		{"while running", &fake{run: func(_ context.Context, n int, r *fakeRunner) error {
			if n == 1 {
				return full
			}
			return nil
		}}, true},
		{"device lost", &fake{run: func(_ context.Context, n int, r *fakeRunner) error {
			if n == 0 {
				return errors.New("device lost")
			}
			return nil
		}}, true},
		{"always", &fake{load: func(string) error { return full }}, false},
	} {
		e := startFake(t, c.fake)
		j := testJob(t, 900, 600)
		j.Settings.Tile, j.Settings.Overlap = 512, 128
		ticket := e.Submit(context.Background(), j)
		r, err := ticket.Wait()
		if len(c.fake.sizes) != 2 || c.fake.sizes[0] != "512x512" || c.fake.sizes[1] != "384x384" {
			t.Errorf("%s: loaded %v", c.name, c.fake.sizes)
		}
		var notes []string
		tiles := 0
		for _, ev := range drain(ticket) {
			if ev.Phase == PhaseRetry {
				notes = append(notes, ev.Note)
			}
			if ev.Phase == PhaseKey && ev.Tile > 0 && len(notes) > 0 {
				tiles++
			}
		}
		if len(notes) != 1 || !strings.Contains(notes[0], "tile 384 instead of 512") {
			t.Errorf("%s: the events say %q", c.name, notes)
		}
		if !c.ok {
			var m *MemoryError
			if r != nil || !errors.Is(err, device.ErrOutOfMemory) || !errors.As(err, &m) || m.TileW != 384 {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if r.Used.Tile != 384 || r.Used.Overlap != 96 || len(r.Adjusted) != 2 || r.Adjusted[0].Asked != 512 || tiles != r.Grid.Len() {
			t.Errorf("%s: used %d/%d, adjusted %+v, %d tiles told", c.name, r.Used.Tile, r.Used.Overlap, r.Adjusted, tiles)
		}
		if far(r.FG, j.Plate.RGB) > 1e-6 {
			t.Errorf("%s: the failed attempt left traces", c.name)
		}
	}
}

func TestAPlateThatHasNoSmallerTileIsNotRetried(t *testing.T) {
	d := &fake{load: func(string) error { return device.ErrOutOfMemory }}
	_, err := startFake(t, d).Key(context.Background(), testJob(t, 100, 60))
	if !errors.Is(err, device.ErrOutOfMemory) || len(d.sizes) != 1 {
		t.Errorf("%v after loading %v", err, d.sizes)
	}
}

func TestAFrameTooLargeToRefineAtOnceIsRefinedByTiles(t *testing.T) {
	d := &fake{load: func(size string) error {
		if size == "320x224" {
			return device.ErrOutOfMemory
		}
		return nil
	}}
	j := testJob(t, 300, 200)
	j.Settings.Tile, j.Settings.Overlap, j.Settings.Refine = 128, 32, settings.RefineFrame
	r, err := startFake(t, d).Key(context.Background(), j)
	if err != nil {
		t.Fatal(err)
	}
	if r.Used.Refine != settings.RefineTile || r.Used.Tile != 128 || len(r.Adjusted) != 1 || r.Adjusted[0].Setting != "refine" {
		t.Errorf("used %+v, adjusted %+v", r.Used, r.Adjusted)
	}
	if far(r.FG, j.Plate.RGB) > 1e-6 {
		t.Error("the failed attempt left traces")
	}
	r, err = startFake(t, &fake{}).Key(context.Background(), j)
	if err != nil || r.Used.Refine != settings.RefineFrame || far(r.FG, j.Plate.RGB) > 1e-6 || r.FG.W != 300 {
		t.Errorf("with room: %v", err)
	}
}

func TestValuesThatAreNoNumbersAreRetriedInFloat32(t *testing.T) {
	zero := float32(0)
	spoil := func(_ context.Context, n int, r *fakeRunner) error {
		if halfWidth(r.program) {
			r.outputs["coarse"][5] = 1 / zero
		}
		return nil
	}
	d := &fake{run: spoil}
	e := startFake(t, d)
	j := testJob(t, 300, 100)
	j.Settings.BF16 = true
	ticket := e.Submit(context.Background(), j)
	r, err := ticket.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if r.Used.BF16 || len(r.Adjusted) != 1 || r.Adjusted[0].Setting != "bf16" || d.half[0] != true || d.half[1] != false {
		t.Errorf("used bf16 %v, adjusted %+v, loaded %v", r.Used.BF16, r.Adjusted, d.half)
	}

	d.run = func(_ context.Context, n int, r *fakeRunner) error {
		r.outputs["alpha"][7] = zero / zero
		return nil
	}
	_, err = e.Key(context.Background(), j)
	var bad *NonFiniteError
	if !errors.As(err, &bad) || bad.Output != "alpha" || bad.Count != 1 {
		t.Errorf("in float32 too: %v", err)
	}
}

func TestManyCallersAtOnce(t *testing.T) {
	e := startFake(t, &fake{})
	var wait sync.WaitGroup
	for i := range 12 {
		j := testJob(t, 100+20*i, 90)
		wait.Go(func() {
			ticket := e.Submit(context.Background(), j)
			if i%3 == 0 {
				ticket.Cancel()
			}
			n := len(drain(ticket))
			r, err := ticket.Wait()
			if err == nil && (n < 3 || far(r.FG, j.Plate.RGB) > 1e-6) {
				t.Errorf("job %d: %d events", i, n)
			}
			if err != nil && (i%3 != 0 || !errors.Is(err, context.Canceled)) {
				t.Errorf("job %d: %v", i, err)
			}
		})
	}
	wait.Wait()
}

func TestNewSaysWhyItCannotStart(t *testing.T) {
	if _, err := New(context.Background(), Options{Device: "abacus"}); err == nil || !strings.Contains(err.Error(), "abacus") {
		t.Errorf("an unknown device: %v", err)
	}
	broken := errors.New("no driver")
	opens := func(d device.Device, err error) opener {
		return func(context.Context, string, string) (device.Device, choose.Using, error) {
			return d, choose.Using{}, err
		}
	}
	if _, err := start(context.Background(), Options{}, opens(nil, broken)); !errors.Is(err, broken) {
		t.Errorf("a device that does not open: %v", err)
	}
	var p *PanicError
	panics := func(context.Context, string, string) (device.Device, choose.Using, error) { panic("driver") }
	if _, err := start(context.Background(), Options{}, panics); !errors.As(err, &p) {
		t.Errorf("a device that panics: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	freed := make(chan struct{})
	d := &fake{}
	_, err := start(ctx, Options{}, func(context.Context, string, string) (device.Device, choose.Using, error) {
		cancel()
		time.Sleep(20 * time.Millisecond)
		go func() {
			for {
				d.mu.Lock()
				closed := d.closed
				d.mu.Unlock()
				if closed > 0 {
					close(freed)
					return
				}
				time.Sleep(time.Millisecond)
			}
		}()
		return d, choose.Using{}, nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while opening: %v", err)
	}
	select {
	case <-freed:
	case <-time.After(5 * time.Second):
		t.Error("the device that opened too late was not freed")
	}
}
