package vulkan

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"greenroom/engine/device/gpu"
	"greenroom/engine/device/kernels"
	"greenroom/engine/program"
)

// sum is two ops that depend on one another, relu and then a sum with what relu read, over n pairs of floats.
type sum struct {
	x, y, z gpu.Buffer
	steps   []gpu.Step
	n       int
}

func newSum(t *testing.T, h *Host, n int) *sum {
	t.Helper()
	s := &sum{n: n}
	for _, b := range []*gpu.Buffer{&s.x, &s.y, &s.z} {
		var err error
		if *b, err = h.Allocate(int64(8 * n)); err != nil {
			t.Fatal(err)
		}
	}
	values := make([]byte, 0, 8*n)
	for i := range 2 * n {
		values = binary.LittleEndian.AppendUint32(values, math.Float32bits(float32(i-n)))
	}
	if err := h.Upload(s.x, 0, values); err != nil {
		t.Fatal(err)
	}
	o := kernels.Dense(n, 2, program.F32)
	relu, err := kernels.Activate{X: o, Y: o, Act: program.ReLU}.Calls(kernels.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	add, err := kernels.Add{X: o, Z: o, Y: o}.Calls(kernels.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	step := func(c kernels.Call, stage program.Stage, buffers ...gpu.Buffer) {
		st := gpu.Step{Call: c, Stage: stage}
		for i, b := range buffers {
			st.Bindings = append(st.Bindings, gpu.Binding{Buffer: b, Bytes: c.Bindings[i].Bytes})
		}
		s.steps = append(s.steps, st)
	}
	step(relu[0], program.Encoder, s.x, s.y)
	step(add[0], program.Refiner, s.x, s.y, s.z)
	return s
}

// check reads the sum: x + max(x, 0).
func (s *sum) check(t *testing.T, h *Host) {
	t.Helper()
	got := make([]byte, 8*s.n)
	if err := h.Download(got, s.z, 0); err != nil {
		t.Fatal(err)
	}
	for i := range 2 * s.n {
		x := float32(i - s.n)
		if v := math.Float32frombits(binary.LittleEndian.Uint32(got[4*i:])); v != x+max(x, 0) {
			t.Fatalf("value %d is %g, not %g", i, v, x+max(x, 0))
		}
	}
}

func (s *sum) free(h *Host) {
	for _, b := range []gpu.Buffer{s.x, s.y, s.z} {
		h.Free(b)
	}
}

// TestRecordingsRunAsOftenAsWanted records once and runs twice with descriptors pushed and in sets, with memory mapped
// and staged, with times from the device and from the clock.
func TestRecordingsRunAsOftenAsWanted(t *testing.T) {
	for name, o := range map[string]Options{
		"pushed": {}, "sets": {sets: true}, "staged": {staged: true}, "both": {sets: true, staged: true},
	} {
		for _, timed := range []bool{true, false} {
			h := open(t, o)
			if h.push == o.sets {
				t.Fatalf("%s: descriptors are pushed: %v", name, h.push)
			}
			if !timed {
				h.found.timestamps = 0
			}
			s := newSum(t, h, 1000)
			r, err := h.Record(s.steps)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				times, err := h.Run(r)
				if err != nil {
					t.Fatal(err)
				}
				for stage, took := range times {
					in := program.Stage(stage) == program.Encoder || program.Stage(stage) == program.Refiner
					if in != (took > 0) || took > time.Minute {
						t.Errorf("%s, timed %v: stage %s took %s", name, timed, program.Stage(stage), took)
					}
				}
				s.check(t, h)
			}
			h.Release(r)
			s.free(h)
		}
	}
}

// TestWhatCannotBeRecordedIsAnError records an unknown kernel and a wrong number of buffers.
func TestWhatCannotBeRecordedIsAnError(t *testing.T) {
	h := open(t, Options{})
	s := newSum(t, h, 10)
	defer s.free(h)
	unknown, few := s.steps[0], s.steps[0]
	unknown.Call.Kernel = "no such kernel"
	few.Bindings = few.Bindings[:1]
	for _, step := range []gpu.Step{unknown, few} {
		if r, err := h.Record([]gpu.Step{step}); err == nil {
			h.Release(r)
			t.Errorf("recorded %s with %d buffers", step.Call.Kernel, len(step.Bindings))
		}
	}
}

// TestCompiledKernelsAreKept looks for the cache's file after a first start, and starts again with it, with one cut
// short and with one that is noise: drivers refuse these, and nothing else changes.
func TestCompiledKernelsAreKept(t *testing.T) {
	dir := t.TempDir()
	run := func() {
		h := open(t, Options{CacheDir: dir})
		s := newSum(t, h, 10)
		r, err := h.Record(s.steps)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Run(r); err != nil {
			t.Fatal(err)
		}
		s.check(t, h)
		h.Release(r)
		s.free(h)
		h.Close()
	}
	run()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("kept %v, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil || len(data) < 32 {
		t.Fatalf("kept %d bytes, %v", len(data), err)
	}
	run()
	for _, spoilt := range [][]byte{data[:len(data)/2], []byte("noise"), make([]byte, 1000)} {
		if err := os.WriteFile(files[0], spoilt, 0o644); err != nil {
			t.Fatal(err)
		}
		run()
	}
}
