package settings

import "fmt"

// Half is a format of 16-bit floats.
type Half uint8

const (
	// BFloat16 has the range of float32 and 8 significant bits.
	BFloat16 Half = iota
	// Float16 is IEEE half precision: 11 significant bits, and no number over 65504.
	Float16
)

var halfNames = [...]string{BFloat16: "bfloat16", Float16: "float16"}

func (h Half) String() string {
	if int(h) < len(halfNames) {
		return halfNames[h]
	}
	return fmt.Sprintf("half(%d)", uint8(h))
}

// MarshalText writes the format's name.
func (h Half) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads what MarshalText writes. On an error nothing changes.
func (h *Half) UnmarshalText(text []byte) error {
	for i, name := range halfNames {
		if string(text) == name {
			*h = Half(i)
			return nil
		}
	}
	return fmt.Errorf("half is %q: it is bfloat16 or float16", text)
}
