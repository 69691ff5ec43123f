package exr

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"greenroom/engine/picture"
)

// readAll reads every channel of every part and returns the first error.
func readAll(b []byte) error {
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return err
	}
	for part, p := range f.Parts {
		if err := f.Check(part); err != nil {
			return err
		}
		if p.Display.W()*p.Display.H() > 1<<20 {
			return errors.New("too large for a test")
		}
		m := picture.New(int(p.Display.W()), int(p.Display.H()), 1)
		for c, channel := range p.Channels {
			if !channel.whole() {
				continue
			}
			if _, err := f.Read(context.Background(), part, []Destination{{c, m, 0}}); err != nil {
				return err
			}
		}
	}
	return nil
}

func TestDamagedFilesAreRefusedInWords(t *testing.T) {
	sound := rgba(ZIP)
	with := func(change func(p *testPart)) []byte {
		p := rgba(ZIP)
		change(&p)
		return testFile(t, p)
	}
	attribute := func(name, kind string, value []byte) func(p *testPart) {
		return func(p *testPart) { p.attributes = append(p.attributes, testAttribute{name, kind, value}) }
	}
	file := testFile(t, sound)
	version := func(v uint32) []byte {
		b := bytes.Clone(file)
		binary.LittleEndian.PutUint32(b[4:], v)
		return b
	}
	table := len(file)
	for i := range sound.blocks(t) {
		table -= len(sound.blocks(t)[i])
	}
	table -= 8 * len(sound.blocks(t))
	entry := func(i int, at uint64) []byte {
		b := bytes.Clone(file)
		binary.LittleEndian.PutUint64(b[table+8*i:], at)
		return b
	}
	deep := rgba(ZIPS)
	deep.kind, deep.name = "deepscanline", "deep"
	odd := deep
	odd.kind = "volume"
	many := rgba(ZIP)
	many.kind, many.name = "scanlineimage", "one"
	uncounted := many
	uncounted.attributes = []testAttribute{{"chunkCount", "int", ints(0)}}
	for _, c := range []struct {
		name string
		b    []byte
		kind error
		says string
	}{
		{"empty", nil, ErrDamaged, "cut short"},
		{"another file", []byte("not an OpenEXR file"), ErrDamaged, "does not begin"},
		{"version 1", version(1), ErrUnsupported, "version 1"},
		{"unknown flags", version(2 | 0x4000), ErrUnsupported, "unknown features"},
		{"deep flag", version(2 | flagDeep), ErrUnsupported, "deep OpenEXR"},
		{"deep part", testFile(t, deep), ErrUnsupported, "deep OpenEXR"},
		{"unknown part", testFile(t, odd), ErrUnsupported, `"volume"`},
		{"part without count", testFile(t, uncounted), ErrDamaged, "how many blocks"},
		{"no channels", with(attribute("channels", "", nil)), ErrDamaged, "no channels"},
		{"empty list of channels", with(attribute("channels", "chlist", []byte{0})), ErrDamaged, "has no channels"},
		{"broken list of channels", with(attribute("channels", "chlist", []byte("R\x00\x01"))), ErrDamaged, "list of channels"},
		{"a channel twice", with(func(p *testPart) { p.channels = append(p.channels, p.channels[0]) }), ErrDamaged, `"R" twice`},
		{"unknown type", with(func(p *testPart) { p.channels[1].Type = 3 }), ErrDamaged, "unknown type 3"},
		{"no sampling", with(func(p *testPart) {
			attribute("channels", "chlist", append(append([]byte("R\x00"), ints(1, 0, 0, 1)...), 0))(p)
		}), ErrDamaged, "sampling"},
		{"no compression", with(attribute("compression", "", nil)), ErrDamaged, "no compression"},
		{"HTJ2K", with(attribute("compression", "compression", []byte{10})), ErrUnsupported, "HTJ2K"},
		{"unknown compression", with(attribute("compression", "compression", []byte{77})), ErrUnsupported, "compression 77"},
		{"no data window", with(attribute("dataWindow", "", nil)), ErrDamaged, "no dataWindow"},
		{"no display window", with(attribute("displayWindow", "", nil)), ErrDamaged, "no displayWindow"},
		{"short window", with(attribute("displayWindow", "box2i", ints(0, 0, 1))), ErrDamaged, "12 bytes"},
		{"inverted window", with(attribute("displayWindow", "box2i", ints(5, 0, 1, 9))), ErrDamaged, "-3 x 10"},
		{"far window", with(attribute("displayWindow", "box2i", ints(0, 0, math.MaxInt32, 1))), ErrDamaged, "reaches to"},
		{"huge data window", with(attribute("dataWindow", "box2i", ints(0, 0, 1<<29, 1<<29))), ErrDamaged, "more pixels than there can be"},
		{"large data window", with(attribute("dataWindow", "box2i", ints(0, 0, 1<<16, 1<<16))), ErrDamaged, "cannot hold"},
		{"tall data window", with(attribute("dataWindow", "box2i", ints(0, 0, 36, 1<<20))), ErrDamaged, "cut short"},
		{"no tiles", version(2 | flagTiled), ErrDamaged, "how large its tiles"},
		{"tiles of nothing", with(func(p *testPart) {
			p.tileW, p.tileH = 8, 8
			attribute("tiles", "tiledesc", append(ints(0, 8), 0))(p)
		}), ErrDamaged, "0 x 8"},
		{"unknown tiles", with(func(p *testPart) { p.tileW, p.tileH, p.levels = 8, 8, 7 }), ErrUnsupported, "unknown kind 7"},
		{"never written", entry(2, 0), ErrDamaged, "block 3 of 5 was never written"},
		{"beyond the end", entry(2, uint64(len(file))), ErrDamaged, "cut short"},
		{"far beyond the end", entry(2, 1<<63), ErrDamaged, "cut short"},
		{"in the header", entry(2, 8), ErrDamaged, "lies in its header"},
		{"another block", entry(2, uint64(table+8*5)), ErrDamaged, "not where it should be"},
		{"block too short", with(func(p *testPart) {
			p.packed = func(int, []byte) []byte { return nil }
		}), ErrDamaged, "cannot be unpacked (ZIP)"},
		{"block too long", with(func(p *testPart) {
			p.packed = func(_ int, b []byte) []byte { return append(b, make([]byte, 1<<16)...) }
		}), ErrDamaged, "its length is wrong"},
	} {
		err := readAll(c.b)
		var known *Error
		if !errors.As(err, &known) || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %q, want %q", c.name, err, c.says)
		}
	}
	if err := readAll(file); err != nil {
		t.Errorf("the sound file: %v", err)
	}
}

