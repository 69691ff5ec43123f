//go:build linux && (amd64 || arm64)

package kernels_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"greenroom/engine/device/cpu/kernel"
	"greenroom/engine/device/gpu"
	"greenroom/engine/device/kernels"
	"greenroom/engine/device/kernels/mslrun"
	"greenroom/engine/device/vulkan"
	"greenroom/engine/program"
)

// machine runs kernels on the CPU: their source for Metal by a compiler, and their SPIR-V by a Vulkan driver where there
// is one. Tests hold one against a reference and the other against the same.
type machine struct {
	set      *kernels.Set
	compiler *mslrun.Compiler
	compiled map[string]*mslrun.Kernel
	vulkan   *vulkan.Host
}

// software is the name of the driver that runs on the processor.
const software = "llvmpipe"

// newMachine returns a machine, and skips the test where there is neither compiler nor driver, and in short mode.
func newMachine(t *testing.T) *machine {
	t.Helper()
	if testing.Short() {
		t.Skip("compiling every kernel takes its time")
	}
	set, err := kernels.Open()
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{set: set, compiled: make(map[string]*mslrun.Kernel)}
	m.compiler, err = mslrun.New(t.TempDir())
	if err != nil && !errors.Is(err, mslrun.ErrNoCompiler) {
		t.Fatal(err)
	}
	var missing error
	m.vulkan, missing = vulkan.Open(vulkan.Options{Name: software})
	switch {
	case missing == nil:
		t.Cleanup(func() { m.vulkan.Close() })
	case !errors.Is(missing, vulkan.ErrNoLoader) && !errors.Is(missing, vulkan.ErrNoDevice):
		t.Fatal(missing)
	case err != nil:
		t.Skip("cannot run kernels here: ", errors.Join(err, missing))
	default:
		t.Log("cannot run kernels by Vulkan here: ", missing)
	}
	if err != nil {
		t.Log("cannot run kernels by their source for Metal here: ", err)
	}
	return m
}

// memory is the operands of an op.
type memory map[kernels.Role][]byte

func (m memory) clone() memory {
	c := make(memory)
	for role, b := range m {
		c[role] = bytes.Clone(b)
	}
	return c
}

// run runs the calls in order, each way that the machine can. What it comes to by Metal's source must be the same when
// every call's threads, and the calls that may run at the same time, run in the opposite order; by Vulkan it
// is within rounding of the same.
func (m *machine) run(t *testing.T, calls []kernels.Call, mem memory) {
	t.Helper()
	again, other := mem.clone(), mem.clone()
	if m.vulkan != nil {
		m.submit(t, calls, other)
		if m.compiler == nil {
			for role, b := range mem {
				copy(b, other[role])
			}
			return
		}
	}
	for _, c := range calls {
		m.call(t, c, mem, false)
	}
	for rest := calls; len(rest) > 0; {
		n := 1
		for n < len(rest) && !rest[n].Wait {
			n++
		}
		for i := n - 1; i >= 0; i-- {
			m.call(t, rest[i], again, true)
		}
		rest = rest[n:]
	}
	for role, b := range mem {
		if !bytes.Equal(b, again[role]) {
			t.Errorf("operand %d depends on the order in which threads run", role)
		}
		if m.vulkan != nil && role != kernels.Scratch {
			m.compare(t, role, b, other[role])
		}
	}
}

// compare holds what Vulkan wrote against what the source for Metal wrote, both in words of float32 or of two half-width numbers:
// the upper half of a word differs by a few units at most either way.
func (m *machine) compare(t *testing.T, role kernels.Role, metal, spirv []byte) {
	t.Helper()
	different := 0
	for i := 0; i+4 <= len(metal); i += 4 {
		a, b := binary.LittleEndian.Uint32(metal[i:]), binary.LittleEndian.Uint32(spirv[i:])
		x, y := float64(math.Float32frombits(a&0xffff0000)), float64(math.Float32frombits(b&0xffff0000))
		if a != b && !(math.Abs(x-y) <= math.Abs(x)/32+1e-3) {
			different++
		}
	}
	if different > 0 {
		t.Errorf("operand %d: %d of %d words differ between SPIR-V and the source for Metal", role, different, len(metal)/4)
	}
}

