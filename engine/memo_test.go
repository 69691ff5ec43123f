package engine

import (
	"context"
	"errors"
	"testing"

	"greenroom/engine/settings"
)

func TestKeptTilesStayInTheirMemory(t *testing.T) {
	j := testJob(t, 300, 200) // 3 x 2 tiles of 128 x 128, 17 bytes a pixel
	const tile = 128 * 128 * 17
	for _, c := range []struct {
		tiles, recalled int
	}{{0, 0}, {1, 1}, {4, 4}, {6, 6}, {9, 6}} {
		d := &fake{}
		e := startFake(t, d)
		j.Keep = int64(c.tiles * tile)
		first, err := e.Key(context.Background(), j)
		if err != nil {
			t.Fatal(err)
		}
		plain := j
		plain.Keep = 0
		second, err := e.Key(context.Background(), j)
		if err != nil {
			t.Fatal(err)
		}
		if first.Recalled != 0 || second.Recalled != c.recalled || d.runs != 12-c.recalled {
			t.Errorf("with room for %d tiles %d were recalled, %d ran", c.tiles, second.Recalled, d.runs)
		}
		if far(first.Matte, second.Matte) != 0 || far(first.FG, second.FG) != 0 || far(first.Coarse, second.Coarse) != 0 {
			t.Errorf("with room for %d tiles the second key is another", c.tiles)
		}
		third, err := e.Key(context.Background(), plain)
		if err != nil {
			t.Fatal(err)
		}
		if extra := second.PeakBytes - third.PeakBytes; extra != int64(min(c.tiles, 6)*tile) {
			t.Errorf("with room for %d tiles %d bytes more were counted", c.tiles, extra)
		}
		if third.Recalled != 0 {
			t.Error("a key that keeps nothing recalled tiles")
		}
	}
}

func TestLessRoomKeepsFewerTiles(t *testing.T) {
	e := startFake(t, &fake{})
	j := testJob(t, 300, 200) // 3 x 2 tiles of 128 x 128, 17 bytes a pixel
	const tile = 128 * 128 * 17
	plain, err := e.Key(context.Background(), j)
	if err != nil {
		t.Fatal(err)
	}
	for _, tiles := range []int{6, 2} { // the second key has room for fewer than there are
		j.Keep = int64(tiles * tile)
		r, err := e.Key(context.Background(), j)
		if err != nil {
			t.Fatal(err)
		}
		if extra := r.PeakBytes - plain.PeakBytes; extra > j.Keep || extra < j.Keep/2 {
			t.Errorf("with room for %d tiles %d bytes more were held", tiles, extra)
		}
	}
}

func TestTilesOfTheKeyBeforeGiveWay(t *testing.T) {
	e := startFake(t, &fake{})
	j := testJob(t, 300, 200)
	j.Keep = 6 * 128 * 128 * 17
	other := j
	other.Hint = j.Hint.Clone()
	for i := range other.Hint.Pix {
		other.Hint.Pix[i] /= 2
	}
	for n, c := range []struct {
		job      Job
		recalled int
	}{{j, 0}, {other, 0}, {other, 6}, {j, 0}} {
		r, err := e.Key(context.Background(), c.job)
		if err != nil {
			t.Fatal(err)
		}
		if r.Recalled != c.recalled {
			t.Errorf("key %d: %d tiles were recalled, not %d", n, r.Recalled, c.recalled)
		}
	}
}

func TestAStoppedKeyGoesOnWhereItWasStopped(t *testing.T) {
	d := &fake{}
	e := startFake(t, d)
	j := testJob(t, 300, 200)
	j.Keep = 1 << 30
	ctx, stop := context.WithCancel(context.Background())
	d.run = func(ctx context.Context, n int, _ *fakeRunner) error {
		if n == 3 {
			stop()
		}
		return ctx.Err()
	}
	if _, err := e.Key(ctx, j); !errors.Is(err, context.Canceled) {
		t.Fatalf("the key ended with %v", err)
	}
	r, err := e.Key(context.Background(), j)
	if err != nil {
		t.Fatal(err)
	}
	if r.Recalled != 3 || d.runs != 4+3 {
		t.Errorf("%d tiles were recalled, the network ran %d times", r.Recalled, d.runs)
	}
}

// keptThenFrame keys a plate in tiles that are kept, and returns the job that refines them over the frame.
func keptThenFrame(t *testing.T) (*fake, *Engine, Job) {
	t.Helper()
	d := &fake{}
	e := startFake(t, d)
	j := testJob(t, 300, 200)
	j.Keep = 1 << 30
	if _, err := e.Key(context.Background(), j); err != nil {
		t.Fatal(err)
	}
	j.Settings.Refine = settings.RefineFrame
	return d, e, j
}

func TestNothingIsRecalledAfterAFailure(t *testing.T) {
	d, e, j := keptThenFrame(t)
	broken := errors.New("broken")
	d.run = func(context.Context, int, *fakeRunner) error { return broken }
	if _, err := e.Key(context.Background(), j); !errors.Is(err, broken) {
		t.Fatalf("a broken refiner ended with %v", err)
	}
	d.run = nil
	r, err := e.Key(context.Background(), j)
	if err != nil {
		t.Fatal(err)
	}
	if r.Recalled != 0 {
		t.Errorf("%d tiles of a device that failed were recalled", r.Recalled)
	}
}

func TestARecalledFrameWaitsForNoTiles(t *testing.T) {
	d, e, j := keptThenFrame(t)
	ticket := e.Submit(context.Background(), j)
	for _, ev := range drain(ticket) {
		if ev.Left >= 0 {
			t.Errorf("%s %d: %v are said to be left where no tile ran", ev.Phase, ev.Tile, ev.Left)
		}
	}
	if _, err := ticket.Wait(); err != nil {
		t.Fatal(err)
	}
	if d.runs != 7 || len(d.sizes) != 2 {
		t.Errorf("the network ran %d times, %v were loaded", d.runs, d.sizes)
	}
}
