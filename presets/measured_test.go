package presets

import (
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/engine/settings"
)

// here is the machine that the rows of these tests were measured on.
const here = "Apple M4 Pro, 24 GB"

// benched makes rows of one bench on that machine.
func benched(day int, rows ...settings.Measured) []settings.Measured {
	at := time.Date(2026, 12, day, 9, 0, 0, 0, time.UTC)
	for i := range rows {
		r := &rows[i]
		r.Machine, r.At, r.Model, r.ModelHash, r.Device = here, at, "nano", "ab", "Apple M4 Pro"
		if r.Runs == 0 {
			r.Runs = 10
		}
		r.MinMS = r.MedianMS
		if r.PeakBytes == 0 {
			r.PeakBytes = 1 << 30
		}
	}
	return rows
}

// row is one row of a bench: the defaults with a change.
func row(resolution int, ms float64, change func(*settings.Measured)) settings.Measured {
	r := settings.Measured{Resolution: resolution, MedianMS: ms, Config: "config", Settings: settings.Default()}
	if change != nil {
		change(&r)
	}
	return r
}

func tiled(tile, overlap int) func(*settings.Measured) {
	return func(r *settings.Measured) { r.Settings.Tile, r.Settings.Overlap = tile, overlap }
}

func sdpaOff(r *settings.Measured) { r.Settings.SDPA = false }

// recommend returns what is recommended on that machine, and the reason for one setting.
func recommend(t *testing.T, q Request, setting string) (Recommendation, Reason) {
	t.Helper()
	if q.Machine.Chip == "" {
		q.Machine = machine(t, here)
	}
	r, err := Recommend(q)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(r.Reasons, func(x Reason) bool { return x.Setting == setting })
	if i < 0 {
		return r, Reason{}
	}
	return r, r.Reasons[i]
}

func TestAMeasurementHereOutranksARule(t *testing.T) {
	// An M1, where the rules turn fused attention off.
	m1 := machine(t, "Apple M1 Max, 64 GB")
	rows := benched(1, row(2048, 100, nil), row(2048, 320, sdpaOff))
	for i := range rows {
		rows[i].Machine = m1.String()
	}
	q := Request{Machine: m1, Size: 2048, Measured: rows}
	// For what one call of 768 keys, a measurement at 2048 says nothing.
	r, reason := recommend(t, q, "sdpa")
	if r.Settings.SDPA || reason.Measured {
		t.Errorf("%+v", reason)
	}
	for i := range rows {
		rows[i].Resolution = 1024
	}
	r, reason = recommend(t, q, "sdpa")
	if !r.Settings.SDPA || !reason.Measured || reason.Required || reason.Value != true ||
		reason.Rule != "sdpa on: measured here 3.2x faster at 1024 (2026-12-01)" || len(reason.Evidence) != 2 ||
		!strings.Contains(reason.Evidence[0], "nano on Apple M4 Pro at 1024: config 100 ms, 1.0 GB, 10 runs (2026-12-01)") {
		t.Errorf("%+v", reason)
	}
	// Where the rules agree the measurement is shown all the same.
	rows[0].MedianMS, rows[1].MedianMS, rows[1].MinMS = 320, 100, 100
	if r, reason = recommend(t, q, "sdpa"); r.Settings.SDPA || reason.Rule != "sdpa off: measured here 3.2x faster at 1024 (2026-12-01)" {
		t.Errorf("%+v", reason)
	}
	if again, err := Recommend(q); err != nil || again.Settings != r.Settings {
		t.Errorf("%v, %v", again, err)
	}
}

