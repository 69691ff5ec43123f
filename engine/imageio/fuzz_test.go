package imageio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"os"
	"path/filepath"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/imageio/exr"
)

// fuzzLimits keeps pictures small, so that a fuzzer's time goes into the readers.
var fuzzLimits = Limits{Pixels: 1 << 16, Side: 4096}

// checkDecode reads bytes and holds what comes out against what the header says.
func checkDecode(t *testing.T, b []byte) {
	t.Helper()
	f, err := Decode(bytes.NewReader(b), int64(len(b)), "fuzz", fuzzLimits)
	if err != nil {
		var known *Error
		if !errors.As(err, &known) || known.Path != "fuzz" || known.What == "" || known.Why == "" {
			t.Fatalf("not an error for the artist: %v", err)
		}
		return
	}
	m, a := f.Picture.RGB, f.Picture.Alpha
	if m.W != f.W || m.H != f.H || m.C != 3 || len(m.Pix) != m.W*m.H*3 || f.W > 4096 || f.H > 4096 || f.W*f.H > 1<<16 {
		t.Fatalf("a picture of %dx%dx%d, its header says %dx%d", m.W, m.H, m.C, f.W, f.H)
	}
	if f.HasAlpha() == a.Empty() || !a.Empty() && (!a.SameSize(m) || a.C != 1) {
		t.Fatalf("alpha of %dx%d, channels %d", a.W, a.H, f.Channels)
	}
	for _, v := range m.Pix {
		if v-v != 0 || !f.Float && (v < 0 || v > 1) {
			t.Fatalf("a colour of %v", v)
		}
	}
	for _, v := range a.Pix {
		if !(v >= 0 && v <= 1) {
			t.Fatalf("an alpha of %v", v)
		}
	}
}

// addRealFiles adds small test pictures of an ending to a corpus, where they are.
func addRealFiles(f *testing.F, pattern string) {
	dir, err := os.Getwd()
	if err != nil {
		f.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "..", "..", "..", "shared", "plates", "formats", pattern))
	for _, path := range files {
		if b, err := os.ReadFile(path); err == nil && len(b) < 40_000 {
			f.Add(b)
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(encodePNG(f, image.NewNRGBA64(image.Rect(0, 0, 5, 4))))
	f.Add(insertChunk(encodePNG(f, image.NewGray(image.Rect(0, 0, 5, 4))), "eXIf", exifBlock(6)))
	f.Add(insertChunk(encodePNG(f, image.NewGray(image.Rect(0, 0, 5, 4))), "iCCP", append([]byte("x\x00\x00"), deflated(make([]byte, 200))...)))
	f.Add(insertSegment(encodeJPEG(f, smooth(19, 11)), 0xe1, append([]byte("Exif\x00\x00"), exifBlock(5)...)))
	f.Add(encodeJPEG(f, image.NewGray(image.Rect(0, 0, 9, 9))))
	f.Add(rgb8().bytes())
	f.Add([]byte("P5\n4 4\n255\n"))
	f.Add([]byte{})
	addRealFiles(f, "png_*")
	addRealFiles(f, "jpg_*")
	f.Fuzz(checkDecode)
}

// FuzzPNG mends the checksums of chunks first, which else would stop nearly every mutation.
func FuzzPNG(f *testing.F) {
	f.Add(encodePNG(f, image.NewNRGBA64(image.Rect(0, 0, 5, 4))))
	f.Add(insertChunk(encodePNG(f, image.NewGray(image.Rect(0, 0, 5, 4))), "tRNS", []byte{0, 0}))
	f.Add(insertChunk(encodePNG(f, image.NewGray(image.Rect(0, 0, 5, 4))), "zTXt", append([]byte("Raw profile type exif\x00\x00"), deflated([]byte("\nexif\n 2\n4949"))...)))
	addRealFiles(f, "png_*")
	f.Fuzz(func(t *testing.T, b []byte) {
		b = bytes.Clone(b)
		for at := 8; at+12 <= len(b); {
			length := int(binary.BigEndian.Uint32(b[at:]))
			if length > len(b)-at-12 {
				break
			}
			end := at + 8 + length
			binary.BigEndian.PutUint32(b[end:], crc32.ChecksumIEEE(b[at+4:end]))
			at = end + 4
		}
		checkDecode(t, b)
	})
}

func FuzzEXR(f *testing.F) {
	f.Add(exrFile(f, 5, 4, []string{"R", "G", "B", "A"}, byName, nil))
	f.Add(exrFile(f, 5, 4, []string{"Y"}, byName, func(o *exr.Output) { o.X, o.Y, o.Type = -3, 9, exr.Half }))
	f.Add(exrFile(f, 5, 4, []string{"a.R", "a.G", "a.B", "Z"}, byName, nil))
	addRealFiles(f, "exr_*")
	f.Fuzz(checkDecode)
}

func FuzzTIFF(f *testing.F) {
	plain := rgb8()
	f.Add(plain.bytes())
	big := plain
	big.big = true
	f.Add(big.bytes())
	for _, compression := range []uint64{3, 4, 5, 8, 32773} {
		f.Add(plain.with(map[uint16][]uint64{tagCompression: {compression}, tagPredictor: {2}}).bytes())
	}
	f.Add(greyRow(4, 1, []byte{0x50}).with(map[uint16][]uint64{tagCompression: {4}}).bytes())
	f.Add(greyRow(4, 32, deflated(splitBytes(make([]byte, 16), 4))).
		with(map[uint16][]uint64{tagCompression: {8}, tagPredictor: {3}, tagSampleFormat: {3}}).bytes())
	f.Add(plain.with(map[uint16][]uint64{tagTileWidth: {2}, tagTileHeight: {2}}).bytes())
	addRealFiles(f, "tif_*")
	f.Fuzz(checkDecode)
}

func FuzzExif(f *testing.F) {
	for o := range uint64(10) {
		f.Add(exifBlock(o))
	}
	f.Add(append([]byte("Exif\x00\x00"), exifBlock(6)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		if o := exifOrientation(b); o < 1 || o > 8 {
			t.Fatalf("orientation %d", o)
		}
	})
}

func FuzzProfile(f *testing.F) {
	f.Add(make([]byte, 200))
	f.Add(linearICC())
	for _, s := range colour.Spaces() {
		f.Add(testProfile(s, "a name"))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		space := profileSpace(b)
		if space == "" {
			return
		}
		if err := space.Validate(); err != nil {
			t.Fatal(err)
		}
		if profileTag(b, "rTRC") == nil && profileTag(b, "kTRC") == nil && profileName(b) == "" {
			t.Fatalf("%s without a curve or a name", space)
		}
	})
}
