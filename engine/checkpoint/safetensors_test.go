package checkpoint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"greenroom/engine/picture/picturetest"
)

// packed builds a safetensors file from the text of its header and its data.
func packed(header string, data []byte) []byte {
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(file, header...), data...)
}

// readBytes opens a file held in memory.
func readBytes(file []byte) (*File, error) {
	return Read(bytes.NewReader(file), int64(len(file)), "some.file")
}

// values reads a whole tensor.
func values(t *testing.T, f *File, name string) []float32 {
	t.Helper()
	tensor, ok := f.Tensor(name)
	if !ok {
		t.Fatalf("no tensor %q in %q", name, f.Names())
	}
	dst := make([]float32, tensor.Elements())
	if err := f.ReadFloat32(name, dst); err != nil {
		t.Fatal(err)
	}
	return dst
}

func TestSafetensorsEveryFloatType(t *testing.T) {
	data := binary.LittleEndian.AppendUint64(nil, math.Float64bits(0.1))
	for _, v := range []float32{1.5, -2, 3e-40} {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	for _, v := range []uint16{0x3c00, 0xc000 /* F16 */, 0x3f80, 0xc000 /* BF16 */} {
		data = binary.LittleEndian.AppendUint16(data, v)
	}
	data = append(data, 7) // an I8
	f, err := readBytes(packed(`{"__metadata__":{"made by":"hand"},
		"f32":{"dtype":"F32","shape":[3,1],"data_offsets":[8,20]},
		"half":{"data_offsets":[20,24],"shape":[2],"dtype":"F16"},
		"brain":{"dtype":"BF16","shape":[1,2],"data_offsets":[24,28]},
		"count":{"dtype":"I8","shape":[],"data_offsets":[28,29]},
		"none":{"dtype":"F32","shape":[0,5],"data_offsets":[28,28]},
		"wide":{"dtype":"F64","shape":[],"data_offsets":[0,8]}}   `, data))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"brain", "count", "f32", "half", "none", "wide"}; !slices.Equal(f.Names(), want) {
		t.Errorf("names %q, want %q", f.Names(), want)
	}
	if f.Container() != Safetensors || f.Metadata()["made by"] != "hand" {
		t.Errorf("container %v, metadata %v", f.Container(), f.Metadata())
	}
	for name, want := range map[string][]float32{
		"f32": {1.5, -2, 3e-40}, "half": {1, -2}, "brain": {1, -2}, "none": {}, "wide": {float32(0.1)},
	} {
		if diff := cmp.Diff(want, values(t, f, name)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if tensor, _ := f.Tensor("brain"); !cmp.Equal(tensor, Tensor{"brain", []int{1, 2}, BFloat16}) {
		t.Errorf("brain is described as %v", tensor)
	}
	err = f.ReadFloat32("count", make([]float32, 1))
	if !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "I8") {
		t.Errorf("reading an integer tensor: %v", err)
	}
	if err := f.ReadFloat32("f32", make([]float32, 4)); err == nil {
		t.Error("a slice of the wrong length was accepted")
	}
	if err := f.ReadFloat32("absent", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an absent tensor: %v", err)
	}
}

func TestSafetensorsFlaws(t *testing.T) {
	one := `"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}`
	data := make([]byte, 4)
	huge := binary.LittleEndian.AppendUint64(nil, 1<<60)
	for name, c := range map[string]struct {
		file []byte
		kind error
		says string
	}{
		"empty":                 {nil, ErrIncomplete, "empty"},
		"seven bytes":           {[]byte{1, 0, 0, 0, 0, 0, 0}, ErrIncomplete, "too short"},
		"header length 0":       {append(make([]byte, 8), "{} x"...), ErrDamaged, "0 bytes long"},
		"all zeros":             {make([]byte, 4096), ErrIncomplete, "zeros"},
		"header length 2^60":    {append(huge, one...), ErrNotCheckpoint, "1152921504606846976"},
		"2^60 and a brace":      {append(slices.Clone(huge), "{}"...), ErrDamaged, "1152921504606846976"},
		"17 MB header":          {append(binary.LittleEndian.AppendUint64(nil, 17<<20), '{'), ErrDamaged, "never needed"},
		"half a header":         {packed("{"+one+"}", nil)[:30], ErrIncomplete, "inside its safetensors header"},
		"half the data":         {packed("{"+one+"}", data[:2]), ErrIncomplete, "cut short"},
		"too much data":         {packed("{"+one+"}", make([]byte, 5)), ErrDamaged, "belong to none"},
		"no tensors":            {packed("{}", nil), ErrNotCheckpoint, "no tensors"},
		"metadata only":         {packed(`{"__metadata__":{"a":"b"}}`, nil), ErrNotCheckpoint, "no tensors"},
		"not JSON":              {packed("{"+one+",}", data), ErrDamaged, "not JSON"},
		"not an object":         {packed("["+one+"]", data), ErrDamaged, "begin with {"},
		"two objects":           {packed("{"+one+"}{}", data), ErrDamaged, "after its end"},
		"not UTF-8":             {packed("{\"\xff"+one[1:]+"}", data), ErrDamaged, "UTF-8"},
		"the same name twice":   {packed("{"+one+","+one+"}", data), ErrDamaged, `"a" twice`},
		"same name, escaped":    {packed("{"+one+`,"\u0061"`+one[3:]+"}", data), ErrDamaged, `"a" twice`},
		"empty name":            {packed(`{"":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, data), ErrDamaged, "without a name"},
		"field twice":           {packed(`{"a":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, data), ErrDamaged, `"dtype" twice`},
		"metadata twice":        {packed(`{"__metadata__":{"k":"1","k":"2"},`+one+"}", data), ErrDamaged, `"k" twice`},
		"metadata of numbers":   {packed(`{"__metadata__":{"k":1},`+one+"}", data), ErrDamaged, "no text"},
		"no dtype":              {packed(`{"a":{"shape":[1],"data_offsets":[0,4]}}`, data), ErrDamaged, "no dtype"},
		"no shape":              {packed(`{"a":{"dtype":"F32","data_offsets":[0,4]}}`, data), ErrDamaged, "no shape"},
		"no offsets":            {packed(`{"a":{"dtype":"F32","shape":[1]}}`, data), ErrDamaged, "no data_offsets"},
		"unknown field":         {packed(`{"a":{"x":[],"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, data), ErrDamaged, `"x"`},
		"unknown type":          {packed(strings.Replace("{"+one+"}", "F32", "F31", 1), data), ErrUnsupported, "F31"},
		"size of another type":  {packed(strings.Replace("{"+one+"}", "F32", "F16", 1), data), ErrDamaged, "takes 2 bytes, but 4"},
		"size of another shape": {packed(strings.Replace("{"+one+"}", "[1]", "[2]", 1), data), ErrDamaged, "takes 8 bytes, but 4"},
		"one offset":            {packed(strings.Replace("{"+one+"}", "[0,4]", "[4]", 1), data), ErrDamaged, "1 data offsets"},
		"three offsets":         {packed(strings.Replace("{"+one+"}", "[0,4]", "[0,4,8]", 1), data), ErrDamaged, "more than 2"},
		"offsets backwards":     {packed(strings.Replace("{"+one+"}", "[0,4]", "[4,0]", 1), data), ErrDamaged, "impossible"},
		"negative offset":       {packed(strings.Replace("{"+one+"}", "[0,4]", "[-4,0]", 1), data), ErrDamaged, "impossible"},
		"fractional offset":     {packed(strings.Replace("{"+one+"}", "[0,4]", "[0,4.0]", 1), data), ErrDamaged, "4.0"},
		"offset beyond int64":   {packed(strings.Replace("{"+one+"}", "[0,4]", "[0,99999999999999999999]", 1), data), ErrDamaged, "99999999999999999999"},
		"offset out of range":   {packed(strings.Replace("{"+one+"}", "[0,4]", "[4,8]", 1), data), ErrDamaged, "belong to none"},
		"negative size":         {packed(strings.Replace("{"+one+"}", "[1]", "[-1]", 1), data), ErrDamaged, "impossible size -1"},
		"overflowing shape": {
			packed(strings.Replace("{"+one+"}", "[1]", "[4294967296,4294967296,4294967296]", 1), data), ErrDamaged, "absurd",
		},
		"bytes overflow": {packed(strings.Replace("{"+one+"}", "[1]", "[4611686018427387905]", 1), data), ErrDamaged, "absurd"},
		"seventeen axes": {packed(strings.Replace("{"+one+"}", "[1]", "["+strings.Repeat("1,", 16)+"1]", 1), data), ErrDamaged, "more than 16"},
		"overlap": {
			packed("{"+one+`,"b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}}`, make([]byte, 6)), ErrDamaged, "overlap",
		},
		"the same place": {packed("{"+one+`,"b"`+one[3:]+"}", data), ErrDamaged, "overlap"},
		"gap": {
			packed("{"+one+`,"b":{"dtype":"F32","shape":[1],"data_offsets":[5,9]}}`, make([]byte, 9)), ErrDamaged, "belong to none",
		},
		"nested deep": {packed(`{"a":`+strings.Repeat("[", 100000), nil), ErrDamaged, "{"},
	} {
		t.Run(name, func(t *testing.T) { wantFlaw(t, c.file, c.kind, c.says) })
	}
}

// wantFlaw opens the bytes and wants the given error: its kind, a part of its
// text, the file's name and advice.
func wantFlaw(t *testing.T, file []byte, kind error, says string) {
	t.Helper()
	_, err := readBytes(file)
	var fileError *FileError
	if !errors.As(err, &fileError) || !errors.Is(err, kind) {
		t.Fatalf("got %v, want a *FileError of kind %q", err, kind)
	}
	if !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), "some.file: ") || fileError.Remedy == "" {
		t.Errorf("%q does not say %q, or lacks the file or advice", err, says)
	}
	if len(err.Error()) > 600 {
		t.Errorf("an error of %d bytes", len(err.Error()))
	}
}

func TestHeaderCountsTensors(t *testing.T) {
	var header strings.Builder
	header.WriteString("{")
	for i := range maxTensors + 1 {
		fmt.Fprintf(&header, `"%d":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},`, i)
	}
	wantFlaw(t, packed(strings.TrimSuffix(header.String(), ",")+"}", nil), ErrDamaged, "more than 65536")
}

func TestForeignFilesAreNamed(t *testing.T) {
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 398847216\n"
	tar := make([]byte, 1024)
	copy(tar[257:], "ustar")
	copy(tar, "name")
	for name, c := range map[string]struct {
		file string
		kind error
		says string
	}{
		"LFS pointer":    {pointer, ErrNotCheckpoint, "Git LFS pointer"},
		"web page":       {"\ufeff \n<!DOCTYPE html><html>404", ErrNotCheckpoint, "web page"},
		"text":           {"Not Found\n", ErrNotCheckpoint, "text file"},
		"JSON":           {`{"message":"Not Found"}`, ErrNotCheckpoint, "text file"},
		"old PyTorch":    {"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.", ErrUnsupported, "before 1.6"},
		"bare pickle":    {"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00}", ErrUnsupported, "protocol 4"},
		"tar":            {string(tar), ErrUnsupported, "tar"},
		"gzip":           {"\x1f\x8b\x08\x00\x00\x00\x00\x00", ErrNotCheckpoint, "compressed"},
		"empty zip":      {"PK\x05\x06" + strings.Repeat("\x00", 18), ErrNotCheckpoint, "empty zip"},
		"GGUF":           {"GGUF\x03\x00\x00\x00\x00\x00", ErrUnsupported, "GGUF"},
		"PNG":            {"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", ErrNotCheckpoint, "picture"},
		"random bytes":   {"\xf3\x8e\x01\x99\xaa\xbb\xcc\xdd\xee\xff", ErrNotCheckpoint, "neither"},
		"one zero":       {"\x00", ErrIncomplete, "zeros"},
		"half a preface": {"\x40\x00\x00", ErrIncomplete, "too short"},
	} {
		t.Run(name, func(t *testing.T) { wantFlaw(t, []byte(c.file), c.kind, c.says) })
	}
}

func TestOpenRefusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); !errors.Is(err, ErrNotCheckpoint) {
		t.Errorf("a folder: %v", err)
	}
	missing := filepath.Join(dir, "missing.safetensors")
	if _, err := Open(missing); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), missing) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := Open(os.DevNull); !errors.Is(err, ErrNotCheckpoint) {
		t.Errorf("a device: %v", err)
	}
}