// submit runs calls by Vulkan.
func (m *machine) submit(t *testing.T, calls []kernels.Call, mem memory) {
	t.Helper()
	buffers := make(map[kernels.Role]gpu.Buffer)
	for role, b := range mem {
		buffer, err := m.vulkan.Allocate(int64(max(len(b), 4)))
		if err != nil {
			t.Fatal(err)
		}
		defer m.vulkan.Free(buffer)
		if err := m.vulkan.Upload(buffer, 0, b); err != nil {
			t.Fatal(err)
		}
		buffers[role] = buffer
	}
	steps := make([]gpu.Step, len(calls))
	for i, c := range calls {
		steps[i] = gpu.Step{Call: c, Beside: i > 0 && !c.Wait}
		for _, b := range c.Bindings {
			steps[i].Bindings = append(steps[i].Bindings, gpu.Binding{Buffer: buffers[b.Role], Offset: b.Offset, Bytes: b.Bytes})
		}
	}
	r, err := m.vulkan.Record(steps)
	if err != nil {
		t.Fatal(err)
	}
	defer m.vulkan.Release(r)
	if _, err := m.vulkan.Run(r); err != nil {
		t.Fatal(err)
	}
	for role, b := range mem {
		if err := m.vulkan.Download(b, buffers[role], 0); err != nil {
			t.Fatal(err)
		}
	}
}

// call runs one call by its source for Metal.
func (m *machine) call(t *testing.T, c kernels.Call, mem memory, backwards bool) {
	t.Helper()
	k, ok := m.set.Lookup(c.Kernel)
	if !ok {
		t.Fatalf("no kernel %s", c.Kernel)
	}
	if len(c.Push) != k.Push || len(c.Bindings) != k.Bindings {
		t.Fatalf("%s: %d bytes of push constants and %d bindings, not %d and %d", k.Name, len(c.Push), len(c.Bindings), k.Push, k.Bindings)
	}
	if m.compiled[k.Name] == nil {
		compiled, err := m.compiler.Compile(k.Name, k.MSL, k.Entry)
		if err != nil {
			t.Fatal(err)
		}
		m.compiled[k.Name] = compiled
	}
	buffers := [][]byte{bytes.Clone(c.Push)}
	for i, b := range c.Bindings {
		if b.Offset%256 != 0 || b.Bytes <= 0 || b.Bytes%4 != 0 || b.Offset+b.Bytes > int64(len(mem[b.Role])) {
			t.Fatalf("%s: binding %d is %d bytes from %d of %d", k.Name, i+1, b.Bytes, b.Offset, len(mem[b.Role]))
		}
		buffers = append(buffers, mem[b.Role][b.Offset:b.Offset+b.Bytes])
	}
	if err := m.compiled[k.Name].Run(buffers, c.Groups, k.Workgroup, backwards); err != nil {
		t.Fatal(err)
	}
}

// tensor is an operand with its values.
type tensor struct {
	kernels.Operand
	bytes []byte
}

// random returns a tensor of values around 0, with some spread.
func random(r *rand.Rand, o kernels.Operand) tensor {
	x := tensor{o, make([]byte, o.Bytes())}
	for i := range o.Rows * o.Stride {
		x.set(i, float32(r.NormFloat64()))
	}
	return x
}

func (x tensor) set(i int, v float32) {
	if x.Type.Half() {
		binary.LittleEndian.PutUint16(x.bytes[2*i:], half(v, x.Type))
		return
	}
	binary.LittleEndian.PutUint32(x.bytes[4*i:], math.Float32bits(v))
}

func (x tensor) get(i int) float64 {
	if x.Type.Half() {
		return float64(whole(binary.LittleEndian.Uint16(x.bytes[2*i:]), x.Type))
	}
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(x.bytes[4*i:])))
}

