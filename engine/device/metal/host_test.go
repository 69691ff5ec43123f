//go:build linux && (amd64 || arm64)

package metal

import (
	"bufio"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"greenroom/engine/device"
	"greenroom/engine/device/gpu"
	"greenroom/engine/device/kernels"
	"greenroom/engine/program"
)

const begin = `#include <metal_stdlib>
#include <simd/simd.h>

using namespace metal;

struct Push
{
    uint n;
    float scale;
};

struct Floats
{
    float v[1];
};

`

// threeKernels has three small kernels: Y = X * scale; every group of 64 turned around; and one that does not compile.
func threeKernels(name string) (kernels.Kernel, bool) {
	k := kernels.Kernel{Name: name, Entry: "main0", Workgroup: [3]uint32{64, 1, 1}, Bindings: 2}
	switch name {
	case "scale":
		k.Push = 8
		k.MSL = begin + `kernel void main0(constant Push& p [[buffer(0)]], const device Floats& x [[buffer(1)]], device Floats& y [[buffer(2)]], uint3 gl_GlobalInvocationID [[thread_position_in_grid]])
{
    uint i = gl_GlobalInvocationID.x;
    if (i < p.n)
    {
        y.v[i] = x.v[i] * p.scale;
    }
}
`
	case "turn":
		k.MSL = begin + `kernel void main0(const device Floats& x [[buffer(1)]], device Floats& y [[buffer(2)]], uint3 gl_GlobalInvocationID [[thread_position_in_grid]], uint gl_LocalInvocationIndex [[thread_index_in_threadgroup]])
{
    threadgroup float s[64];
    s[gl_LocalInvocationIndex] = x.v[gl_GlobalInvocationID.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    y.v[gl_GlobalInvocationID.x] = s[63u - gl_LocalInvocationIndex];
}
`
	case "broken":
		k.MSL = begin + "kernel void main0(device Floats& x [[buffer(1)]], device Floats& y [[buffer(2)]])\n{\n    x = nothing;\n}\n"
	default:
		return kernels.Kernel{}, false
	}
	return k, true
}

func scaleCall(n int, scale float32) kernels.Call {
	push := binary.LittleEndian.AppendUint32(nil, uint32(n))
	push = binary.LittleEndian.AppendUint32(push, math.Float32bits(scale))
	return kernels.Call{Kernel: "scale", Push: push, Groups: [3]uint32{uint32((n + 63) / 64), 1, 1}}
}

func allocate(t *testing.T, h *Host, bytes int64) gpu.Buffer {
	t.Helper()
	b, err := h.Allocate(bytes)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func ramp(n int) []byte {
	var b []byte
	for i := range n {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(i)))
	}
	return b
}

// steps are: X times 3 to Y, Y turned to X, X times 2 to Y; over 128 values of one buffer.
func steps(b gpu.Buffer) []gpu.Step {
	x, y := gpu.Binding{Buffer: b, Bytes: 512}, gpu.Binding{Buffer: b, Offset: 512, Bytes: 512}
	return []gpu.Step{
		{Call: scaleCall(128, 3), Bindings: []gpu.Binding{x, y}, Stage: program.Encoder},
		{Call: kernels.Call{Kernel: "turn", Groups: [3]uint32{2, 1, 1}}, Bindings: []gpu.Binding{y, x}, Stage: program.Encoder},
		{Call: scaleCall(128, 2), Bindings: []gpu.Binding{x, y}, Stage: program.Refiner},
	}
}

func TestHostDescribesTheDevice(t *testing.T) {
	s := newStandin(t)
	h := s.open(threeKernels)
	info := h.Info()
	if info.Kind != "metal" || info.Name != "Apple M4 Pro" || !slices.Equal(info.Features, []string{"Apple7", "Apple8", "Apple9", "Metal3"}) {
		t.Errorf("the device is %+v", info)
	}
	if id := h.Identity(); !strings.Contains(id, "Apple M4 Pro") || !strings.Contains(id, "15.1 (Build 24B83)") {
		t.Errorf("it is identified by %q", id)
	}
	l := h.Limits()
	if l.Total != 1<<30 || l.Memory != 1<<30 || l.MaxAllocation != 1<<29 || l.MaxBinding != 1<<29 || l.Shared != 32768 || !l.Unified || l.Align != 256 {
		t.Errorf("its limits are %+v", l)
	}
}