func TestFilesCutAnywhereAreRefused(t *testing.T) {
	for c := None; c <= DWAB; c++ {
		b := testFile(t, rgba(c))
		for n := 0; n < len(b); n += 1 + len(b)/61 {
			if err := readAll(b[:n]); err == nil {
				t.Errorf("%s: no error for %d of %d bytes", c, n, len(b))
			}
		}
	}
}

func TestBlocksWithAnyByteChangedDoNoHarm(t *testing.T) {
	for c := None; c <= DWAB; c++ {
		p := rgba(c)
		p.data = box(0, 0, 9, 9)
		p.display = p.data
		b := testFile(t, p)
		for i := 8; i < len(b); i += 1 + len(b)/250 {
			bad := bytes.Clone(b)
			bad[i] ^= 0xff
			var known *Error
			if err := readAll(bad); err != nil && !errors.As(err, &known) && err.Error() != "too large for a test" {
				t.Errorf("%s, byte %d: %v", c, i, err)
			}
		}
	}
}

func TestClaimsCostNoMemory(t *testing.T) {
	// 60000 x 3000 pixels claimed by a file that holds next to nothing.
	for c := None; c <= DWAB; c++ {
		p := rgba(c)
		p.attributes = []testAttribute{{"dataWindow", "box2i", ints(0, 0, 59999, 2999)}, {"displayWindow", "box2i", ints(0, 0, 99, 99)}}
		b := testFile(t, p)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := readAll(b)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: no error", c)
		}
		if spent := after.TotalAlloc - before.TotalAlloc; spent > 8<<20 {
			t.Errorf("%s: %d MB were spent before %v", c, spent>>20, err)
		}
	}
}
