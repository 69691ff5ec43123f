package presets

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"greenroom/engine/settings"
)

const (
	// fewestRuns is how many timed runs a row needs before its time outranks a rule.
	fewestRuns = 3
	// clearGain is the ratio of two medians from which one is faster; closeGain is enough where the intervals of both
	// medians are known and do not meet.
	clearGain, closeGain = 1.05, 1.02
	// nearSize is how far the size of what one call keys may lie from the measured one, as a ratio: what a toggle does
	// depends on it.
	nearSize = 1.5
	// moreError is how much a faster setting may add to the matte's mean absolute error: what half width may.
	moreError = 3e-4
)

// measurements are rows of this machine, the newest bench first.
type measurements []settings.Measured

// rows returns the rows that speak for the request.
func (q Request) rows() measurements {
	var list measurements
	machine := q.Machine.String()
	for _, m := range q.Measured {
		switch {
		case m.Machine != machine || m.Settings.Frame != 0 || m.Validate() != nil:
		case q.ModelHash != "" && m.ModelHash != q.ModelHash:
		case q.Device != "" && m.Device != q.Device:
		default:
			list = append(list, m)
		}
	}
	slices.SortStableFunc(list, func(a, b settings.Measured) int { return b.At.Compare(a.At) })
	return list
}

// benches yields the rows of one bench, model and device after the other, the newest bench first.
func (m measurements) benches() []measurements {
	var groups []measurements
	for _, row := range m {
		i := slices.IndexFunc(groups, func(g measurements) bool {
			return g[0].At.Equal(row.At) && g[0].ModelHash == row.ModelHash && g[0].Model == row.Model && g[0].Device == row.Device
		})
		if i < 0 {
			groups = append(groups, measurements{row})
		} else {
			groups[i] = append(groups[i], row)
		}
	}
	return groups
}

// lifts returns the row that lifts the requirement of a setting: the newest whole frame of at least this size that
// fitted the machine's limit, which lifts all that is required of tiles; for compile also a key without it that did.
func (m measurements) lifts(q Request, setting string) (settings.Measured, bool) {
	limit := q.Machine.Limit()
	var found measurements
	for _, row := range m {
		whole := wholeFrame(row.Settings.Tile, float64(row.Resolution))
		fits := row.PeakBytes > 0 && row.PeakBytes <= limit && float64(row.Resolution) >= q.Size
		if fits && (whole || setting == "compile" && !row.Settings.Compile) && (len(found) == 0 || row.At.Equal(found[0].At)) {
			found = append(found, row)
		}
	}
	if len(found) == 0 {
		return settings.Measured{}, false
	}
	// Of the newest bench, the one that is most like the usual settings.
	return slices.MinFunc(found, func(a, b settings.Measured) int {
		usual := settings.Default()
		return len(compare(a.Settings, usual, "")) - len(compare(b.Settings, usual, ""))
	}), true
}

// held says what a row that lifts a requirement found.
func held(row settings.Measured) string {
	what := "a key without compile"
	if wholeFrame(row.Settings.Tile, float64(row.Resolution)) {
		what = "the whole frame"
	}
	return fmt.Sprintf("measured here, %s fits at %d in %s (%s)", what, row.Resolution, Memory(row.PeakBytes), day(row))
}

// describe is a row in words, as evidence.
func describe(row settings.Measured) string {
	runs := "1 run"
	if row.Runs != 1 {
		runs = fmt.Sprintf("%d runs", row.Runs)
	}
	text := fmt.Sprintf("measured here, %s on %s at %d: %s %s, %s, %s",
		row.Model, row.Device, row.Resolution, row.Config, milliseconds(row.MedianMS), Memory(row.PeakBytes), runs)
	if row.Truth {
		text += fmt.Sprintf(", matte error %.5f", row.MatteMAE)
	}
	return text + " (" + day(row) + ")"
}

func day(row settings.Measured) string { return row.At.Format("2006-01-02") }

