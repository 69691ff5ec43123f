package imageio

import (
	"bytes"
	"errors"
	"image"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

func TestOpenSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	png := encodePNG(t, image.NewGray(image.Rect(0, 0, 40, 40)))
	sealed := put("sealed.png", png)
	if err := os.Chmod(sealed, 0); err != nil {
		t.Fatal(err)
	}
	type wrong struct {
		path string
		kind error
		says string
	}
	list := []wrong{
		{filepath.Join(dir, "missing.png"), fs.ErrNotExist, "there is no such file (check the name)"},
		{dir, nil, "it is a folder"},
		{put("empty.png", nil), ErrDamaged, "it is empty"},
		{put("cut.png", png[:len(png)-20]), ErrDamaged, "cut short"},
		{put("text.png", []byte("Dear artist,\nthis is not a picture.\n")), ErrUnsupported, "it is text"},
		{put("text_utf8.png", bytes.Repeat([]byte("grün "), 200)), ErrUnsupported, "it is text"},
		{put("pointer.png", []byte("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n")), ErrUnsupported, "git lfs pull"},
		{put("noise.png", []byte{0, 1, 2, 3, 200, 255, 1, 2}), ErrUnsupported, "not a picture that is known"},
		{put("plate.exr", []byte("v/1\x01\x02\x00\x00\x00")), ErrDamaged, "cut short"},
		{put("plate.dpx", []byte("SDPX\x00\x00\x08\x00")), ErrDamaged, "cut short"},
		{put("plate.heic", []byte("\x00\x00\x00\x18ftypheic\x00\x00")), ErrUnsupported, "HEIC"},
		{put("plate.mov", []byte("\x00\x00\x00\x14ftypqt  \x00\x00")), ErrUnsupported, "a movie cannot be read yet (export the frame"},
		{put("plate.webp", []byte("RIFF\x10\x00\x00\x00WEBPVP8 ")), ErrUnsupported, "WebP"},
		{put("plate.psd", []byte("8BPS\x00\x01")), ErrUnsupported, "PSD"},
		{put("plate.cr2", []byte("II*\x00\x10\x00\x00\x00CR\x02\x00")), ErrUnsupported, "Canon CR2"},
		{put("plate.gif", []byte("GIF89a\x01\x00")), ErrUnsupported, "GIF"},
		{put("plate.bmp", []byte("BM\x10\x00\x00\x00\x00\x00\x00\x00\x36\x00")), ErrUnsupported, "BMP"},
		{put("plate.pgm", []byte("P5\n4 4\n65535\n")), ErrUnsupported, "PNM"},
		{put("plate.tga", append([]byte{0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 0, 24, 0}, make([]byte, 48)...)), ErrUnsupported, "TGA"},
	}
	if loop := filepath.Join(dir, "loop.png"); os.Symlink(loop, loop) == nil && runtime.GOOS != "windows" {
		list = append(list, wrong{loop, syscall.ELOOP, "a link that leads to itself (give the file itself)"})
	}
	if pipe := filepath.Join(dir, "pipe.png"); exec.Command("mkfifo", pipe).Run() == nil {
		list = append(list, wrong{pipe, nil, "it is not a regular file (give a picture file)"})
	}
	for _, c := range list {
		_, err := Open(c.path, Limits{})
		var known *Error
		if !errors.As(err, &known) {
			t.Errorf("%s: %v", filepath.Base(c.path), err)
			continue
		}
		if known.Path != c.path || !strings.HasPrefix(err.Error(), "cannot read "+c.path+": ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", filepath.Base(c.path), err)
		}
		if c.kind != nil && !errors.Is(err, c.kind) {
			t.Errorf("%s: %v is not %v", filepath.Base(c.path), err, c.kind)
		}
		if strings.Contains(err.Error(), "\n") || known.Fix == "" {
			t.Errorf("%s: message %q", filepath.Base(c.path), err.Error())
		}
		if _, headerErr := ReadHeader(c.path, Limits{}); headerErr == nil && !strings.Contains(c.says, "cut short") {
			t.Errorf("%s: its header is read", filepath.Base(c.path))
		}
	}
	if os.Geteuid() != 0 { // root may read everything
		if _, err := Open(sealed, Limits{}); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "may not read") {
			t.Errorf("sealed.png: %v", err)
		}
	}
}

func TestContentDecidesNotTheName(t *testing.T) {
	dir := t.TempDir()
	for name, b := range map[string][]byte{
		"really_png.jpg":  encodePNG(t, image.NewGray(image.Rect(0, 0, 3, 2))),
		"really_jpeg.tif": encodeJPEG(t, image.NewGray(image.Rect(0, 0, 3, 2))),
		"really_tiff":     rgb8().bytes(),
		"really_exr.png":  exrFile(t, 3, 2, []string{"Y"}, byName, nil),
		"really_dpx.exr":  testDPX{w: 3, h: 2, kind: 6, depth: 8, pixels: make([]byte, 6)}.bytes(),
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path, Limits{})
		if err != nil || f.W != 3 || f.H != 2 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNamesOfEveryKindAreOpened(t *testing.T) {
	dir := t.TempDir()
	png := encodePNG(t, image.NewGray(image.Rect(0, 0, 3, 2)))
	for _, name := range []string{
		"é.png", "e\u0301.png", "漢字.png", "🦎.png", "thin\u202fspace.png", "100%20.png", "a#b.png", "end .png ",
		strings.Repeat("n", 246) + ".png",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, png, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, Limits{}); err != nil {
			t.Error(err)
		}
	}
}

func TestLimits(t *testing.T) {
	b := encodePNG(t, image.NewGray(image.Rect(0, 0, 100, 50)))
	for _, c := range []struct {
		limits Limits
		ok     bool
	}{
		{Limits{}, true},
		{Limits{Pixels: 5000}, true},
		{Limits{Pixels: 4999}, false},
		{Limits{Side: 100}, true},
		{Limits{Side: 99}, false},
	} {
		_, err := Decode(bytes.NewReader(b), int64(len(b)), "x", c.limits)
		if c.ok != (err == nil) || err != nil && !errors.Is(err, ErrTooLarge) {
			t.Errorf("%+v: %v", c.limits, err)
		}
	}
}

func TestHeaderIsReadWithoutPixels(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.png")
	b := insertChunk(encodePNG(t, image.NewNRGBA64(image.Rect(0, 0, 30, 20))), "eXIf", exifBlock(8))
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	h, err := ReadHeader(path, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if h.Format != PNG || h.W != 20 || h.H != 30 || h.Channels != 4 || h.Depth != 16 || h.Orientation != 8 {
		t.Errorf("header %+v", h)
	}
}

func TestPathsStayReadable(t *testing.T) {
	for path, want := range map[string]string{
		"plates/größe 漢字.png": "plates/größe 漢字.png",
		"two\nlines":          `"two\nlines"`,
		" led by a space":     `" led by a space"`,
		"":                    `""`,
	} {
		if got := printable(path); got != want {
			t.Errorf("%q is shown as %s, want %s", path, got, want)
		}
	}
}