func TestPrefixesAreStripped(t *testing.T) {
	for _, c := range []struct{ in, want []string }{
		{[]string{"_orig_mod.a", "_orig_mod.b"}, []string{"a", "b"}},
		{[]string{"module.a", "module.module.b"}, []string{"a", "module.b"}},
		{[]string{"module._orig_mod.a", "module._orig_mod.b"}, []string{"a", "b"}},
		{[]string{"_orig_mod.module.a"}, []string{"a"}},
		{[]string{"module.a", "b"}, []string{"b", "module.a"}},
		{[]string{"module."}, []string{"module."}},
	} {
		var weights []Weights
		for _, name := range c.in {
			weights = append(weights, Weights{Tensor{Name: name, Shape: []int{1}}, []float32{float32(len(name))}})
		}
		var file bytes.Buffer
		if err := WriteSafetensors(&file, weights, nil); err != nil {
			t.Fatal(err)
		}
		f, err := readBytes(file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(f.Names(), c.want) {
			t.Errorf("%q became %q, want %q", c.in, f.Names(), c.want)
		}
		if got := values(t, f, f.Names()[0]); len(got) != 1 {
			t.Errorf("%q holds %v", f.Names()[0], got)
		}
	}
}

func TestPublishedFixture(t *testing.T) {
	f, err := Open(picturetest.Shared(t, "fixtures", "mini_a.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := f.Metadata()["greenformer.heads"]; got != "2" {
		t.Errorf("greenformer.heads is %q", got)
	}
	tensor, ok := f.Tensor("encoder.model.patch_embed.proj.weight")
	if !ok || !slices.Equal(tensor.Shape, []int{16, 4, 7, 7}) || tensor.DType != Float32 {
		t.Fatalf("patch embedding: %v %v", tensor, ok)
	}
	for _, name := range f.Names() {
		tensor, _ := f.Tensor(name)
		if !tensor.DType.Float() {
			continue
		}
		for i, v := range values(t, f, name) {
			if math.Abs(float64(v)) > 1e3 || v != v {
				t.Fatalf("%s[%d] is %g", name, i, v)
			}
		}
	}
}
