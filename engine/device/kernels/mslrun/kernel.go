//go:build linux && (amd64 || arm64)

package mslrun

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Kernel is a compiled kernel. A kernel runs on one goroutine at a time.
type Kernel struct {
	name     string
	bindings []int
	run      func(buffers unsafe.Pointer, groups, size *[3]uint32, backwards bool) int32
}

// Bindings are the buffer indexes that the kernel takes, in the order of its parameters.
func (k *Kernel) Bindings() []int { return k.bindings }

// mostBuffers is how many buffers a kernel of the shading language can have.
const mostBuffers = 31

// RunAt runs the kernel on memory that the caller holds, by buffer index. The memory must be C's, or pinned.
// Backwards runs groups and threads in the opposite order: a kernel whose result changes lacks a barrier or writes
// one place from two groups.
func (k *Kernel) RunAt(buffers []unsafe.Pointer, groups, size [3]uint32, backwards bool) error {
	var table [mostBuffers]unsafe.Pointer
	copy(table[:], buffers)
	for _, b := range k.bindings {
		if b >= mostBuffers || table[b] == nil {
			return fmt.Errorf("run kernel %s: buffer %d is missing", k.name, b)
		}
	}
	code := k.run(unsafe.Pointer(&table), &groups, &size, backwards)
	runtime.KeepAlive(buffers)
	switch code {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("run kernel %s: threads of a group wait at different barriers", k.name)
	case 2:
		return fmt.Errorf("run kernel %s: it touches memory outside its buffers", k.name)
	}
	return fmt.Errorf("run kernel %s: groups of %v threads cannot be run", k.name, size)
}

// Run runs the kernel on buffers, by buffer index, and leaves in them what it wrote; nil for those that it has not.
// Each buffer ends where memory ends, so that a kernel that reads or writes past an end is found.
func (k *Kernel) Run(buffers [][]byte, groups, size [3]uint32, backwards bool) error {
	pointers := make([]unsafe.Pointer, len(buffers))
	fenced := make([]fence, len(buffers))
	defer func() {
		for _, f := range fenced {
			f.free()
		}
	}()
	for i, b := range buffers {
		if b == nil {
			continue
		}
		var err error
		if fenced[i], err = newFence(len(b)); err != nil {
			return fmt.Errorf("run kernel %s: %w", k.name, err)
		}
		copy(fenced[i].bytes, b)
		pointers[i] = unsafe.Pointer(unsafe.SliceData(fenced[i].bytes))
	}
	err := k.RunAt(pointers, groups, size, backwards)
	for i, b := range buffers {
		copy(b, fenced[i].bytes)
	}
	return err
}

// fence is memory between two pages that cannot be touched. It ends at the second of them, but for what brings its
// start to a multiple of 16, as vectors ask for.
type fence struct{ pages, bytes []byte }

func newFence(n int) (fence, error) {
	page := unix.Getpagesize()
	inside := max((n+15)/16*16, 16)
	whole := (inside+page-1)/page*page + 2*page
	pages, err := unix.Mmap(-1, 0, whole, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return fence{}, fmt.Errorf("take memory: %w", err)
	}
	f := fence{pages: pages}
	start := whole - page - inside
	f.bytes = pages[start : start+n : start+n]
	for _, edge := range [][]byte{pages[:page], pages[whole-page:]} {
		if err := unix.Mprotect(edge, unix.PROT_NONE); err != nil {
			f.free()
			return fence{}, fmt.Errorf("fence memory: %w", err)
		}
	}
	return f, nil
}

func (f fence) free() {
	if f.pages != nil {
		_ = unix.Munmap(f.pages)
	}
}

var (
	parameter = regexp.MustCompile(`^(.*[\s&*])(\w+) \[\[(\w+)(?:\((\d+)\))?\]\]$`)
	// builtins are the attributes of parameters that say where a thread is; runner.cpp fills fields of these names.
	builtins = []string{
		"thread_position_in_grid", "thread_position_in_threadgroup", "threadgroup_position_in_grid", "threadgroups_per_grid",
		"threads_per_threadgroup", "thread_index_in_threadgroup", "thread_index_in_simdgroup", "simdgroup_index_in_threadgroup",
		"threads_per_simdgroup", "simdgroups_per_threadgroup",
	}
)

// wrapper writes the function that calls a kernel for one thread, and lists the buffers that it takes.
func wrapper(msl, entry string) (string, []int, error) {
	_, rest, ok := strings.Cut(msl, "kernel void "+entry+"(")
	if !ok {
		return "", nil, fmt.Errorf("it has no kernel %s", entry)
	}
	list, _, ok := strings.Cut(rest, ")\n{")
	if !ok {
		return "", nil, fmt.Errorf("the parameters of %s do not end", entry)
	}
	var arguments []string
	var bindings []int
	for _, p := range strings.Split(list, ", ") {
		m := parameter.FindStringSubmatch(p)
		if m == nil {
			return "", nil, fmt.Errorf("parameter %q is not known", p)
		}
		kind, name := strings.TrimSpace(m[1]), m[3]
		switch {
		case name == "buffer" && strings.HasSuffix(kind, "&"):
			n, err := strconv.Atoi(m[4])
			if err != nil {
				return "", nil, fmt.Errorf("parameter %q: %w", p, err)
			}
			bindings = append(bindings, n)
			arguments = append(arguments, fmt.Sprintf("*(%s *)buffers[%d]", strings.TrimSuffix(kind, "&"), n))
		case slices.Contains(builtins, name):
			arguments = append(arguments, fmt.Sprintf("mslrun_get<%s>(self->%s)", kind, name))
		default:
			return "", nil, fmt.Errorf("parameter %q is not known", p)
		}
	}
	const head = `
struct mslrun_ids {
    uint thread_position_in_grid[3], thread_position_in_threadgroup[3], threadgroup_position_in_grid[3];
    uint threadgroups_per_grid[3], threads_per_threadgroup[3];
    uint thread_index_in_threadgroup, thread_index_in_simdgroup, simdgroup_index_in_threadgroup;
    uint threads_per_simdgroup, simdgroups_per_threadgroup;
};
template <class T> T mslrun_get(uint x) { return x; }
template <class T> T mslrun_get(const uint (&x)[3]) {
    T v;
    for (uint i = 0; i < shape<T>::size; i++) put(v, i, x[i]);
    return v;
}
extern "C" void mslrun_thread(void **buffers, const mslrun_ids *self) {
    %s(%s);
}
`
	return fmt.Sprintf(head, entry, strings.Join(arguments, ", ")), bindings, nil
}
