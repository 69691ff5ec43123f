//go:build linux && (amd64 || arm64)

package metal

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"greenroom/engine/device/kernels"
	"greenroom/engine/device/kernels/mslrun"
)

// standin is a stand-in for the Objective-C runtime and Metal, a shared object of testdata/standin.c. Its kernels run
// on the processor.
type standin struct {
	t      testing.TB
	path   string
	value  func(name string) *int
	faults func() string
}

// workshop makes stand-ins and keeps the kernels that were compiled, which takes time. The callbacks that C calls can
// never be freed, so that there is one pair of them.
type workshop struct {
	dir          string
	shared       []byte
	compiler     *mslrun.Compiler
	compile, run uintptr

	mu      sync.Mutex
	kernels []*mslrun.Kernel
	numbers map[string]uintptr // kernels' places, from 1, by source
	problem error
}

var openWorkshop = sync.OnceValues(func() (*workshop, error) {
	dir, err := os.MkdirTemp("", "standin-")
	if err != nil {
		return nil, err
	}
	w := &workshop{dir: dir, numbers: make(map[string]uintptr)}
	if w.compiler, err = mslrun.New(dir); err != nil {
		return nil, err
	}
	shared := filepath.Join(dir, "standin.so")
	out, err := exec.Command("clang-19", "-std=gnu11", "-O1", "-shared", "-fPIC", "-Wall", "-Werror", "-Wl,-Bsymbolic",
		"-o", shared, filepath.Join("testdata", "standin.c")).CombinedOutput()
	if err != nil {
		return nil, errors.New(string(out))
	}
	if w.shared, err = os.ReadFile(shared); err != nil {
		return nil, err
	}
	w.compile, w.run = purego.NewCallback(w.compileKernel), purego.NewCallback(w.runKernel)
	return w, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if w, err := openWorkshop(); err == nil {
		os.RemoveAll(w.dir)
	}
	os.Exit(code)
}

// compileKernel is called by C with a source and the name of its kernel.
func (w *workshop) compileKernel(source, entry *byte) uintptr {
	w.mu.Lock()
	defer w.mu.Unlock()
	msl, name := text(source), text(entry)
	if n, ok := w.numbers[msl]; ok {
		return n
	}
	k, err := w.compiler.Compile(strconv.Itoa(len(w.kernels)), msl, name)
	if err != nil {
		w.problem = err
		return 0
	}
	w.kernels = append(w.kernels, k)
	w.numbers[msl] = uintptr(len(w.kernels))
	return w.numbers[msl]
}

// runKernel is called by C. It returns 0 where all went well.
func (w *workshop) runKernel(kernel uintptr, buffers *[31]unsafe.Pointer, groups, size *[3]uint32) uintptr {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.kernels[kernel-1].RunAt(buffers[:], *groups, *size, false); err != nil {
		w.problem = err
		return 1
	}
	return 0
}

func text(p *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

// newStandin loads a stand-in of its own for a test, and checks when the test ends that the host made no fault and gave
// back all that it took.
func newStandin(t testing.TB) *standin {
	t.Helper()
	w, err := openWorkshop()
	if errors.Is(err, mslrun.ErrNoCompiler) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := &standin{t: t, path: filepath.Join(t.TempDir(), "standin.so")}
	if err := os.WriteFile(s.path, w.shared, 0o777); err != nil {
		t.Fatal(err)
	}
	shared, err := purego.Dlopen(s.path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		t.Fatal(err)
	}
	var callbacks func(compile, run uintptr)
	purego.RegisterLibFunc(&callbacks, shared, "standin_callbacks")
	purego.RegisterLibFunc(&s.value, shared, "standin_value")
	purego.RegisterLibFunc(&s.faults, shared, "standin_faults")
	callbacks(w.compile, w.run)
	t.Cleanup(func() {
		if f := s.faults(); f != "" {
			t.Errorf("the host made a fault: %s", f)
		}
		for _, name := range []string{"live", "pools", "used"} {
			if n := *s.value(name); n != 0 {
				t.Errorf("%s: %d are left", name, n)
			}
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.problem != nil && t.Failed() {
			t.Log(w.problem)
		}
		w.problem = nil
	})
	return s
}

// open opens a host on the stand-in, closed when the test ends. With lookup nil it has the embedded kernels.
func (s *standin) open(lookup func(string) (kernels.Kernel, bool)) *Host {
	s.t.Helper()
	h, err := open(libraries{s.path, s.path, s.path, s.path}, lookup)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if err := h.Close(); err != nil {
			s.t.Error(err)
		}
	})
	return h
}