func TestStepsRunInOrderAgainAndAgain(t *testing.T) {
	s := newStandin(t)
	h := s.open(threeKernels)
	b := allocate(t, h, 1024)
	r, err := h.Record(steps(b))
	if err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		if err := h.Upload(b, 0, ramp(128)); err != nil {
			t.Fatal(err)
		}
		times, err := h.Run(r)
		if err != nil {
			t.Fatal(err)
		}
		out := make([]byte, 512)
		if err := h.Download(out, b, 512); err != nil {
			t.Fatal(err)
		}
		for i := range 128 {
			want := float32(6 * (i/64*64 + 63 - i%64))
			if got := math.Float32frombits(binary.LittleEndian.Uint32(out[4*i:])); got != want {
				t.Fatalf("run %d: value %d is %v, want %v", n, i, got, want)
			}
		}
		if times[program.Encoder] <= 0 || times[program.Refiner] <= 0 || times[program.Decoder] != 0 || times[program.Encoder] > time.Minute {
			t.Errorf("run %d: the stages took %v", n, times)
		}
	}
	// One command buffer for each stage's steps; every one is made anew.
	if buffers, dispatches := *s.value("command buffers"), *s.value("dispatches"); buffers != 6 || dispatches != 9 {
		t.Errorf("three runs took %d command buffers and %d dispatches", buffers, dispatches)
	}
	h.Release(r)
	h.Free(b)
	if used := *s.value("used"); used != 0 {
		t.Errorf("%d bytes are left after Free", used)
	}
}

func TestMemoryEndsWithTheWorkingSet(t *testing.T) {
	s := newStandin(t)
	*s.value("working set"), *s.value("longest buffer") = 10000, 8000
	h := s.open(threeKernels)
	if _, err := h.Allocate(8001); !errors.Is(err, device.ErrOutOfMemory) {
		t.Errorf("a buffer that is too long: %v", err)
	}
	b := allocate(t, h, 8000)
	if m := h.Limits().Memory; m != 2000 {
		t.Errorf("%d bytes are left", m)
	}
	if _, err := h.Allocate(2001); !errors.Is(err, device.ErrOutOfMemory) {
		t.Errorf("more than the working set: %v", err)
	}
	h.Free(b)
	*s.value("no buffer") = 1
	if _, err := h.Allocate(16); !errors.Is(err, device.ErrOutOfMemory) {
		t.Errorf("where Metal gives no buffer: %v", err)
	}
}

func TestFailedWorkSaysWhy(t *testing.T) {
	for code, want := range map[int]error{8: device.ErrOutOfMemory, 2: device.ErrLost, 11: device.ErrLost} {
		s := newStandin(t)
		h := s.open(threeKernels)
		b := allocate(t, h, 1024)
		r, err := h.Record(steps(b))
		if err != nil {
			t.Fatal(err)
		}
		*s.value("failure") = code
		if _, err := h.Run(r); !errors.Is(err, want) || !strings.Contains(err.Error(), "run on the GPU: ") {
			t.Errorf("code %d: %v", code, err)
		}
		_, err = h.Run(r)
		if lost := errors.Is(want, device.ErrLost); lost != errors.Is(err, device.ErrLost) || !lost && err != nil {
			t.Errorf("code %d: the next run: %v", code, err)
		}
		if want == device.ErrLost {
			if _, err := h.Allocate(16); !errors.Is(err, device.ErrLost) {
				t.Errorf("memory of a lost device: %v", err)
			}
		}
	}
}

