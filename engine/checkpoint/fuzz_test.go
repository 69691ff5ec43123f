package checkpoint

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// fuzzLimit is the memory that reading a hostile file of a few kilobytes may
// take: what the limits allow, not what a file claims.
const fuzzLimit = 256 << 20

// readEverything opens a file and reads every tensor. Errors are welcome, as
// long as they are the package's own; panics and thirst for memory are not.
func readEverything(t *testing.T, file []byte) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	defer func() {
		runtime.ReadMemStats(&after)
		if spent := after.TotalAlloc - before.TotalAlloc; spent > fuzzLimit+64*uint64(len(file)) {
			t.Fatalf("%d bytes allocated for a file of %d", spent, len(file))
		}
	}()
	f, err := readBytes(file)
	var known *FileError
	if err != nil {
		if !errors.As(err, &known) {
			t.Fatalf("an error of type %T: %v", err, err)
		}
		return
	}
	for _, name := range f.Names() {
		tensor, ok := f.Tensor(name)
		if !ok {
			t.Fatalf("%q is listed but not there", name)
		}
		if !tensor.DType.Float() {
			continue
		}
		// What a shape claims has been checked against the file.
		if int64(tensor.Elements())*int64(tensor.DType.Size()) > maxUnpacked(int64(len(file))) {
			t.Fatalf("%v in a file of %d bytes", tensor, len(file))
		}
		dst := make([]float32, tensor.Elements())
		if err := f.ReadFloat32(name, dst); err != nil && !errors.As(err, &known) {
			t.Fatalf("an error of type %T: %v", err, err)
		}
	}
}

func FuzzSafetensors(f *testing.F) {
	var file bytes.Buffer
	if err := WriteSafetensors(&file, []Weights{
		{Tensor{"a", []int{2, 2}, Float32}, make([]float32, 4)},
		{Tensor{"b", nil, BFloat16}, make([]float32, 1)},
	}, map[string]string{"k": "v"}); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add(packed(`{"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}}`, make([]byte, 8)))
	f.Add(packed(`{"a":{"dtype":"F16","shape":[4611686018427387904,4],"data_offsets":[0,0]}}`, nil))
	f.Add([]byte("version https://git-lfs.github.com/spec/v1\n"))
	f.Fuzz(readEverything)
}

// FuzzZip changes whole archives as PyTorch writes them.
func FuzzZip(f *testing.F) {
	files, err := filepath.Glob(torchFile("*.pth"))
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(readEverything)
}

// FuzzPickle changes the pickle only, inside an archive that is sound, so that
// no checksum stands in the way.
func FuzzPickle(f *testing.F) {
	for _, name := range []string{"module", "views", "types", "parameters", "training", "wholemodule", "sparse", "numpy", "protocol4"} {
		archive, err := zip.OpenReader(torchFile(name + ".pth"))
		if err != nil {
			f.Fatal(err)
		}
		raw, err := archive.Open(name + "/data.pkl")
		if err != nil {
			f.Fatal(err)
		}
		var code bytes.Buffer
		if _, err := code.ReadFrom(raw); err != nil {
			f.Fatal(err)
		}
		archive.Close()
		f.Add(code.Bytes())
	}
	f.Add([]byte(saved(tensorCode(60, 3, tupleCode(2, 4), tupleCode(1, 9)))))
	f.Fuzz(func(t *testing.T, code []byte) {
		var files []zipFile
		for _, key := range []string{"0", "1", "2", "3"} {
			files = append(files, zipFile{"a/data/" + key, strings.Repeat("\x00\x00\x80\x3f", 60), zip.Store})
		}
		readEverything(t, zipped(t, append(files, zipFile{"a/data.pkl", string(code), zip.Store})...))
	})
}
