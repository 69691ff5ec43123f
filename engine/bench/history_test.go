package bench

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/engine/settings"
)

func TestHistoryNamesAreFileNames(t *testing.T) {
	for machine, want := range map[string]string{
		"Apple M4 Pro, 24 GB":    "apple-m4-pro-24-gb.jsonl",
		"AMD EPYC, 24 GB":        "amd-epyc-24-gb.jsonl",
		"../../etc/passwd":       "etc-passwd.jsonl",
		"":                       "machine.jsonl",
		"龍芯":                     "machine.jsonl",
		strings.Repeat("x", 999): strings.Repeat("x", 100) + ".jsonl",
	} {
		if got := HistoryName(machine); got != want {
			t.Errorf("%q: %q, want %q", machine, got, want)
		}
	}
}

func TestHistoryGivesBackWhatWasMeasured(t *testing.T) {
	h := NewHistory(t.TempDir(), "Test, 8 GB")
	if list, unusable, err := h.Read(); list != nil || unusable != 0 || err != nil {
		t.Errorf("nothing yet: %v, %d, %v", list, unusable, err)
	}
	r := sampleReport()
	if err := h.Append(r); err != nil {
		t.Fatal(err)
	}
	list, unusable, err := h.Read()
	if err != nil || unusable != 0 || !reflect.DeepEqual(list, r.Measured()) {
		t.Errorf("%+v, %d, %v", list, unusable, err)
	}
	if len(list) != 2 || list[1].MedianMS != 102.5 || !list[1].Truth || list[0].Truth || list[0].Runs != 4 || list[1].Machine != "Test <1>, 8 GB" {
		t.Errorf("%+v", list)
	}
	if err := h.Append(r); err != nil {
		t.Fatal(err)
	}
	if list, _, err = h.Read(); err != nil || len(list) != 4 {
		t.Errorf("after two benches %d rows, error %v", len(list), err)
	}
}

func TestALaterBenchShowsTheChange(t *testing.T) {
	h := NewHistory(t.TempDir(), "m")
	earlier := sampleReport()
	for day, ms := range map[int]float64{10: 500, 20: 1243} {
		earlier.At = time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC)
		earlier.Rows[1].time([]float64{ms})
		if day == 20 {
			continue
		}
		if err := h.Append(earlier); err != nil {
			t.Fatal(err)
		}
	}
	earlier.At = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	earlier.Rows[1].time([]float64{1243})
	if err := h.Append(earlier); err != nil {
		t.Fatal(err)
	}
	list, _, err := h.Read()
	if err != nil {
		t.Fatal(err)
	}
	now := sampleReport()
	now.Rows[1].time([]float64{1151})
	changes := now.Compare(list)
	if changes[1] == nil || changes[1].String() != "was 1243 ms on 2026-11-20: 1.08x" || changes[2] != nil {
		t.Errorf("%v", changes)
	}
	for what, other := range map[string]func(*Report){
		"machine":    func(r *Report) { r.Machine = named("another") },
		"device":     func(r *Report) { r.Device.Name = "another" },
		"model":      func(r *Report) { r.ModelHash = "another" },
		"resolution": func(r *Report) { r.Rows[1].Resolution = 640 },
		"settings":   func(r *Report) { r.Rows[1].Settings.Tile = 64 },
	} {
		r := sampleReport()
		other(r)
		if c := r.Compare(list)[1]; c != nil {
			t.Errorf("another %s is compared: %v", what, c)
		}
	}
}

func TestHistorySkipsWhatItCannotUse(t *testing.T) {
	dir := t.TempDir()
	h := History{Path: filepath.Join(dir, "h.jsonl")}
	if err := h.Append(sampleReport()); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(h.Path)
	if err != nil {
		t.Fatal(err)
	}
	one := bytes.SplitAfter(good, []byte("\n"))[0]
	change := func(old, new string) []byte {
		changed := bytes.Replace(one, []byte(old), []byte(new), 1)
		if bytes.Equal(changed, one) {
			t.Fatalf("%s is not in %s", old, one)
		}
		return changed
	}
	for what, bad := range map[string][]byte{
		"cut short":         append(slices.Clone(one[:len(one)/2]), '\n'),
		"no JSON":           []byte("hello\n"),
		"a list":            []byte("[1,2]\n"),
		"null":              []byte("null\n"),
		"zeros":             append(make([]byte, 500), '\n'),
		"too long":          append(bytes.Repeat([]byte("x"), 3*historyLine), '\n'),
		"a setting too few": change(`"bf16":false,`, ``),
		"a setting new":     change(`"bf16":false,`, `"bf17":false,`),
		"one too many":      change(`"bf16":false,`, `"bf16":false,"bf17":false,`),
		"a value wrong":     change(`"bf16":false`, `"bf16":"maybe"`),
		"half a pixel":      change(`"overlap":64`, `"overlap":64.5`),
		"no time":           change(`"median_ms":205`, `"median_ms":0`),
		"time backwards":    change(`"median_ms":205`, `"median_ms":-3`),
		"endless":           change(`"median_ms":205`, `"median_ms":1e999`),
		"no date":           change(`"at":"2026`, `"at":"twenty`),
		"huge":              change(`"resolution":512`, `"resolution":99999999999`),
	} {
		if err := os.WriteFile(h.Path, slices.Concat(one, bad, []byte("\n\n"), one), 0o666); err != nil {
			t.Fatal(err)
		}
		list, unusable, err := h.Read()
		if err != nil || len(list) != 2 || unusable != 1 {
			t.Errorf("%s: %d rows, %d unusable, error %v", what, len(list), unusable, err)
		}
	}
}

