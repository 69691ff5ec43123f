package exr

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestHuffmanUnpacksWhatIsPacked(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	all := make([]uint16, 1<<16)
	for i := range all {
		all[i] = uint16(i)
	}
	skewed := make([]uint16, 50_000)
	for i := range skewed {
		skewed[i] = uint16(random.ExpFloat64() * 300)
	}
	// Counts that double give codes of every length, beyond the first table.
	var long []uint16
	for i := range 17 {
		long = append(long, slices.Repeat([]uint16{uint16(i * 3)}, 1)...)
		for range 1 << i {
			long = append(long, uint16(i*3), 60000)
		}
	}
	var h huffman
	for name, want := range map[string][]uint16{
		"all": all, "skewed": skewed, "long codes": long, "one": {9}, "two": {9, 9}, "a run": slices.Repeat([]uint16{65535}, 1000),
		"zeros": make([]uint16, 70000),
	} {
		packed := packHuffman(want)
		got := make([]uint16, len(want))
		if err := h.decode(got, packed); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: error %v, the same %v", name, err, slices.Equal(got, want))
		}
		if err := h.decode(make([]uint16, len(want)+1), packed); err == nil {
			t.Errorf("%s: no error where more is wanted", name)
		}
		for _, n := range []int{0, 4, 19, 20, 21, len(packed) - 1} {
			if err := h.decode(got, packed[:min(n, len(packed)-1)]); err == nil {
				t.Errorf("%s: no error for its first %d bytes", name, n)
			}
		}
	}
}

func TestHuffmanRefusesBrokenTables(t *testing.T) {
	lengths := func(low, high int32, n ...uint64) []byte {
		var w bitWriter
		for _, v := range n {
			w.put(v, 6)
		}
		return append(append(ints(low, high, 0, 64, 0), w.bytes()...), make([]byte, 8)...)
	}
	var h huffman
	for name, b := range map[string][]byte{
		"too many codes":      lengths(0, 3, 1, 1, 1, 1),
		"first after last":    lengths(5, 3, 1, 1),
		"symbols beyond all":  lengths(0, 1<<16+1, 1, 1),
		"zeros past the last": lengths(0, 2, 1, 62, 1),
		"codes too long":      lengths(0, 1, 58, 57),
	} {
		if err := h.decode(make([]uint16, 4), b); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzHuffman(f *testing.F) {
	f.Add(packHuffman([]uint16{1, 2, 3, 3, 3, 3, 3, 3, 65535}))
	f.Add(packHuffman(make([]uint16, 300)))
	f.Fuzz(func(t *testing.T, b []byte) {
		var h huffman
		_ = h.decode(make([]uint16, 1000), b) // whatever it is, it must not panic
	})
}