func TestOnlyWhatSaysSomethingOutranks(t *testing.T) {
	pair := func(change func(on, off *settings.Measured)) []settings.Measured {
		rows := benched(1, row(1024, 320, nil), row(1024, 100, sdpaOff))
		change(&rows[0], &rows[1])
		return rows
	}
	both := func(f func(*settings.Measured)) func(on, off *settings.Measured) {
		return func(on, off *settings.Measured) { f(on); f(off) }
	}
	for name, c := range map[string]struct {
		rows []settings.Measured
		off  bool
	}{
		"sound":               {pair(func(on, off *settings.Measured) {}), true},
		"another machine":     {pair(both(func(r *settings.Measured) { r.Machine = "Apple M4 Pro, 48 GB" })), false},
		"another model":       {pair(both(func(r *settings.Measured) { r.ModelHash = "cd" })), false},
		"another device":      {pair(both(func(r *settings.Measured) { r.Device = "cpu" })), false},
		"another bench":       {pair(func(on, off *settings.Measured) { on.At = on.At.Add(time.Hour) }), false},
		"two runs":            {pair(func(on, off *settings.Measured) { off.Runs = 2 }), false},
		"another size":        {pair(func(on, off *settings.Measured) { off.Resolution = 512 }), false},
		"a size far away":     {pair(both(func(r *settings.Measured) { r.Resolution = 512 })), false},
		"another setting":     {pair(func(on, off *settings.Measured) { off.Settings.Slim = false }), false},
		"noise":               {pair(func(on, off *settings.Measured) { off.MedianMS, off.MinMS = 310, 310 }), false},
		"intervals that meet": {pair(func(on, off *settings.Measured) { on.LowMS, on.HighMS, off.LowMS, off.HighMS = 90, 330, 95, 105 }), false},
		"intervals apart":     {pair(func(on, off *settings.Measured) { on.LowMS, on.HighMS, off.LowMS, off.HighMS = 310, 330, 95, 105 }), true},
		"close but sure": {pair(func(on, off *settings.Measured) {
			off.MedianMS, off.MinMS = 310, 310
			on.LowMS, on.HighMS, off.LowMS, off.HighMS = 319, 321, 309, 311
		}), true},
		"more error":           {pair(func(on, off *settings.Measured) { on.Truth, off.Truth, off.MatteMAE = true, true, 0.001 }), false},
		"no more error":        {pair(func(on, off *settings.Measured) { on.Truth, off.Truth, off.MatteMAE = true, true, 0.0001 }), true},
		"a row that is broken": {pair(func(on, off *settings.Measured) { off.MinMS = -1 }), false},
		"a newer one disagrees": {
			append(benched(1, row(1024, 320, nil), row(1024, 100, sdpaOff)), benched(2, row(1024, 100, nil), row(1024, 320, sdpaOff))...), false,
		},
		"a newer one sees no difference": {
			append(benched(2, row(1024, 100, nil), row(1024, 100, sdpaOff)), benched(1, row(1024, 320, nil), row(1024, 100, sdpaOff))...), false,
		},
	} {
		q := Request{Size: 1024, Measured: c.rows, ModelHash: "ab", Device: "Apple M4 Pro"}
		if r, reason := recommend(t, q, "sdpa"); r.Settings.SDPA == c.off {
			t.Errorf("%s: sdpa %v, %+v", name, r.Settings.SDPA, reason)
		}
	}
}

func TestAWholeFrameThatWasMeasuredToFitLiftsTheRequirement(t *testing.T) {
	whole := row(2048, 800, nil)
	whole.PeakBytes = 3 << 30
	q := Request{Size: 2048, Measured: benched(1, whole)}
	r, reason := recommend(t, q, "tile")
	if r.Settings.Tile != 768 || reason.Required || !strings.Contains(reason.Rule, "lifted: measured here, the whole frame fits at 2048 in 3.0 GB (2026-12-01)") {
		t.Errorf("%+v", reason)
	}
	// The artist may choose it now.
	q.Machine = machine(t, here)
	asked := settings.Default()
	if used, adjusted, err := Adjust(q, asked); err != nil || used != asked || len(adjusted) > 0 {
		t.Errorf("%+v, %v, %v", used, adjusted, err)
	}
	// And compile is no longer tied to tiles.
	asked.Compile = false
	if used, adjusted, err := Adjust(q, asked); err != nil || used != asked || len(adjusted) > 0 {
		t.Errorf("%+v, %v, %v", used, adjusted, err)
	}
	asked.Compile = true
	// Not at a larger size, and not where it did not fit.
	q.Size = 2100
	if used, _, err := Adjust(q, asked); err != nil || used.Tile != 768 {
		t.Errorf("larger: %+v, %v", used, err)
	}
	q.Size, q.Measured[0].PeakBytes = 2048, q.Machine.Limit()+1
	if used, _, err := Adjust(q, asked); err != nil || used.Tile != 768 {
		t.Errorf("over the limit: %+v, %v", used, err)
	}
	// The planned peak still counts.
	q.Measured[0].PeakBytes = 1 << 30
	q.Peak = func(s settings.Settings) (int64, error) {
		if s.Tile == 0 {
			return q.Machine.Limit() + 1, nil
		}
		return 1 << 30, nil
	}
	if used, adjusted, err := Adjust(q, asked); err != nil || used.Tile == 0 || len(adjusted) != 1 {
		t.Errorf("planned over the limit: %+v, %v, %v", used, adjusted, err)
	}
}

func TestAMeasuredKeyWithoutCompileLiftsThatAlone(t *testing.T) {
	plain := func(r *settings.Measured) { r.Settings.Tile, r.Settings.Overlap, r.Settings.Compile = 768, 64, false }
	q := Request{Machine: machine(t, here), Size: 2048, Measured: benched(1, row(2048, 400, plain), row(2048, 800, tiled(768, 64)))}
	r, reason := recommend(t, q, "compile")
	if r.Settings.Compile || reason.Required || reason.Rule != "compile off: measured here 2.0x faster at 2048 (2026-12-01)" {
		t.Errorf("%+v", reason)
	}
	asked := settings.Default()
	asked.Compile = false
	if used, adjusted, err := Adjust(q, asked); err != nil || used.Tile != 768 || used.Compile || len(adjusted) != 1 {
		t.Errorf("%+v, %v, %v", used, adjusted, err)
	}
	// At a larger size than measured the requirement stands.
	q.Size = 2200
	if r, reason = recommend(t, q, "compile"); !r.Settings.Compile || !reason.Required {
		t.Errorf("%+v", reason)
	}
}

