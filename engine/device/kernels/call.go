package kernels

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"greenroom/engine/program"
)

// ErrTooLarge is returned, wrapped, when a kernel would have to see more of a tensor at once than the device can
// bind. A smaller tile fits.
var ErrTooLarge = errors.New("tensor larger than the device can bind")

// ErrNoKernel is returned, wrapped, when every kernel that could compute an op is in Limits.Without.
var ErrNoKernel = errors.New("no kernel left")

// Call is one dispatch of a kernel.
type Call struct {
	// Kernel is its name in a Library.
	Kernel string
	// Push holds the push constants, Kernel.Push bytes, at most MaxPush.
	Push []byte
	// Groups is the number of workgroups along each axis, at most MaxGroups each.
	Groups [3]uint32
	// Bindings are what the kernel reads and writes: Bindings[i] at binding i+1.
	Bindings []Binding
	// Work is about how many operations the call takes, for splitting work into submits.
	Work float64
	// Wait says that the call reads or overwrites what an earlier call of the same op wrote or read, and must
	// come after a barrier. Calls of one op that do not wait can run at the same time.
	Wait bool
}

// Binding is an operand of a call: which, and what part of it the call sees: Bytes bytes from Offset, which is a
// multiple of 256. Whole tensors, which most calls see, have Offset 0. The kernels leave nothing unbound: in
// the place of an operand that the op does not have stands another that it has.
type Binding struct {
	Role          Role
	Offset, Bytes int64
}

// Role says which operand of an op a binding is.
type Role uint8

const (
	// X, X1, ... X7 are the tensors that the op reads, in the op's order.
	X Role = iota
	X1
	X2
	X3
	X4
	X5
	X6
	X7
	// Y is the tensor that the op writes.
	Y
	// Residual is the tensor that is added.
	Residual
	// Weight is the op's weight W, laid out by the Pack function of the constructor's kernel, or as it is
	// (gamma) in float32.
	Weight
	// Bias is the op's weight B in float32.
	Bias
	// Statistics is the tensor of GroupNorm statistics that a convolution also writes.
	Statistics
	// PreStatistics, PreWeight and PreBias are those of the GroupNorm that a convolution reads through.
	PreStatistics
	PreWeight
	PreBias
	// Index is the op's list of row numbers, 32 bits each.
	Index
	// Scratch is memory that lives from an op's first call to its last; the constructor's Scratch says how much.
	Scratch
)

const (
	// MaxPush is the most bytes of push constants.
	MaxPush = 128
	// MaxGroups is the most workgroups along an axis that every device allows.
	MaxGroups = 65535
	// windowAlign is the alignment of a window: as much as any device asks of a storage buffer's offset.
	windowAlign = 256
)

// Limits bound what one call may be. Zero fields do not bound.
type Limits struct {
	// Binding is the most bytes that can be bound as one operand. Where a tensor is larger, calls see row
	// windows of it.
	Binding int64
	// Work is the most operations of one call, so that no submit runs for long.
	Work float64
	// Without names kernels that must not be used. The next that fits takes their place; the slowest of a family,
	// whose name ends in _any, fits every shape.
	Without map[string]bool
}

// choose returns the first name that may be used.
func (l Limits) choose(names ...string) (string, error) {
	for _, n := range names {
		if !l.Without[n] {
			return n, nil
		}
	}
	return "", fmt.Errorf("%w: %s", ErrNoKernel, strings.Join(names, ", "))
}

// Operand is a tensor as a kernel sees it: Rows rows of Stride elements, of which the kernel takes columns Col to
// Col+Cols. The zero Operand is one that an op does not have.
type Operand struct {
	Rows, Stride, Col, Cols int
	Type                    program.DType
}

// OperandOf returns the operand that is a view of a program's tensor; the zero Operand for tensor None.
func OperandOf(p *program.Program, v program.View) Operand {
	if v.Tensor == program.None {
		return Operand{}
	}
	t := p.Tensors[v.Tensor]
	return Operand{Rows: t.Rows, Stride: t.Cols, Col: v.Col, Cols: v.Cols, Type: t.DType}
}

// Dense returns an operand that is a whole tensor of rows x cols.
func Dense(rows, cols int, t program.DType) Operand {
	return Operand{Rows: rows, Stride: cols, Cols: cols, Type: t}
}

// None reports whether there is no such operand.
func (o Operand) None() bool { return o.Rows == 0 }

// Bytes returns the memory of the whole tensor, up to the next word.
func (o Operand) Bytes() int64 {
	return (int64(o.Rows)*int64(o.Stride)*o.Type.Size() + 3) / 4 * 4
}

// aligned reports whether every row's columns start at, and are, a multiple of n elements.
func (o Operand) aligned(n int) bool {
	return o.None() || o.Stride%n == 0 && o.Col%n == 0 && o.Cols%n == 0
}

// check reports an operand that cannot be.
func (o Operand) check(name string) error {
	switch {
	case o.Rows < 1 || o.Cols < 1 || o.Col < 0 || o.Col+o.Cols > o.Stride:
		return fmt.Errorf("%s: columns %d+%d of a tensor of %d x %d", name, o.Col, o.Cols, o.Rows, o.Stride)
	}
	if err := checkType(o.Type); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// place is how a call's push constants describe an operand.
type place struct{ base, stride, dtype uint32 }

// push builds push constants: uint32, int (as 32 bits), float32 and bool, four bytes each, and places.
func push(values ...any) []byte {
	b := make([]byte, 0, 4*len(values))
	for _, v := range values {
		switch v := v.(type) {
		case uint32:
			b = binary.LittleEndian.AppendUint32(b, v)
		case int:
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		case float32:
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		case place:
			b = append(b, push(v.base, v.stride, v.dtype)...)
		case bool:
			n := uint32(0)
			if v {
				n = 1
			}
			b = binary.LittleEndian.AppendUint32(b, n)
		default:
			panic(fmt.Sprintf("kernels: push constant of type %T", v))
		}
	}
	return b
}

// groups spreads n workgroups over two axes; kernels number them y*NumWorkGroups.x + x and leave the surplus idle.
func groups(n int) [3]uint32 {
	if n <= MaxGroups {
		return [3]uint32{uint32(max(n, 1)), 1, 1}
	}
	y := (n + MaxGroups - 1) / MaxGroups
	return [3]uint32{uint32((n + y - 1) / y), uint32(y), 1}
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

func roundUp(a, b int) int { return ceilDiv(a, b) * b }
