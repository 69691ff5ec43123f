package exr

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/adler32"
	"io"
	"math/rand/v2"
	"testing"
)

// streams are packed by every level, and the bytes in them by kinds that Deflate treats differently.
func streams(t testing.TB) map[string][]byte {
	random := rand.New(rand.NewPCG(5, 6))
	noise := make([]byte, 40_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	skewed := make([]byte, 40_000)
	for i := range skewed {
		skewed[i] = byte(random.ExpFloat64() * 9)
	}
	far := append(bytes.Clone(noise[:32768]), noise[:32768]...)
	return map[string][]byte{
		"nothing": {}, "one byte": {7}, "noise": noise, "skewed": skewed, "zeros": make([]byte, 40_000), "far": far,
		"text": bytes.Repeat([]byte("a green room, a greener screen. "), 3000), "short": []byte("abcabcabcabc"),
	}
}

func zlibbed(t testing.TB, b []byte, level int) []byte {
	var out bytes.Buffer
	z, err := zlib.NewWriterLevel(&out, level)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestInflateUnpacksWhatZlibPacks(t *testing.T) {
	var z inflater
	for name, want := range streams(t) {
		for level := flate.HuffmanOnly; level <= flate.BestCompression; level++ {
			packed := zlibbed(t, want, level)
			got := make([]byte, len(want))
			if err := z.exactly(got, packed); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s at level %d: error %v, the same %v", name, level, err, bytes.Equal(got, want))
			}
			// With more room it tells how many there are.
			got = make([]byte, len(want)+300)
			if n, err := z.inflate(got, packed); err != nil || n != len(want) || !bytes.Equal(got[:n], want) {
				t.Errorf("%s at level %d with room: %d bytes, error %v", name, level, n, err)
			}
			if len(want) == 0 {
				continue
			}
			if err := z.exactly(make([]byte, len(want)-1), packed); err == nil {
				t.Errorf("%s at level %d: no error without room", name, level)
			}
			if err := z.exactly(make([]byte, len(want)+1), packed); !errors.Is(err, errShort) {
				t.Errorf("%s at level %d: error %v where more is wanted", name, level, err)
			}
		}
	}
}

func TestInflateRefusesDamage(t *testing.T) {
	want := streams(t)["text"][:3000]
	packed := zlibbed(t, want, 6)
	var z inflater
	got := make([]byte, len(want))
	for n := range packed {
		if err := z.exactly(got, packed[:n]); err == nil {
			t.Fatalf("no error for %d of %d bytes", n, len(packed))
		}
	}
	for i := range packed {
		for bit := range 8 {
			b := bytes.Clone(packed)
			b[i] ^= 1 << bit
			if err := z.exactly(got, b); err == nil && !bytes.Equal(got, want) {
				t.Fatalf("bit %d of byte %d changed, and nobody knows", bit, i)
			}
		}
	}
	// A distance beyond the beginning: literal a, then length 3 from 2 before, in the fixed code.
	var w bytes.Buffer
	w.Write([]byte{0x78, 0x01, 0x4b, 0x04, 0x12, 0x00, 0, 0, 0, 0})
	if err := z.exactly(make([]byte, 4), w.Bytes()); err == nil {
		t.Error("no error for what lies before the beginning")
	}
}

func TestTablesHaveRoomForEveryCode(t *testing.T) {
	// Many codes just too long for the first table, beside one of the longest: as many tables behind it as can be.
	for _, c := range []struct {
		bits    uint
		symbols int
		room    int
	}{{literalBits, 286, literalRoom}, {distanceBits, 30, distanceRoom}} {
		var lengths []uint8
		left := 1 << longestCode // of the code space, in codes of 15 bits
		add := func(n uint) {
			lengths = append(lengths, uint8(n))
			left -= 1 << (longestCode - n)
		}
		long := c.bits + 1
		for n := uint(1); left > (c.symbols-len(lengths))<<(longestCode-long); n++ {
			add(n)
		}
		for left > 1<<(longestCode-long) {
			add(long)
		}
		for n := long + 1; n <= longestCode; n++ {
			add(n)
		}
		add(longestCode)
		if left != 0 || len(lengths) > c.symbols+8 {
			t.Fatalf("%d codes, %d left", len(lengths), left)
		}
		table := make([]uint32, 1<<c.bits+c.room)
		if err := buildTable(table, c.bits, lengths, func(s int) uint32 { return entryLiteral | uint32(s)<<16 }); err != nil {
			t.Fatalf("%d codes: %v", len(lengths), err)
		}
		// Every bit pattern of 15 bits finds a code, each as often as its length says.
		found := make([]int, len(lengths))
		for bits := range 1 << longestCode {
			e := table[bits&(1<<c.bits-1)]
			if e&entryKind == entryTable {
				e = table[e>>16+uint32(bits>>c.bits)&(1<<(e>>8&31)-1)]
			}
			found[e>>16]++
		}
		for s, n := range lengths {
			if found[s] != 1<<(longestCode-n) {
				t.Fatalf("code %d of %d bits is found %d times", s, n, found[s])
			}
		}
	}
}

// FuzzInflate holds the inflater against compress/zlib: what both accept must be the same, and what zlib accepts
// must be accepted. zlib's checksums are mended first, which else would stop every mutation.
func FuzzInflate(f *testing.F) {
	for _, b := range streams(f) {
		for _, level := range []int{flate.HuffmanOnly, 0, 1, 6, 9} {
			if packed := zlibbed(f, b[:min(len(b), 3000)], level); len(packed) > 6 {
				f.Add(packed[2 : len(packed)-4])
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		const most = 1 << 16
		want, wantErr := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(b)), most+1))
		packed := append([]byte{0x78, 0x01}, b...)
		packed = binary.BigEndian.AppendUint32(packed, adler32.Checksum(want))
		got := make([]byte, most)
		var z inflater
		n, err := z.inflate(got, packed)
		switch {
		case len(want) > most:
			return
		case wantErr == nil && err != nil && !errors.Is(err, errChecksum):
			t.Fatalf("error %v for what zlib accepts as %d bytes", err, len(want))
		case err == nil && wantErr == nil && !bytes.Equal(got[:n], want):
			t.Fatalf("%d bytes that are not zlib's %d", n, len(want))
		case err == nil && wantErr != nil && !bytes.Equal(got[:n], want):
			t.Fatalf("%d bytes where zlib has %d and %v", n, len(want), wantErr)
		}
	})
}