func TestTheFastestTileThatWasMeasuredIsChosen(t *testing.T) {
	rows := func() []settings.Measured {
		return benched(1, row(2048, 1000, nil), row(2048, 900, tiled(512, 64)), row(2048, 600, tiled(1024, 64)), row(2048, 800, tiled(768, 64)), row(2048, 950, tiled(512, 128)))
	}
	q := Request{Size: 2048, Measured: rows()}
	r, reason := recommend(t, q, "tile")
	if r.Settings.Tile != 1024 || !reason.Measured || reason.Required || reason.Rule != "tile 1024: measured here 1.33x faster than tiles 768/64 at 2048 (2026-12-01)" {
		t.Errorf("%+v", reason)
	}
	// Without the whole frame, which lifts it, the requirement stays: some tile.
	q.Measured = rows()[1:]
	if r, reason = recommend(t, q, "tile"); r.Settings.Tile != 1024 || !reason.Required {
		t.Errorf("%+v", reason)
	}
	if used, adjusted, err := Adjust(Request{Machine: machine(t, here), Size: 2048, Measured: rows()[1:]}, settings.Default()); err != nil || used.Tile != 768 || len(adjusted) == 0 {
		t.Errorf("%+v, %v", used, err)
	}
	// A whole frame that is the fastest is chosen only where it may be.
	q.Measured = rows()
	q.Measured[0].MedianMS, q.Measured[0].MinMS = 300, 300
	if r, reason = recommend(t, q, "tile"); r.Settings.Tile != 0 || reason.Required || !strings.Contains(strings.Join(reason.Evidence, " "), "lifted") {
		t.Errorf("%+v", reason)
	}
	q.Measured[0].PeakBytes = 1 << 40
	if r, _ = recommend(t, q, "tile"); r.Settings.Tile != 1024 {
		t.Errorf("a whole frame that does not fit: %+v", r.Settings)
	}
	// A model that is more exact in tiles needs a bench with truth before its tile changes.
	q.Measured, q.TileFrom = rows(), 1000
	if r, _ = recommend(t, q, "tile"); r.Settings.Tile != 768 {
		t.Errorf("without truth: %+v", r.Settings)
	}
	for i := range q.Measured {
		q.Measured[i].Truth = true
	}
	if r, _ = recommend(t, q, "tile"); r.Settings.Tile != 1024 {
		t.Errorf("with truth: %+v", r.Settings)
	}
	// Far from the measured size it says nothing.
	q.Size = 4096
	if r, _ = recommend(t, q, "tile"); r.Settings.Tile != 768 {
		t.Errorf("at 4096: %+v", r.Settings)
	}
}

func TestReasonsSpeakInTheLightOfWhatWasAsked(t *testing.T) {
	q := Request{Machine: machine(t, "Apple M3 Ultra, 256 GB"), Size: 2048}
	if _, reason := recommend(t, q, "bf16"); reason.Rule != "" {
		t.Errorf("in tiles: %+v", reason)
	}
	q.Asked = []Setting{{"tile", "0"}}
	if _, reason := recommend(t, q, "bf16"); reason.Value != false || !strings.HasPrefix(reason.Rule, "no half width in large frames") {
		t.Errorf("a whole frame: %+v", reason)
	}
	// What a requirement takes back is no light to speak in.
	q.Machine = machine(t, here)
	if _, reason := recommend(t, q, "bf16"); reason.Rule != "" {
		t.Errorf("a whole frame that cannot be: %+v", reason)
	}
}

func TestEstimatesRestOnWhatWasMeasured(t *testing.T) {
	q := Request{Machine: machine(t, here), Size: 2048}
	s := settings.Default()
	s.Tile = 768
	pixels := int64(9 * 768 * 768)
	if e, ok := Estimate(q, s, pixels); ok {
		t.Errorf("from nothing: %+v", e)
	}
	q.Measured = benched(1, row(2048, 900, tiled(768, 64)), row(512, 100, nil), row(2048, 5000, sdpaOff))
	// 2048 in tiles of 768 with 64 shared: three a side.
	if e, ok := Estimate(q, s, pixels); !ok || e.Seconds < 0.8999 || e.Seconds > 0.9001 || e.From.Settings.Tile != 768 {
		t.Errorf("%+v, %v", e, ok)
	}
	// Twice the pixels take twice the time, whatever the plate.
	if e, ok := Estimate(q, s, 2*pixels); !ok || e.Seconds < 1.7999 || e.Seconds > 1.8001 {
		t.Errorf("%+v, %v", e, ok)
	}
	s.SDPA = false
	if e, ok := Estimate(q, s, pixels); ok {
		t.Errorf("with other attention: %+v", e)
	}
}
