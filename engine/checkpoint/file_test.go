package checkpoint

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAFileThatShrinksWhileOpen(t *testing.T) {
	for _, name := range []string{"parameters.pth", "small.safetensors"} {
		var whole bytes.Buffer
		if err := WriteSafetensors(&whole, []Weights{{Tensor{"p", []int{60}, Float32}, make([]float32, 60)}}, nil); err != nil {
			t.Fatal(err)
		}
		content := whole.Bytes()
		if name == "parameters.pth" {
			var err error
			if content, err = os.ReadFile(torchFile(name)); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if f.Name() != path {
			t.Errorf("named %s", f.Name())
		}
		dst := make([]float32, 60)
		if err := f.ReadFloat32("p", dst); err != nil {
			t.Error(err)
		}
		if err := os.Truncate(path, 100); err != nil {
			t.Fatal(err)
		}
		err = f.ReadFloat32("p", dst)
		if !errors.Is(err, ErrIncomplete) && !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), `"p"`) {
			t.Errorf("%s: %v", name, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if err := f.ReadFloat32("p", dst); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: reading a closed file: %v", name, err)
		}
	}
}

// failing is a source whose disk fails from an offset on.
type failing struct {
	io.ReaderAt
	from int64
}

var errDisk = errors.New("the disk has failed")

func (f failing) ReadAt(p []byte, offset int64) (int, error) {
	if offset+int64(len(p)) > f.from {
		return 0, errDisk
	}
	return f.ReaderAt.ReadAt(p, offset)
}

func TestAFailingDiskIsNotCalledADamagedFile(t *testing.T) {
	var safetensors bytes.Buffer
	if err := WriteSafetensors(&safetensors, []Weights{{Tensor{"p", []int{60}, Float32}, make([]float32, 60)}}, nil); err != nil {
		t.Fatal(err)
	}
	zipped, err := os.ReadFile(torchFile("parameters.pth"))
	if err != nil {
		t.Fatal(err)
	}
	for _, whole := range [][]byte{safetensors.Bytes(), zipped} {
		size := int64(len(whole))
		for from := range size {
			f, err := Read(failing{bytes.NewReader(whole), from}, size, "some.file")
			if err == nil {
				err = f.ReadFloat32("p", make([]float32, 60))
			}
			var known *FileError
			if !errors.Is(err, errDisk) || !errors.As(err, &known) || errors.Is(err, ErrDamaged) || errors.Is(err, ErrIncomplete) {
				t.Fatalf("failing at %d of %d: %v", from, size, err)
			}
		}
	}
}

func TestLongForeignNamesAreShortenedInMessages(t *testing.T) {
	for _, name := range []string{strings.Repeat("é", 5000), "a" + strings.Repeat("é", 5000), "\x1b[31m\u202e\n" + strings.Repeat("x", 200)} {
		text := quoted(name)
		if len(text) > 2*maxQuoted || !utf8.ValidString(text) || strings.ContainsAny(text, "\x1b\n\u202e\ufffd") {
			t.Errorf("%.20q became %s", name, text)
		}
	}
	if quoted("short") != `"short"` {
		t.Errorf("got %s", quoted("short"))
	}
}

func TestNamesOfTypesAndContainers(t *testing.T) {
	for d := Float32; d <= Bool; d++ {
		if d.Size() == 0 || strings.HasPrefix(d.String(), "DType") {
			t.Errorf("type %d: %s of %d bytes", d, d, d.Size())
		}
		if found, ok := safetensorsDType(d.String()); ok && found != d {
			t.Errorf("%v reads as %v", d, found)
		}
	}
	if text := (Bool + 1).String(); text != "DType(18)" {
		t.Errorf("an unknown type is %s", text)
	}
	if Safetensors.String() == TorchZip.String() {
		t.Error("the containers share a name")
	}
	if text := (Tensor{"w", []int{2, 3}, BFloat16}).String(); text != `"w" BF16 [2 3]` {
		t.Errorf("a tensor prints as %s", text)
	}
}
