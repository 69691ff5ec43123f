package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"greenroom/engine"
	"greenroom/engine/colour"
	"greenroom/engine/device/conformance/conformancetest"
	"greenroom/engine/greenformer"
	"greenroom/engine/greenformer/greenformertest"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// mini is a network small enough to be run many times.
var mini = greenformer.Config{Embed: 16, Heads: 2, Stages: [4]int{1, 2, 3, 1}, Decoder: 32, Refiner: 16, Grid: 32}

func newEngine(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := engine.New(context.Background(), engine.Options{Device: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func randomModel(t testing.TB, c greenformer.Config) *greenformer.Model {
	t.Helper()
	m, err := greenformertest.Model(c, 3)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// job returns a job over a plate of soft shapes.
func job(m *greenformer.Model, w, h int) engine.Job {
	plate, hint := picture.New(w, h, 3), picture.New(w, h, 1)
	for i := range hint.Pix {
		x, y := float64(i%w), float64(i/w)
		v := 0.5 + 0.5*math.Sin(x/17)*math.Cos(y/23)
		hint.Pix[i] = float32(v)
		copy(plate.Pix[3*i:], []float32{float32(0.3 + 0.5*v), float32(0.8 - 0.5*v), float32(0.2 + 0.1*math.Sin(x*y/900))})
	}
	return engine.Job{
		Plate: picture.Picture{RGB: plate, Space: colour.SRGB}, Hint: hint, Model: m,
		ModelScreen: settings.ScreenAuto, Screen: settings.ScreenGreen, Settings: settings.Default(),
	}
}

func key(t testing.TB, e *engine.Engine, j engine.Job) *engine.Result {
	t.Helper()
	r, err := e.Key(context.Background(), j)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// apart returns the largest difference of two images of one size.
func apart(t testing.TB, a, b []float32) float64 {
	t.Helper()
	if len(a) != len(b) {
		t.Fatalf("%d values against %d", len(a), len(b))
	}
	worst := 0.0
	for i, v := range a {
		worst = max(worst, math.Abs(float64(v)-float64(b[i])))
	}
	return worst
}

func TestCPUKeysTheSameUnderEverySettingThatMustNotMatter(t *testing.T) {
	e := newEngine(t)
	m := randomModel(t, mini)
	for _, layout := range []struct {
		tile, frame int
		refine      settings.Refine
	}{
		{0, 0, settings.RefineTile},
		{96, 0, settings.RefineTile},
		{0, 128, settings.RefineTile},
		{96, 0, settings.RefineFrame},
		{96, 160, settings.RefineFrame},
	} {
		j := job(m, 200, 150)
		j.Settings.Tile, j.Settings.Overlap, j.Settings.Frame, j.Settings.Refine = layout.tile, 32, layout.frame, layout.refine
		want := key(t, e, j)
		if want.Matte.W != 200 || want.Matte.H != 150 {
			t.Fatalf("the matte is %dx%d", want.Matte.W, want.Matte.H)
		}
		for _, name := range []string{"slim", "sdpa", "fused_decode", "gpu_preprocess", "compile", "stage_gc"} {
			other := j
			on, _ := other.Settings.Get(name)
			if err := other.Settings.Set(name, fmt.Sprint(!on.(bool))); err != nil {
				t.Fatal(err)
			}
			got := key(t, e, other)
			if d := max(apart(t, got.Matte.Pix, want.Matte.Pix), apart(t, got.FG.Pix, want.FG.Pix)); d > 1e-4 {
				t.Errorf("%+v: %s changes the key by %v", layout, name, d)
			}
		}
	}
}

// TestAnOverflowOfFloat16IsKeyedInFloat32 keys with a network whose refiner passes 65504, the most that float16 holds.
func TestAnOverflowOfFloat16IsKeyedInFloat32(t *testing.T) {
	e := newEngine(t)
	m, err := greenformertest.Loud(mini, 3, "refiner.res2.conv1.weight", 1e6)
	if err != nil {
		t.Fatal(err)
	}
	j := job(m, 200, 150)
	j.Settings.Tile, j.Settings.Overlap = 96, 32
	want := key(t, e, j)
	j.Settings.BF16 = true
	if r := key(t, e, j); !r.Used.BF16 || len(r.Adjusted) > 0 {
		t.Errorf("bfloat16, which holds it: used %+v, adjusted %+v", r.Used, r.Adjusted)
	}
	j.Settings.Half = settings.Float16
	r := key(t, e, j)
	if r.Used.BF16 || len(r.Adjusted) != 1 || r.Adjusted[0].Setting != "bf16" {
		t.Errorf("used %+v, adjusted %+v", r.Used, r.Adjusted)
	}
	if d := max(apart(t, r.Matte.Pix, want.Matte.Pix), apart(t, r.FG.Pix, want.FG.Pix)); d != 0 {
		t.Errorf("the key is %v off float32's", d)
	}
}

func TestCPUPlanIsWhatTheJobTakes(t *testing.T) {
	e := newEngine(t)
	m := randomModel(t, mini)
	for _, change := range []func(*settings.Settings){
		func(*settings.Settings) {},
		func(s *settings.Settings) { s.Tile = 128 },
		func(s *settings.Settings) { s.GPUPreprocess = false },
		func(s *settings.Settings) { s.Tile, s.Refine = 128, settings.RefineFrame },
		func(s *settings.Settings) { s.Tile, s.Frame, s.Refine = 128, 320, settings.RefineFrame },
		func(s *settings.Settings) { s.Frame = 160 },
		func(s *settings.Settings) { s.Frame, s.Tile, s.StageGC = 320, 128, true },
		func(s *settings.Settings) { s.Slim, s.SDPA, s.Compile = false, false, false },
	} {
		j := job(m, 300, 210)
		change(&j.Settings)
		r := key(t, e, j)
		p, err := engine.Plan(m, 300, 210, j.Settings)
		if err != nil {
			t.Fatal(err)
		}
		// What a plan leaves out is the device's scratch memory: some hundred kilobytes a thread.
		if scratch := r.PeakBytes - p.PeakBytes; scratch < 0 || scratch > 8<<20 {
			t.Errorf("%+v: planned %d, took %d", j.Settings, p.PeakBytes, r.PeakBytes)
		}
		if p.Grid.Len() != r.Grid.Len() || p.PeakBytes != p.ArenaBytes+p.WeightBytes+p.PictureBytes || p.ScratchBytes != 0 {
			t.Errorf("%+v: the plan is %+v", j.Settings, p)
		}
	}
	if _, err := engine.Plan(m, 0, 10, settings.Default()); err == nil {
		t.Error("a plan of an empty plate")
	}
}

// TestCPUPlanKnowsOfWideOverlaps keys a plate whose last row of tiles was moved back so far that most of the picture
// waits to be measured.
func TestCPUPlanKnowsOfWideOverlaps(t *testing.T) {
	j := job(randomModel(t, mini), 2000, 160)
	j.Settings.Tile = 128
	r := key(t, newEngine(t), j)
	p, err := engine.Plan(j.Model, 2000, 160, j.Settings)
	if err != nil {
		t.Fatal(err)
	}
	if d := r.PeakBytes - p.PeakBytes; d < 0 || d > 1<<20 {
		t.Errorf("planned %d, took %d", p.PeakBytes, r.PeakBytes)
	}
}

func TestCPURefinesTheFrameAtOnce(t *testing.T) {
	e := newEngine(t)
	j := job(randomModel(t, mini), 300, 210)
	j.ModelScreen, j.Preview = settings.ScreenBlue, true // green and blue change places, there and back
	whole := key(t, e, j)
	j.Settings.Tile, j.Settings.Overlap, j.Settings.Refine = 128, 64, settings.RefineFrame
	ticket := e.Submit(context.Background(), j)
	var last engine.Event
	tiles := 0
	for ev := range ticket.Events() {
		if ev.Matte.W > 0 {
			tiles++
			if ev.Matte.W != ev.Rect.Dx() || ev.FG.H != ev.Rect.Dy() {
				t.Errorf("tile %d is shown as %dx%d", ev.Tile, ev.Matte.W, ev.Matte.H)
			}
		}
		last = ev
	}
	r, err := ticket.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if last.Phase != engine.PhaseRefine || tiles != r.Grid.Len() || r.Finished != tiles {
		t.Errorf("%d of %d tiles were shown, and the last phase is %s", tiles, r.Grid.Len(), last.Phase)
	}
	if !r.Matte.SameSize(whole.Matte) || !r.FG.SameSize(whole.FG) || !r.Coarse.SameSize(whole.Coarse) {
		t.Fatalf("the key is %dx%d", r.Matte.W, r.Matte.H)
	}
	// Tiles see less around them than the whole frame does; the refiner sees the same.
	sum := 0.0
	for i, v := range r.FG.Pix {
		sum += math.Abs(float64(v - whole.FG.Pix[i]))
	}
	if mean := sum / float64(len(r.FG.Pix)); mean == 0 || mean > 0.05 {
		t.Errorf("the foreground is %v from that of one tile", mean)
	}
}

func TestCPUTakesTheSameMemoryForEveryPlate(t *testing.T) {
	e := newEngine(t)
	j := job(randomModel(t, mini), 260, 260)
	j.Settings.Tile = 128
	first := key(t, e, j).PeakBytes
	for i := range 5 {
		if now := key(t, e, j).PeakBytes; now != first {
			t.Errorf("plate %d takes %d bytes, the first took %d", i+2, now, first)
		}
	}
}

func TestCPUStopsInsideATile(t *testing.T) {
	e := newEngine(t)
	j := job(randomModel(t, greenformertest.Nano), 1536, 1536) // seconds in one call
	begun := time.Now()
	if _, err := e.Key(context.Background(), j); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(begun)
	ticket := e.Submit(context.Background(), j)
	for ev := range ticket.Events() {
		if ev.Phase == engine.PhaseKey {
			break
		}
	}
	time.Sleep(100 * time.Millisecond)
	start := time.Now()
	ticket.Cancel()
	_, err := ticket.Wait()
	took := time.Since(start)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the job ends with %v", err)
	}
	t.Logf("stopped after %v", took)
	// The design's bound is 0.2 s on a machine of one's own; here others may be at work, so it is held against what
	// the whole call takes.
	if took > whole/4 {
		t.Errorf("stopping took %v", took)
	}
}

func TestCPUKeysBlackHintsAndTinyPlates(t *testing.T) {
	e := newEngine(t)
	m := randomModel(t, mini)
	for _, size := range [][2]int{{1, 1}, {31, 7}, {97, 40}} {
		j := job(m, size[0], size[1])
		clear(j.Hint.Pix)
		r := key(t, e, j)
		if r.Matte.W != size[0] || r.Matte.H != size[1] || r.FG.C != 3 {
			t.Errorf("%v: %dx%d", size, r.Matte.W, r.Matte.H)
		}
		for _, v := range r.Matte.Pix {
			if !(v >= 0 && v <= 1) {
				t.Fatalf("%v: the matte holds %v", size, v)
			}
		}
	}
}

func TestCPUKeysTheFixtureAsExpected(t *testing.T) {
	m, err := greenformer.New(conformancetest.Fixture(t, "mini_a.safetensors"), "mini_a")
	if err != nil {
		t.Fatal(err)
	}
	expected := conformancetest.Fixture(t, "mini_a.expected.safetensors")
	e := newEngine(t)
	for _, size := range [][2]int{{128, 128}, {192, 192}, {160, 96}} {
		w, h := size[0], size[1]
		name := fmt.Sprintf("%dx%d", h, w)
		j := job(m, w, h)
		j.Plate.RGB.Pix = conformancetest.Values(t, expected, name+".plate_u8")
		j.Hint.Pix = conformancetest.Values(t, expected, name+".hint_u8")
		r := key(t, e, j)
		for _, c := range []struct {
			tensor string
			got    []float32
		}{{"alpha", r.Matte.Pix}, {"fg", r.FG.Pix}} {
			want := make([]float32, len(c.got))
			if err := expected.ReadFloat32(name+"."+c.tensor, want); err != nil {
				t.Fatal(err)
			}
			if d := apart(t, c.got, want); d > 1e-4 {
				t.Errorf("%s %s is %v off", name, c.tensor, d)
			}
		}
		for i, c := range []string{"alpha_logits", "fg_logits"} {
			n := 1 + 2*i
			want := make([]float32, w/4*h/4*n)
			if err := expected.ReadFloat32(name+"."+c, want); err != nil {
				t.Fatal(err)
			}
			got := make([]float32, 0, len(want))
			for p := range w / 4 * h / 4 {
				got = append(got, r.Coarse.Pix[4*p+i:4*p+i+n]...)
			}
			if d := apart(t, got, want); d > 1e-3 {
				t.Errorf("%s %s is %v off", name, c, d)
			}
		}
	}
}
