package exr

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"greenroom/engine/picture"
	"greenroom/engine/picture/half"
)

// fuzzParts are small files of every compression, scan lines and tiles, for fuzzers to begin with.
func fuzzParts(t testing.TB) [][]byte {
	var files [][]byte
	for c := None; c <= DWAB; c++ {
		p := rgba(c)
		p.channels = append(p.channels[:2:2], uintChannel("id"), floatChannel("Z", 3), halfChannel("Y", 1))
		p.data, p.display = box(-2, 1, 9, 7), box(0, 0, 8, 8)
		files = append(files, testFile(t, p))
		p.tileW, p.tileH = 4, 4
		files = append(files, testFile(t, p))
	}
	a, b := rgba(ZIPS), rgba(DWAA)
	for i, p := range []*testPart{&a, &b} {
		p.data, p.display, p.kind, p.name = box(0, 0, 5, 5), box(0, 0, 5, 5), "scanlineimage", string(rune('a'+i))
	}
	b.channels = append(b.channels, halfChannel("layer.R", 2), halfChannel("layer.G", 2), halfChannel("layer.B", 2))
	return append(files, testFile(t, a, b))
}

// checkFile reads all of a file and holds that it comes to an error of ours or to finite values.
func checkFile(t *testing.T, b []byte) {
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err == nil {
		layers := f.Layers()
		if i := f.Main(layers); i >= len(layers) || i < 0 && len(layers) > 0 {
			t.Fatalf("layer %d of %d is the picture", i, len(layers))
		}
		for _, l := range layers {
			if _, ok := f.Find(layers, f.Label(l)); !ok {
				t.Fatalf("layer %q is not found", f.Label(l))
			}
		}
	}
	for part := 0; err == nil && part < len(f.Parts); part++ {
		p := &f.Parts[part]
		w, h := p.Display.W(), p.Display.H()
		if p.Deep || w*h > 1<<16 || p.Data.W()*p.Data.H() > 1<<20 {
			continue
		}
		var into []Destination
		m := picture.New(int(w), int(h), 1)
		for c, channel := range p.Channels {
			if channel.whole() {
				into = append(into, Destination{c, m, 0})
			}
		}
		_, err = f.Read(context.Background(), part, into)
		for _, v := range m.Pix {
			if err == nil && v-v != 0 {
				t.Fatalf("a value of %v", v)
			}
		}
	}
	var known *Error
	if err != nil && !errors.As(err, &known) {
		t.Fatalf("not an error for the artist: %v", err)
	}
}

// FuzzFile changes whole files.
func FuzzFile(f *testing.F) {
	for _, b := range fuzzParts(f) {
		f.Add(b)
	}
	dir, err := os.Getwd()
	if err != nil {
		f.Fatal(err)
	}
	real, _ := filepath.Glob(filepath.Join(dir, "..", "..", "..", "..", "shared", "plates", "formats", "*.exr"))
	for _, path := range real {
		if b, err := os.ReadFile(path); err == nil && len(b) < 25_000 {
			f.Add(b)
		}
	}
	f.Fuzz(checkFile)
}

// FuzzHeader changes headers only: nothing but what precedes the first block.
func FuzzHeader(f *testing.F) {
	for _, b := range fuzzParts(f) {
		f.Add(b[:min(len(b), 500)])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		for i, p := range file.Parts {
			if p.Data.W() < 1 || p.Data.H() < 1 || p.Display.W() < 1 || p.Display.H() < 1 || len(p.Channels) == 0 {
				t.Fatalf("part %d is %+v", i, p)
			}
			if file.Check(i) == nil && newGrid(&file.Parts[i]).blocks() > int64(len(b)) {
				t.Fatalf("part %d has more blocks than the file has bytes", i)
			}
		}
	})
}

// fuzzBlocks is a target for one compression: it changes packed blocks and knows their layout.
func fuzzBlocks(f *testing.F, compression Compression) {
	channels := []Channel{
		{"A", Half, false, 1, 1}, {"B", Half, false, 1, 1}, {"G", Half, false, 1, 1}, {"R", Half, true, 1, 1},
		{"RY", Half, false, 2, 2}, {"Y", Float, true, 1, 1}, {"id", Uint, false, 1, 1},
	}
	window := box(-3, -2, 13, 9)
	p := testPart{data: window, display: window, compression: compression}
	for _, c := range channels {
		p.channels = append(p.channels, testChannel{c, func(x, y int) uint32 { return uint32(half.Float16(smooth(x, y))) }})
	}
	for _, b := range p.blocks(f) {
		f.Add(b[8:])
	}
	p.acByDeflate, p.oldDWA = true, true
	f.Add(p.blocks(f)[0][8:])
	f.Fuzz(func(t *testing.T, b []byte) {
		u := newUnpacker(compression)
		if err := u.block.set(window, channels); err != nil {
			t.Fatal(err)
		}
		u.packed = b
		out, err := u.unpack()
		if err == nil && len(out) != u.block.bytes {
			t.Fatalf("%d bytes, want %d", len(out), u.block.bytes)
		}
	})
}

func FuzzRLE(f *testing.F)   { fuzzBlocks(f, RLE) }
func FuzzZIP(f *testing.F)   { fuzzBlocks(f, ZIP) }
func FuzzPIZ(f *testing.F)   { fuzzBlocks(f, PIZ) }
func FuzzPXR24(f *testing.F) { fuzzBlocks(f, PXR24) }
func FuzzB44(f *testing.F)   { fuzzBlocks(f, B44A) }
func FuzzDWA(f *testing.F)   { fuzzBlocks(f, DWAA) }
