//go:build linux && (amd64 || arm64)

package mslrun

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// head is how generated kernels begin.
const head = `#include <metal_stdlib>
#include <simd/simd.h>
#include <metal_atomic>

using namespace metal;

struct Push
{
    uint n;
    float4 scale;
};

struct Words
{
    uint w[1];
};

struct Floats
{
    float v[1];
};

constant uint3 gl_WorkGroupSize [[maybe_unused]] = uint3(64u, 1u, 1u);

`

func compiler(t testing.TB) *Compiler {
	t.Helper()
	c, err := New(t.TempDir())
	if errors.Is(err, ErrNoCompiler) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func compile(t *testing.T, body string) *Kernel {
	t.Helper()
	k, err := compiler(t).Compile("kernel", head+body, "main0")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func floats(values ...float32) []byte {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func floatAt(b []byte, i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
}

func push(n uint32, scale [4]float32) []byte {
	b := binary.LittleEndian.AppendUint32(nil, n)
	return append(append(b, make([]byte, 12)...), floats(scale[:]...)...)
}

// ramp returns 0, 1, 2, ...
func ramp(n int) []byte {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(i)
	}
	return floats(values...)
}

const signature = `kernel void main0(constant Push& p [[buffer(0)]], const device Floats& x [[buffer(1)]], device Floats& y [[buffer(2)]], uint3 gl_GlobalInvocationID [[thread_position_in_grid]], uint gl_LocalInvocationIndex [[thread_index_in_threadgroup]])
{
`

// turned reverses every group of 64 values through memory that the group shares.
const turned = signature + `    threadgroup float shared_values[64];
    uint i = gl_GlobalInvocationID.x;
    shared_values[gl_LocalInvocationIndex] = x.v[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    y.v[i] = shared_values[63u - gl_LocalInvocationIndex] * p.scale.y;
}
`

func TestGroupsShareMemoryAndMeet(t *testing.T) {
	k := compile(t, turned)
	if !slices.Equal(k.Bindings(), []int{0, 1, 2}) {
		t.Errorf("the kernel takes buffers %v", k.Bindings())
	}
	for _, backwards := range []bool{false, true} {
		y := make([]byte, 4*192)
		if err := k.Run([][]byte{push(0, [4]float32{1, 2, 3, 4}), ramp(192), y}, [3]uint32{3, 1, 1}, [3]uint32{64, 1, 1}, backwards); err != nil {
			t.Fatal(err)
		}
		for i := range 192 {
			if want := float32(2 * (i/64*64 + 63 - i%64)); floatAt(y, i) != want {
				t.Fatalf("backwards %v: value %d is %v, want %v", backwards, i, floatAt(y, i), want)
			}
		}
	}
}

func TestAMissingBarrierShows(t *testing.T) {
	k := compile(t, strings.Replace(turned, "    threadgroup_barrier(mem_flags::mem_threadgroup);\n", "", 1))
	var results [2][]byte
	for n := range results {
		results[n] = make([]byte, 4*64)
		if err := k.Run([][]byte{push(0, [4]float32{1, 1, 1, 1}), ramp(64), results[n]}, [3]uint32{1, 1, 1}, [3]uint32{64, 1, 1}, n == 1); err != nil {
			t.Fatal(err)
		}
	}
	if slices.Equal(results[0], results[1]) {
		t.Error("both orders give one result")
	}
	// What nobody has written yet is no number, so that it does not pass for a zero.
	if v := floatAt(results[0], 0); v == v {
		t.Errorf("memory that no thread had written reads as %v", v)
	}
}

func TestThreadsThatDoNotMeetAreFound(t *testing.T) {
	for name, body := range map[string]string{
		"some threads only": `    if (gl_LocalInvocationIndex < 40u)
    {
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    y.v[0] = 1.0;
}
`,
		"two barriers": `    if (gl_LocalInvocationIndex < 40u)
    {
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    else
    {
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    y.v[0] = 1.0;
}
`,
	} {
		err := compile(t, signature+body).Run([][]byte{push(0, [4]float32{}), ramp(64), make([]byte, 4)}, [3]uint32{1, 1, 1}, [3]uint32{64, 1, 1}, false)
		if err == nil || !strings.Contains(err.Error(), "different barriers") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTouchingOtherMemoryIsFound(t *testing.T) {
	for name, line := range map[string]string{
		"read past the end":  "y.v[0] = x.v[p.n];",
		"write past the end": "y.v[p.n] = 1.0;",
		"read before":        "y.v[0] = x.v[-2000];",
	} {
		k := compile(t, signature+"    "+line+"\n}\n")
		for n, bad := range map[uint32]bool{63: name == "read before", 64: true} {
			err := k.Run([][]byte{push(n, [4]float32{}), ramp(64), make([]byte, 4*64)}, [3]uint32{1, 1, 1}, [3]uint32{1, 1, 1}, false)
			if bad != (err != nil && strings.Contains(err.Error(), "outside its buffers")) {
				t.Errorf("%s at %d: %v", name, n, err)
			}
		}
	}
}

func TestThreadsOfASIMDGroupExchange(t *testing.T) {
	k := compile(t, signature+`    uint i = gl_LocalInvocationIndex;
    float a = x.v[i];
    y.v[5u * i] = simd_sum(a);
    y.v[5u * i + 1u] = simd_max(a);
    y.v[5u * i + 2u] = simd_shuffle_xor(a, 1u);
    y.v[5u * i + 3u] = simd_broadcast(a, 3u);
    y.v[5u * i + 4u] = simd_prefix_inclusive_sum(a);
}
`)
	const n = 80 // two SIMD groups and a half
	y := make([]byte, 4*5*n)
	if err := k.Run([][]byte{push(0, [4]float32{}), ramp(n), y}, [3]uint32{1, 1, 1}, [3]uint32{n, 1, 1}, true); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		first, last := i/32*32, min(i/32*32+32, n)
		sum, until := 0, 0
		for j := first; j < last; j++ {
			sum += j
			if j <= i {
				until += j
			}
		}
		for c, want := range []int{sum, last - 1, i ^ 1, first + 3, until} {
			if got := floatAt(y, 5*i+c); got != float32(want) {
				t.Errorf("thread %d, %d: %v, want %d", i, c, got, want)
			}
		}
	}
}

func TestTheLibraryComputes(t *testing.T) {
	k := compile(t, signature+`    float a = x.v[0];
    float4 v = float4(a, float2(2.0, 3.0), 4.0);
    y.v[0] = dot(v, float4(1.0));
    y.v[1] = exp(a);
    y.v[2] = fast::clamp(7.5, a, 3.0);
    y.v[3] = as_type<float>(as_type<uint>(a) & 4294901760u);
    y.v[4] = mix(2.0, 4.0, a);
    y.v[5] = float2(as_type<half2>(as_type<uint>(half2(float2(a, -a))))).y;
    y.v[6] = float(extract_bits(240u, 4u, 3u) + insert_bits(0u, 3u, 1u, 2u));
    y.v[7] = precise::tanh(a) + rsqrt(v.w) + floor(-a) + sign(-a) + fma(a, 2.0, 1.0);
    float4 w = max(v, float4(2.5)) - fract(v);
    y.v[8] = w.x + w.w;
    uint expected = as_type<uint>(a);
    uint old = atomic_fetch_or_explicit((device atomic_uint*)&y.v[9], expected, memory_order_relaxed);
    y.v[10] = (isnan(a) || isinf(a)) ? 1.0 : float(old) + pow(a, 2.0) + float(popcount(7u));
}
`)
	const a = 0.5
	y := make([]byte, 4*11)
	if err := k.Run([][]byte{push(0, [4]float32{}), floats(a), y}, [3]uint32{1, 1, 1}, [3]uint32{1, 1, 1}, false); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{
		9.5, math.Exp(a), 3, a, 3, -a, 7 + 6, math.Tanh(a) + 0.5 - 1 - 1 + 2, 2.5 - 0.5 + 4, a, 0.25 + 3,
	} {
		if got := floatAt(y, i); math.Abs(float64(got)-want) > 1e-6 {
			t.Errorf("value %d is %v, want %v", i, got, want)
		}
	}
}

func TestTextThatIsNotLegalIsRefused(t *testing.T) {
	c := compiler(t)
	for name, body := range map[string]string{
		"a type":               signature + "    y.v[0] = nothing(x.v[0]);\n}\n",
		"the address space":    signature + "    device float* q = &x.v[0];\n}\n",
		"a constant":           signature + "    p.n = 3u;\n}\n",
		"read-only":            signature + "    x.v[0] = 1.0;\n}\n",
		"too few components":   signature + "    float4 v = float4(x.v[0], 1.0);\n}\n",
		"an unknown parameter": "kernel void main0(texture2d<float> t [[texture(0)]])\n{\n}\n",
		"no kernel":            "void main1()\n{\n}\n",
	} {
		if _, err := c.Compile(strings.ReplaceAll(name, " ", "_"), head+body, "main0"); err == nil {
			t.Errorf("%s passes", name)
		}
	}
}

func TestRunsThatCannotBeAreRefused(t *testing.T) {
	k := compile(t, turned)
	if err := k.Run([][]byte{push(0, [4]float32{}), nil, make([]byte, 256)}, [3]uint32{1, 1, 1}, [3]uint32{64, 1, 1}, false); err == nil {
		t.Error("a run without a buffer")
	}
	if err := k.Run([][]byte{push(0, [4]float32{}), ramp(64), make([]byte, 256)}, [3]uint32{1, 1, 1}, [3]uint32{2048, 1, 1}, false); err == nil {
		t.Error("a group of 2048 threads")
	}
}
