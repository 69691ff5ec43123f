package engine_test

import (
	"testing"

	"greenroom/engine"
	"greenroom/engine/settings"
)

// roomy is more than the tiles of a small plate take.
const roomy = 1 << 28

func TestARemedyRunsOnlyTheTilesThatChangeAndKeysTheSame(t *testing.T) {
	m := randomModel(t, mini)
	kept, fresh := newEngine(t), newEngine(t)
	from := job(m, 330, 230)
	from.ModelScreen = settings.ScreenBlue // green and blue change places, there and back
	from.Settings.Tile, from.Settings.Overlap = 128, 32
	for _, c := range []struct {
		name     string
		change   func(*engine.Job)
		recalled int
	}{
		{"the same again", func(*engine.Job) {}, 12},
		{"refine frame", func(j *engine.Job) { j.Settings.Refine = settings.RefineFrame }, 12},
		{"overlap 64: some tiles stay where they are", func(j *engine.Job) { j.Settings.Overlap = 64 }, 6},
		{"refine frame and overlap 64", func(j *engine.Job) {
			j.Settings.Refine, j.Settings.Overlap = settings.RefineFrame, 64
		}, 6},
		{"another tile size", func(j *engine.Job) { j.Settings.Tile = 160 }, 0},
		{"half-width numbers", func(j *engine.Job) { j.Settings.BF16 = true }, 0},
		{"a dab on the hint inside the first tile", func(j *engine.Job) {
			j.Hint = j.Hint.Clone()
			j.Hint.Pix[20*j.Hint.W+30] = 1
		}, 11},
		{"a brighter plate", func(j *engine.Job) {
			j.Plate.RGB = j.Plate.RGB.Clone()
			for i := range j.Plate.RGB.Pix {
				j.Plate.RGB.Pix[i] *= 1.1
			}
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			first := from
			first.Keep = roomy
			key(t, kept, first)
			j := from
			c.change(&j)
			want := key(t, fresh, j)
			j.Keep = roomy
			got := key(t, kept, j)
			if got.Recalled != c.recalled || got.Finished != want.Finished {
				t.Errorf("%d of %d tiles were recalled, not %d", got.Recalled, got.Finished, c.recalled)
			}
			for _, d := range []float64{
				apart(t, got.Matte.Pix, want.Matte.Pix), apart(t, got.FG.Pix, want.FG.Pix), apart(t, got.Coarse.Pix, want.Coarse.Pix),
			} {
				if d != 0 {
					t.Errorf("the key is %v from one that is made anew", d)
				}
			}
		})
	}
}

func TestACheckRecallsTilesAndKeepsThoseOfItsKey(t *testing.T) {
	e := newEngine(t)
	j := job(randomModel(t, mini), 330, 230)
	j.Settings.Tile, j.Settings.Overlap, j.Settings.Refine = 128, 32, settings.RefineFrame
	want := key(t, e, j)
	check := j
	check.Check = want
	fresh := key(t, e, check)
	j.Keep = roomy
	check.Check = key(t, e, j)
	check.Keep = roomy
	got := key(t, e, check)
	if got.Recalled != 4 || fresh.Recalled != 0 {
		t.Errorf("%d of %d tiles were recalled, and %d where none was kept", got.Recalled, got.Finished, fresh.Recalled)
	}
	if d := apart(t, got.Matte.Pix, fresh.Matte.Pix); d != 0 {
		t.Errorf("the other grid's key is %v from one that is made anew", d)
	}
	if r := key(t, e, j); r.Recalled != r.Finished {
		t.Errorf("after the check %d of %d tiles were recalled", r.Recalled, r.Finished)
	}
}

func TestACheckRecallsNoTilesThatOtherSettingsOrAnotherModelMade(t *testing.T) {
	e := newEngine(t)
	j := job(randomModel(t, mini), 330, 230)
	j.Settings.Tile, j.Settings.Overlap, j.Keep = 128, 32, roomy
	check := j
	check.Check = key(t, e, j)
	want := key(t, newEngine(t), check)
	other := mini
	other.Refiner *= 2
	for name, change := range map[string]func(*engine.Job){
		"half-width numbers": func(j *engine.Job) { j.Settings.BF16 = true },
		"another model":      func(j *engine.Job) { j.Model = randomModel(t, other) },
	} {
		between := j
		change(&between)
		key(t, e, between)
		got := key(t, e, check)
		if d := apart(t, got.Matte.Pix, want.Matte.Pix); got.Recalled != 0 || d != 0 {
			t.Errorf("after a key with %s the check recalled %d tiles and is %v from one that is made anew", name, got.Recalled, d)
		}
	}
}
