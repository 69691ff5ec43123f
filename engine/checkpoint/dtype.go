package checkpoint

import "strconv"

// DType is the type of a tensor's stored elements.
type DType uint8

// The element types a checkpoint may hold. Only the floating types Float16,
// BFloat16, Float32 and Float64 can be read with ReadFloat32; the others are
// listed, so that a loader can name or ignore them.
const (
	Float32 DType = iota
	Float16
	BFloat16
	Float64
	Float8E4M3
	Float8E5M2
	Float8E8M0
	Complex64
	Complex128
	Int64
	Int32
	Int16
	Int8
	Uint64
	Uint32
	Uint16
	Uint8
	Bool
)

// dtypeFacts describes one element type: its bytes an element, and its name in
// a safetensors header ("" where the format has none).
type dtypeFacts struct {
	size        int
	safetensors string
}

func (d DType) facts() dtypeFacts {
	switch d {
	case Float32:
		return dtypeFacts{4, "F32"}
	case Float16:
		return dtypeFacts{2, "F16"}
	case BFloat16:
		return dtypeFacts{2, "BF16"}
	case Float64:
		return dtypeFacts{8, "F64"}
	case Float8E4M3:
		return dtypeFacts{1, "F8_E4M3"}
	case Float8E5M2:
		return dtypeFacts{1, "F8_E5M2"}
	case Float8E8M0:
		return dtypeFacts{1, "F8_E8M0"}
	case Complex64:
		return dtypeFacts{8, "C64"}
	case Complex128:
		return dtypeFacts{16, ""}
	case Int64:
		return dtypeFacts{8, "I64"}
	case Int32:
		return dtypeFacts{4, "I32"}
	case Int16:
		return dtypeFacts{2, "I16"}
	case Int8:
		return dtypeFacts{1, "I8"}
	case Uint64:
		return dtypeFacts{8, "U64"}
	case Uint32:
		return dtypeFacts{4, "U32"}
	case Uint16:
		return dtypeFacts{2, "U16"}
	case Uint8:
		return dtypeFacts{1, "U8"}
	case Bool:
		return dtypeFacts{1, "BOOL"}
	}
	return dtypeFacts{}
}

// Size returns the bytes one element takes in the file.
func (d DType) Size() int { return d.facts().size }

// Float reports whether ReadFloat32 can read elements of this type.
func (d DType) Float() bool {
	return d == Float32 || d == Float16 || d == BFloat16 || d == Float64
}

// String returns the type's name in the style of safetensors: F32, BF16, I64.
func (d DType) String() string {
	if d == Complex128 {
		return "C128"
	}
	if name := d.facts().safetensors; name != "" {
		return name
	}
	return "DType(" + strconv.Itoa(int(d)) + ")"
}

// safetensorsDType finds the element type that a safetensors header names.
func safetensorsDType(name string) (DType, bool) {
	for d := Float32; d <= Bool; d++ {
		if d.facts().safetensors == name && name != "" {
			return d, true
		}
	}
	return 0, false
}