func milliseconds(ms float64) string {
	if ms < 100 {
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", ms)
}

// faster reports by how much a is faster than b, and whether that is beyond noise and costs no exactness.
func faster(a, b settings.Measured) (ratio float64, sure bool) {
	ratio = b.MedianMS / a.MedianMS
	if a.Runs < fewestRuns || b.Runs < fewestRuns || a.Truth && b.Truth && a.MatteMAE > b.MatteMAE+moreError {
		return ratio, false
	}
	if a.HighMS > 0 && b.LowMS > 0 {
		return ratio, a.HighMS < b.LowMS && ratio >= closeGain
	}
	return ratio, ratio >= clearGain
}

// callEdge is the edge of what one call of the network keys, in pixels.
func callEdge(tile int, size float64) float64 {
	if wholeFrame(tile, size) {
		return size
	}
	return float64(tile)
}

// far is how far two sizes lie apart, as a ratio of at least 1.
func far(a, b float64) float64 { return max(a, b) / min(a, b) }

// measure lets what was measured on this machine outrank the rules: first the tile, then each toggle for what one
// call then keys.
func (r *Recommendation) measure(q Request, rows measurements) {
	benches := rows.benches()
	for _, bench := range benches {
		if r.measuredTile(q, bench, rows) {
			break
		}
	}
	for _, name := range settings.Names() {
		if value, _ := r.Settings.Get(name); value != true && value != false {
			continue
		}
		for _, bench := range benches {
			if r.measuredToggle(q, name, bench) {
				break
			}
		}
	}
}

// tiling is a choice of tile and overlap; the overlap of a whole frame is nothing.
type tiling struct{ tile, overlap int }

func tilingOf(s settings.Settings, size float64) tiling {
	if wholeFrame(s.Tile, size) {
		return tiling{}
	}
	return tiling{s.Tile, s.Overlap}
}

func (t tiling) String() string {
	if t.tile == 0 {
		return "the whole frame"
	}
	return fmt.Sprintf("tiles %d/%d", t.tile, t.overlap)
}

// byTiling returns the fastest row of each tiling at the one resolution that is nearest to a size and near enough. The
// rows have the same toggles but compile, which is part of what a tile is measured with.
func (m measurements) byTiling(size float64, refine settings.Refine) map[tiling]settings.Measured {
	var near measurements
	for _, row := range m {
		if far(float64(row.Resolution), size) <= nearSize && row.Settings.Refine == refine {
			near = append(near, row)
		}
	}
	slices.SortStableFunc(near, func(a, b settings.Measured) int {
		return cmp.Compare(far(float64(a.Resolution), size), far(float64(b.Resolution), size))
	})
	toggles := func(s settings.Settings) settings.Settings {
		s.Tile, s.Overlap, s.Compile = 0, 0, true
		return s
	}
	best := map[tiling]settings.Measured{}
	for _, row := range near {
		if row.Resolution != near[0].Resolution || toggles(row.Settings) != toggles(near[0].Settings) {
			continue
		}
		t := tilingOf(row.Settings, float64(row.Resolution))
		if old, ok := best[t]; !ok || row.MedianMS < old.MedianMS {
			best[t] = row
		}
	}
	return best
}

// measuredTile chooses the tile that one bench found to be the fastest. It reports whether the bench has an answer:
// it needs the tiling that the rules chose and another one, at a size near this one.
func (r *Recommendation) measuredTile(q Request, bench, all measurements) bool {
	best := bench.byTiling(q.Size, r.Settings.Refine)
	mine := tilingOf(r.Settings, q.Size)
	base, ok := best[mine]
	if !ok || len(best) < 2 {
		return false
	}
	order := slices.SortedFunc(maps.Keys(best), func(a, b tiling) int {
		return cmp.Or(cmp.Compare(best[a].MedianMS, best[b].MedianMS), cmp.Compare(a.tile, b.tile), cmp.Compare(a.overlap, b.overlap))
	})
	winner, second := mine, mine
	for _, t := range order {
		if _, sure := faster(best[t], base); t == mine || sure && r.mayTile(q, t, best[t], base, all) {
			winner = t
			break
		}
	}
	if winner == mine {
		second = order[0]
		if second == mine {
			second = order[1]
		}
	}
	ratio, sure := faster(best[winner], best[second])
	if !sure {
		return true // measured, and no reason to differ from the rules
	}
	if winner.tile > 0 {
		r.Settings.Overlap = winner.overlap
	}
	r.Settings.Tile = winner.tile
	r.say(q, "tile", ratio, second.String(), best[winner], best[second])
	return true
}

// mayTile reports whether a tiling may take the place of the rules' one: a whole frame under a requirement only where
// it is lifted for this size, and any other tiling of a model that is more exact in tiles only where a bench with
// truth says that nothing is lost.
func (r *Recommendation) mayTile(q Request, t tiling, row, base settings.Measured, all measurements) bool {
	if q.TileFrom > 0 && q.Size >= q.TileFrom && !(row.Truth && base.Truth) {
		return false
	}
	if _, lifted := all.lifts(q, "tile"); t.tile == 0 && !lifted {
		return !r.requires("tile")
	}
	return true
}

// measuredToggle sets a toggle to what one bench found to be faster. It reports whether the bench has two rows that
// differ in nothing else, for a call of a size near this one.
func (r *Recommendation) measuredToggle(q Request, name string, bench measurements) bool {
	on, off, ok := r.pair(q, name, bench)
	if !ok {
		return false
	}
	fast, slow, value := on, off, "on"
	if off.MedianMS < on.MedianMS {
		fast, slow, value = off, on, "off"
	}
	ratio, sure := faster(fast, slow)
	if !sure || r.requires(name) && !r.is(name, value) {
		return true
	}
	_ = r.Settings.Set(name, value) // a toggle takes on and off
	r.say(q, name, ratio, "", fast, slow)
	return true
}

// pair returns the two rows of a bench that differ in a toggle alone and are nearest to what one call keys here, and
// then have the most settings in common with those chosen.
func (r *Recommendation) pair(q Request, name string, bench measurements) (on, off settings.Measured, ok bool) {
	edge := callEdge(r.Settings.Tile, q.Size)
	apart, others := nearSize, 0
	for _, row := range bench {
		without := row.Settings
		if v, _ := without.Get(name); v != true || without.Set(name, "off") != nil {
			continue
		}
		i := slices.IndexFunc(bench, func(x settings.Measured) bool {
			return x.Resolution == row.Resolution && x.Settings == without
		})
		distance, differ := far(callEdge(row.Settings.Tile, float64(row.Resolution)), edge), len(compare(row.Settings, r.Settings, ""))
		if i < 0 || distance > apart || ok && distance == apart && differ >= others {
			continue
		}
		on, off, ok, apart, others = row, bench[i], true, distance, differ
	}
	return on, off, ok
}

// requires reports whether a setting is required as it is.
func (r *Recommendation) requires(name string) bool {
	return slices.ContainsFunc(r.Reasons, func(x Reason) bool { return x.Setting == name && x.Required })
}

func (r *Recommendation) is(name, word string) bool {
	value, _ := r.Settings.Get(name)
	return Word(value) == word
}

// say gives the reason of a measurement, which takes the place of the rules' reasons for the setting.
func (r *Recommendation) say(q Request, setting string, ratio float64, than string, rows ...settings.Measured) {
	value, _ := r.Settings.Get(setting)
	if than != "" {
		than = " than " + than
	}
	reason := Reason{
		Setting: setting, Value: value, Measured: true,
		Rule: fmt.Sprintf("%s %s: measured here %s faster%s at %d (%s)", setting, Word(value), times(ratio), than, rows[0].Resolution, day(rows[0])),
	}
	for _, row := range rows {
		reason.Evidence = append(reason.Evidence, describe(row))
	}
	for _, old := range r.Reasons {
		// A requirement that this does not break stays one: any tile is one.
		kept := old.Value == value || setting == "tile" && !wholeFrame(r.Settings.Tile, q.Size)
		if old.Setting == setting && old.Required && kept {
			reason.Required = true
		}
		if old.Setting == setting && old.Measured {
			reason.Evidence = append(reason.Evidence, old.Rule)
		}
	}
	r.give(reason)
	if setting == "tile" && r.Settings.Tile > 0 {
		reason.Setting, reason.Value, reason.Required = "overlap", r.Settings.Overlap, false
		r.give(reason)
	}
}
