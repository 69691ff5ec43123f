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
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	skewed := make([]byte, 100_000)
	for i := range skewed {
		skewed[i] = byte(random.ExpFloat64() * 9)
	}
	far := append(bytes.Clone(noise[:32768]), noise[:32768]...)
	return map[string][]byte{
		"nothing": {}, "one byte": {7}, "noise": noise, "skewed": skewed, "zeros": make([]byte, 100_000), "far": far,
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
	want := streams(t)["text"]
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