// TestHistoryOfBeforeHalfCouldBeSet reads a line that does not say which half width bf16 stored.
func TestHistoryOfBeforeHalfCouldBeSet(t *testing.T) {
	h := History{Path: filepath.Join(t.TempDir(), "h.jsonl")}
	r := sampleReport()
	for i := range r.Rows {
		r.Rows[i].Settings.Half = settings.Float16
	}
	if err := h.Append(r); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(h.Path)
	if err != nil {
		t.Fatal(err)
	}
	if list, _, err := h.Read(); err != nil || len(list) != 2 || list[0].Settings.Half != settings.Float16 {
		t.Errorf("written with float16: %+v, %v", list, err)
	}
	before := bytes.ReplaceAll(text, []byte(`"half":"float16",`), nil)
	if bytes.Equal(before, text) {
		t.Fatalf("no half in %s", text)
	}
	if err := os.WriteFile(h.Path, before, 0o666); err != nil {
		t.Fatal(err)
	}
	if list, unusable, err := h.Read(); err != nil || len(list) != 2 || unusable != 0 || list[0].Settings.Half != settings.BFloat16 {
		t.Errorf("without half: %+v, %d unusable, %v", list, unusable, err)
	}
}

func TestALineThatWasCutShortSpoilsNoOther(t *testing.T) {
	h := History{Path: filepath.Join(t.TempDir(), "h.jsonl")}
	if err := h.Append(sampleReport()); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(h.Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(h.Path, info.Size()-20); err != nil {
		t.Fatal(err)
	}
	if err := h.Append(sampleReport()); err != nil {
		t.Fatal(err)
	}
	if list, unusable, err := h.Read(); err != nil || len(list) != 3 || unusable != 1 {
		t.Errorf("%d rows, %d unusable, error %v", len(list), unusable, err)
	}
}

func TestOnlyTheEndOfALongHistoryIsRead(t *testing.T) {
	h := History{Path: filepath.Join(t.TempDir(), "h.jsonl")}
	if err := h.Append(sampleReport()); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(h.Path)
	if err != nil {
		t.Fatal(err)
	}
	times := historyBytes/len(good) + 3
	if err := os.WriteFile(h.Path, bytes.Repeat(good, times), 0o666); err != nil {
		t.Fatal(err)
	}
	list, unusable, err := h.Read()
	if err != nil || unusable != 0 || len(list) < 2*(times-5) || len(list) >= 2*times {
		t.Errorf("%d rows of %d, %d unusable, error %v", len(list), 2*times, unusable, err)
	}
}

func TestBenchesAtOneTimeDoNotMix(t *testing.T) {
	h := History{Path: filepath.Join(t.TempDir(), "a", "b", "h.jsonl")}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if err := h.Append(sampleReport()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if list, unusable, err := h.Read(); err != nil || len(list) != 40 || unusable != 0 {
		t.Errorf("%d rows, %d unusable, error %v", len(list), unusable, err)
	}
}

func TestHistoryThatCannotBeWrittenSaysWhy(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file")
	if err := os.WriteFile(blocked, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(blocked, "h.jsonl")} {
		err := History{Path: path}.Append(sampleReport())
		if err == nil || !strings.Contains(err.Error(), "keep the measurements") || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: error %v", path, err)
		}
	}
	empty := sampleReport()
	empty.Rows = nil
	h := History{Path: filepath.Join(dir, "none.jsonl")}
	if err := h.Append(empty); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(h.Path); !os.IsNotExist(err) {
		t.Errorf("a report without rows made a file: %v", err)
	}
	if _, _, err := (History{Path: dir}).Read(); err == nil {
		t.Error("a folder is read as a history")
	}
}

// Whatever the file holds, reading ends, and what is read can be held against a report and kept again.
func FuzzHistory(f *testing.F) {
	h := History{Path: filepath.Join(f.TempDir(), "h.jsonl")}
	if err := h.Append(sampleReport()); err != nil {
		f.Fatal(err)
	}
	good, err := os.ReadFile(h.Path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good, false)
	f.Add(good[:len(good)-30], true)
	f.Add([]byte("{\"at\":\"2026-11-30T00:00:00Z\",\"settings\":{\"tile\":-1}}\n{}"), false)
	f.Add(bytes.Repeat([]byte("[{"), 4000), false)
	f.Fuzz(func(t *testing.T, data []byte, cut bool) {
		list, unusable, err := readHistory(bytes.NewReader(data), cut)
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(data, []byte("\n")) + 1; len(list)+unusable > lines {
			t.Fatalf("%d rows and %d unusable of %d lines", len(list), unusable, lines)
		}
		for _, m := range list {
			if err := m.Validate(); err != nil {
				t.Fatalf("%+v: %v", m, err)
			}
		}
		for _, c := range sampleReport().Compare(list) {
			if c != nil && c.String() == "" {
				t.Fatal("an empty change")
			}
		}
	})
}