func TestKernelsThatCannotRunAreRefused(t *testing.T) {
	s := newStandin(t)
	h := s.open(threeKernels)
	b := allocate(t, h, 1024)
	good := steps(b)[0]
	for name, change := range map[string]func(*gpu.Step){
		"there is no kernel":   func(s *gpu.Step) { s.Call.Kernel = "nothing" },
		"does not compile":     func(s *gpu.Step) { s.Call.Kernel, s.Call.Push = "broken", nil },
		"push constants":       func(s *gpu.Step) { s.Call.Push = s.Call.Push[:4] },
		"1 buffers, 2 needed":  func(s *gpu.Step) { s.Bindings = s.Bindings[:1] },
		"[0 1 1] groups":       func(s *gpu.Step) { s.Call.Groups[0] = 0 },
		"70000 1] groups":      func(s *gpu.Step) { s.Call.Groups[1] = 70000 },
		"512 bytes at 768":     func(s *gpu.Step) { s.Bindings = []gpu.Binding{{Buffer: b, Offset: 768, Bytes: 512}, s.Bindings[1]} },
		"16 bytes at 8":        func(s *gpu.Step) { s.Bindings = []gpu.Binding{{Buffer: b, Offset: 8, Bytes: 16}, s.Bindings[1]} },
		"buffer 1 cannot be b": func(s *gpu.Step) { s.Bindings = []gpu.Binding{{Buffer: &buffer{}, Bytes: 16}, s.Bindings[1]} },
	} {
		step := good
		change(&step)
		if _, err := h.Record([]gpu.Step{step}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := h.Record([]gpu.Step{good}); err != nil {
		t.Errorf("the step itself: %v", err)
	}
	if err := h.Upload(b, 1000, make([]byte, 32)); err == nil {
		t.Error("an upload past the end")
	}
	if err := h.Download(make([]byte, 32), b, -4); err == nil {
		t.Error("a download from before the start")
	}
}

func TestAGroupTooLargeForTheGPUIsRefused(t *testing.T) {
	s := newStandin(t)
	*s.value("threads") = 32
	h := s.open(threeKernels)
	b := allocate(t, h, 1024)
	if _, err := h.Record(steps(b)); err == nil || !strings.Contains(err.Error(), "32 threads") {
		t.Errorf("a kernel of 64 threads on a GPU of 32: %v", err)
	}
}

func TestAMachineWithoutAGPUSaysSo(t *testing.T) {
	s := newStandin(t)
	*s.value("no device") = 1
	if _, err := open(libraries{s.path, s.path, s.path, s.path}, threeKernels); !errors.Is(err, ErrNoDevice) {
		t.Errorf("without a device: %v", err)
	}
	*s.value("no device"), *s.value("no queue") = 0, 1
	if _, err := open(libraries{s.path, s.path, s.path, s.path}, threeKernels); err == nil {
		t.Error("without a queue it opens")
	}
	if _, err := open(libraries{s.path, s.path, "/nothing/CoreGraphics", s.path}, threeKernels); err == nil || !strings.Contains(err.Error(), "CoreGraphics") {
		t.Errorf("without CoreGraphics: %v", err)
	}
}

func TestSizesArePassedAsMetalHasThem(t *testing.T) {
	// MTLSize is three NSUInteger.
	if n := unsafe.Sizeof(size{}); n != 24 {
		t.Errorf("a size is %d bytes", n)
	}
}

// TestMessagesAreApples holds the messages against those of Apple's documentation, one a line with the class or
// protocol that has it.
func TestMessagesAreApples(t *testing.T) {
	f, err := os.Open("testdata/messages.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	known := make(map[string]bool)
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) >= 2 && fields[0] != "#" {
			known[fields[1]] = true
		}
	}
	for _, name := range messageNames {
		if name == "" || !known[name] {
			t.Errorf("message %q is not in Apple's documentation", name)
		}
		delete(known, name)
	}
	for name := range known {
		t.Errorf("message %q is listed and not sent", name)
	}
}
