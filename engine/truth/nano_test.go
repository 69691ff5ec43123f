package truth_test

import (
	"context"
	"errors"
	"flag"
	"io/fs"
	"testing"
	"time"

	"greenroom/engine"
	"greenroom/engine/checkpoint"
	"greenroom/engine/colour"
	"greenroom/engine/greenformer"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/engine/truth"
)

// modelFile is the checkpoint that the benchmark keys with.
var modelFile = flag.String("model", "../../assets/models/nano.safetensors", "checkpoint to key the plates with")

// BenchmarkNano keys every plate of the set with the embedded model and reports how far the unclipped matte
// and the foreground are from the truth:
//
//	go test ./engine/truth -run '^$' -bench Nano -benchtime 1x
//
// mae_* are means over the plates of one kind of light or screen, soft_mae the error where the true matte lies
// in 0.02..0.98, fg_mae that of the foreground, hint_mae the error of what the network was given, s/plate the
// time of keying alone. Add -args -model FILE for another checkpoint.
func BenchmarkNano(b *testing.B) {
	m := openModel(b)
	e, err := engine.New(context.Background(), engine.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	for _, c := range []struct {
		name       string
		size, tile int
		half       []settings.Half // of none: float32
	}{
		{"2048-tile768-64", 2048, 768, nil},
		{"1024-full", 1024, 0, nil},
		{"1024-full-bfloat16", 1024, 0, []settings.Half{settings.BFloat16}},
		{"1024-full-float16", 1024, 0, []settings.Half{settings.Float16}},
		{"1024-tile768-64", 1024, 768, nil},
		{"2048-full", 2048, 0, nil},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				s := settings.Default()
				s.Tile, s.Overlap = c.tile, 64
				for _, h := range c.half {
					s.BF16, s.Half = true, h
				}
				keySet(b, e, m, c.size, s).report(b)
			}
		})
	}
}

// openModel opens the checkpoint, or skips where there is none.
func openModel(tb testing.TB) *greenformer.Model {
	tb.Helper()
	f, err := checkpoint.Open(*modelFile)
	if errors.Is(err, fs.ErrNotExist) {
		tb.Skipf("no model at %s", *modelFile)
	}
	if err != nil {
		tb.Fatal(err)
	}
	m, err := greenformer.New(f, *modelFile)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { m.Close() })
	return m
}

// tally gathers scores by kind of plate.
type tally map[string]*mean

type mean struct {
	sum float64
	n   int
}

func (t tally) add(kind string, v float64) {
	if t[kind] == nil {
		t[kind] = new(mean)
	}
	t[kind].sum += v
	t[kind].n++
}

func (t tally) report(b *testing.B) {
	for kind, m := range t {
		b.ReportMetric(m.sum/float64(m.n), kind)
	}
}

// keySet keys every plate of a size.
func keySet(tb testing.TB, e *engine.Engine, m *greenformer.Model, size int, s settings.Settings) tally {
	tb.Helper()
	t := make(tally)
	for _, scene := range truth.Set(size) {
		p := scene.Draw()
		start := time.Now()
		r, err := e.Key(context.Background(), engine.Job{
			Plate: picture.Picture{RGB: p.RGB, Space: colour.SRGB}, Hint: p.Hint,
			Model: m, ModelScreen: settings.ScreenAuto, Screen: p.Screen, Settings: s,
		})
		if err != nil {
			tb.Fatal(err)
		}
		took := time.Since(start)
		score := p.Score(r.Matte, r.FG)
		tb.Logf("%-16s matte %.5f soft %.5f fg %.5f worst %.3f at (%d, %d), hint %.5f, %.1f s, %.0f MB",
			scene.Name(), score.MAE, score.SoftMAE, score.FGMAE, score.Worst, score.WorstX, score.WorstY, score.HintMAE,
			took.Seconds(), float64(r.PeakBytes)/1e6)
		light := "mae_encoded"
		if scene.Linear {
			light = "mae_linear"
		}
		t.add(light, score.MAE)
		t.add("mae_"+string(scene.Screen), score.MAE)
		t.add("mae", score.MAE)
		t.add("soft_mae", score.SoftMAE)
		t.add("fg_mae", score.FGMAE)
		t.add("fg_mae_"+string(scene.Screen), score.FGMAE)
		t.add("hint_mae", score.HintMAE)
		t.add("s/plate", took.Seconds())
	}
	return t
}