// at returns the value of a row and a column of the view.
func (x tensor) at(row, col int) float64 { return x.get(row*x.Stride + x.Col + col) }

// floats returns n random values.
func floats(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

func float32Bytes(x []float32) []byte {
	b := make([]byte, 0, 4*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

// format is a half-width type as the processor's kernels name it.
func format(t program.DType) kernel.Format {
	if t == program.F16 {
		return kernel.Float16
	}
	return kernel.BFloat16
}

// half rounds to a half-width type, to nearest even.
func half(v float32, t program.DType) uint16 {
	var h [1]uint16
	kernel.Scalar().Round(h[:], []float32{v}, format(t))
	return h[0]
}

// whole widens a half-width number.
func whole(h uint16, t program.DType) float32 {
	var v [1]float32
	kernel.Scalar().Expand(v[:], []uint16{h}, format(t))
	return v[0]
}

// stored returns a weight as it is stored in a type.
func stored(v float32, t program.DType) float64 {
	if t.Half() {
		return float64(whole(half(v, t), t))
	}
	return float64(v)
}

// value is what a kernel should have written, and the size of the numbers it was summed from.
type value struct{ want, size float64 }

// check holds what is in a view of y against a reference, and what lies beside the view against what was there before.
func check(t *testing.T, y tensor, before []byte, reference func(row, col int) value) {
	t.Helper()
	relative := map[program.DType]float64{program.F32: 1e-5, program.BF16: 1.0 / 256, program.F16: 1.0 / 2048}[y.Type]
	old := tensor{y.Operand, before}
	worst := 0.0
	for row := range y.Rows {
		for c := range y.Stride {
			got := y.get(row*y.Stride + c)
			if c < y.Col || c >= y.Col+y.Cols {
				if got != old.get(row*y.Stride+c) {
					t.Fatalf("row %d: column %d, outside the view, is now %g", row, c, got)
				}
				continue
			}
			v := reference(row, c-y.Col)
			allowed := relative*math.Abs(v.want) + 1e-5*v.size
			off := math.Abs(got - v.want)
			worst = max(worst, off/allowed)
			if !(off <= allowed) {
				t.Fatalf("row %d, column %d: %.9g, not %.9g (off by %.3g, %.3g allowed)", row, c-y.Col, got, v.want, off, allowed)
			}
		}
	}
	t.Logf("off by at most %.2g of what is allowed", worst)
}

// activation is program.Act in float64.
func activation(act program.Act, x float64) float64 {
	switch act {
	case program.GELU:
		return x / 2 * (1 + math.Erf(x/math.Sqrt2))
	case program.ReLU:
		return max(x, 0)
	case program.Sigmoid:
		return 1 / (1 + math.Exp(-x))
	}
	return x
}

// view returns an operand inside a wider tensor.
func view(rows, cols, before, after int, t program.DType) kernels.Operand {
	return kernels.Operand{Rows: rows, Stride: before + cols + after, Col: before, Cols: cols, Type: t}
}

// without returns limits that leave of a family of kernels only those named.
func without(l *kernels.Set, only ...string) kernels.Limits {
	w := make(map[string]bool)
	for _, k := range l.All() {
		w[k.Name] = true
	}
	for _, n := range only {
		delete(w, n)
	}
	return kernels.Limits{Without: w}
}

// types returns the combinations of two storage types, but for those of two half-width types.
func types() map[string][2]program.DType {
	all := make(map[string][2]program.DType)
	for _, h := range halves() {
		for _, x := range []program.DType{program.F32, h} {
			for _, y := range []program.DType{program.F32, h} {
				all[fmt.Sprintf("%s to %s", x, y)] = [2]program.DType{x, y}
			}
		}
	}
	return all
}

// halves lists the half-width types.
func halves() []program.DType { return []program.DType{program.BF16, program.F16} }

// toFloat16 makes float16 of bfloat16, and reports whether it did.
func toFloat16(types ...*program.DType) (changed bool) {
	for _, t := range types {
		if *t == program.BF16 {
			*t, changed = program.F16, true
		}
	}
	return changed
}
