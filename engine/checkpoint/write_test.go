package checkpoint

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func someWeights() []Weights {
	long := make([]float32, chunkBytes/4*2+3) // more than two chunks
	for i := range long {
		long[i] = float32(math.Sin(float64(i)))
	}
	return []Weights{
		{Tensor{"stage.b", []int{2, 2}, Float16}, []float32{0, -1, 65504, 0.5}},
		{Tensor{"stage.a", []int{1, 3}, BFloat16}, []float32{1, float32(math.Inf(1)), -3}},
		{Tensor{"long", []int{len(long)}, Float32}, long},
		{Tensor{"scalar é\"\\", nil, Float32}, []float32{7}},
		{Tensor{"nothing", []int{3, 0}, Float16}, nil},
	}
}

func TestWriteSafetensorsRoundTrip(t *testing.T) {
	metadata := map[string]string{"greenformer.heads": "2", "licence": "MIT <ours>"}
	var file bytes.Buffer
	if err := WriteSafetensors(&file, someWeights(), metadata); err != nil {
		t.Fatal(err)
	}
	f, err := readBytes(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(metadata, f.Metadata()); diff != "" {
		t.Error(diff)
	}
	for _, want := range someWeights() {
		got, ok := f.Tensor(want.Name)
		if !ok || got.DType != want.DType || !slices.Equal(got.Shape, want.Shape) {
			t.Errorf("%v came back as %v", want.Tensor, got)
		}
		if !slices.Equal(values(t, f, want.Name), want.Data) {
			t.Errorf("the elements of %v changed", want.Tensor)
		}
	}
	if len(f.Names()) != len(someWeights()) {
		t.Errorf("names %q", f.Names())
	}
}

func TestWriteSafetensorsIsDeterministicAndAligned(t *testing.T) {
	var first, second bytes.Buffer
	weights := someWeights()
	if err := WriteSafetensors(&first, weights, map[string]string{"b": "1", "a": "2"}); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(weights)
	if err := WriteSafetensors(&second, weights, map[string]string{"a": "2", "b": "1"}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("another order gave other bytes")
	}
	f, err := readBytes(first.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range f.entries {
		if at := e.data.(section).begin; at%int64(e.DType.Size()) != 0 {
			t.Errorf("%s begins at byte %d, unaligned", name, at)
		}
	}
}

func TestWriteSafetensorsRefuses(t *testing.T) {
	one := []float32{1}
	for name, c := range map[string]struct {
		weights []Weights
		says    string
	}{
		"no tensors":      {nil, "no tensors"},
		"two of a name":   {[]Weights{{Tensor{"a", nil, Float32}, one}, {Tensor{"a", nil, Float16}, one}}, "twice"},
		"reserved name":   {[]Weights{{Tensor{"__metadata__", nil, Float32}, one}}, "reserved"},
		"bad UTF-8":       {[]Weights{{Tensor{"\xff", nil, Float32}, one}}, "UTF-8"},
		"wrong length":    {[]Weights{{Tensor{"a", []int{2}, Float32}, one}}, "2 elements"},
		"negative axis":   {[]Weights{{Tensor{"a", []int{-1}, Float32}, one}}, "negative"},
		"integer":         {[]Weights{{Tensor{"a", nil, Int64}, one}}, "I64"},
		"half overflow":   {[]Weights{{Tensor{"a", nil, Float16}, []float32{70000}}}, "70000"},
		"brain overflow":  {[]Weights{{Tensor{"a", nil, BFloat16}, []float32{math.MaxFloat32}}}, "does not fit"},
		"negative infini": {[]Weights{{Tensor{"a", []int{2}, Float16}, []float32{0, -65520}}}, "element 1"},
	} {
		err := WriteSafetensors(&bytes.Buffer{}, c.weights, nil)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// failingWriter fails once it has taken room bytes.
type failingWriter struct{ room int }

var errFull = errors.New("full")

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.room -= len(p); w.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteSafetensorsReportsTheWriter(t *testing.T) {
	for _, room := range []int{0, 8, 5000, chunkBytes + 5000} {
		if err := WriteSafetensors(&failingWriter{room}, someWeights(), nil); !errors.Is(err, errFull) {
			t.Errorf("room for %d bytes: %v", room, err)
		}
	}
}
