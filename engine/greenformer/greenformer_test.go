package greenformer_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"greenroom/engine/checkpoint"
	"greenroom/engine/greenformer"
	"greenroom/engine/greenformer/greenformertest"
	"greenroom/engine/program"
	"greenroom/engine/settings"
)

var tiny = greenformer.Config{Embed: 8, Heads: 1, Stages: [4]int{1, 1, 2, 1}, Decoder: 8, Refiner: 8, Grid: 8}

// open writes weights and opens them as a network.
func open(t *testing.T, weights []checkpoint.Weights, metadata map[string]string) (*greenformer.Model, error) {
	t.Helper()
	var b bytes.Buffer
	if err := checkpoint.WriteSafetensors(&b, weights, metadata); err != nil {
		t.Fatal(err)
	}
	f, err := checkpoint.Read(bytes.NewReader(b.Bytes()), int64(b.Len()), "test.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	return greenformer.New(f, "test")
}

func TestSizesAreReadFromShapes(t *testing.T) {
	for _, c := range []greenformer.Config{tiny, greenformertest.Nano, {Embed: 16, Heads: 2, Stages: [4]int{1, 2, 3, 1}, Decoder: 32, Refiner: 16, Grid: 32}} {
		for _, mlx := range []bool{false, true} {
			weights := greenformertest.Random(c, 1)
			if mlx {
				weights = greenformertest.MLX(weights)
			}
			m, err := open(t, weights, greenformertest.Metadata(c))
			if err != nil {
				t.Fatal(err)
			}
			if m.Config != c {
				t.Errorf("read %+v, wrote %+v", m.Config, c)
			}
		}
	}
}

func TestPublishedSizeHasItsParameters(t *testing.T) {
	// 398,847,216 bytes of float32 safetensors hold 99.7 million values, BatchNorm's statistics included.
	n := 0
	for _, w := range greenformertest.BasePlus.Tensors() {
		n += w.Elements()
	}
	if bytes := 4 * n; bytes < 398_000_000 || bytes > 398_847_216 {
		t.Errorf("the published size takes %d bytes", bytes)
	}
}

func TestEveryWrongTensorIsNamed(t *testing.T) {
	weights := greenformertest.Random(tiny, 1)
	find := func(name string) int {
		return slices.IndexFunc(weights, func(w checkpoint.Weights) bool { return w.Name == name })
	}
	i := find("encoder.model.blocks.1.mlp.fc1.bias")
	weights[i].Shape, weights[i].Data = []int{31}, weights[i].Data[:31]
	weights = slices.Delete(weights, find("refiner.res3.gn2.bias"), find("refiner.res3.gn2.bias")+1)
	weights = slices.Delete(weights, find("fg_decoder.bn.weight"), find("fg_decoder.bn.weight")+1)
	extra := checkpoint.Weights{Tensor: checkpoint.Tensor{Name: "discriminator.weight", Shape: []int{2}, DType: checkpoint.Float32}, Data: []float32{1, 2}}
	counter := checkpoint.Weights{Tensor: checkpoint.Tensor{Name: "fg_decoder.bn.num_batches_tracked", Shape: []int{1}, DType: checkpoint.Float32}, Data: []float32{1}}

	_, err := open(t, append(weights, extra, counter), greenformertest.Metadata(tiny))
	var mismatch *greenformer.MismatchError
	if !errors.As(err, &mismatch) {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{
		"test.safetensors", "refiner.res3.gn2.bias", "fg_decoder.bn.weight", "discriminator.weight",
		"encoder.model.blocks.1.mlp.fc1.bias is [31], not [64]",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not name %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "num_batches_tracked") {
		t.Errorf("%q complains of a counter", err)
	}
}

func TestOtherNetworksAreRefused(t *testing.T) {
	one := func(name string, shape ...int) checkpoint.Weights {
		w := checkpoint.Weights{Tensor: checkpoint.Tensor{Name: name, Shape: shape, DType: checkpoint.Float32}}
		w.Data = make([]float32, w.Elements())
		return w
	}
	for name, c := range map[string]struct {
		weights  []checkpoint.Weights
		metadata map[string]string
		want     string
	}{
		"not a GreenFormer": {[]checkpoint.Weights{one("conv.weight", 3, 3)}, nil, "has no tensor encoder.model.patch_embed.proj.weight"},
		"no head count":     {greenformertest.Random(tiny, 1), nil, "greenformer.heads"},
		"no number":         {greenformertest.Random(tiny, 1), map[string]string{"greenformer.heads": "two"}, `"two"`},
		"heads that do not divide": {
			greenformertest.Random(tiny, 1), map[string]string{"greenformer.heads": "3"}, "3 heads over 8 channels",
		},
		"no heads": {greenformertest.Random(tiny, 1), map[string]string{"greenformer.heads": "0"}, "0 heads"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := open(t, c.weights, c.metadata); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want it to say %q", err, c.want)
			}
		})
	}
}

func TestBuildRefusesSizesOffTheLattice(t *testing.T) {
	m, err := greenformertest.Model(tiny, 1)
	if err != nil {
		t.Fatal(err)
	}
	off := settings.Default()
	off.GPUPreprocess = false
	for _, c := range []struct {
		size greenformer.Size
		s    settings.Settings
	}{
		{greenformer.Size{H: 48, W: 64}, settings.Default()},
		{greenformer.Size{H: 0, W: 32}, settings.Default()},
		{greenformer.Size{H: -32, W: 32}, settings.Default()},
		{greenformer.Size{H: 32, W: 32, SourceH: 10}, settings.Default()},
		{greenformer.Size{H: 32, W: 32, SourceH: 10, SourceW: 10}, off},
	} {
		if _, err := m.Build(c.size, c.s); err == nil {
			t.Errorf("built %+v", c.size)
		}
	}
}

// TestEverySettingBuildsACheckedPlan builds all 128 combinations of toggles.
func TestEverySettingBuildsACheckedPlan(t *testing.T) {
	m, err := greenformertest.Model(tiny, 1)
	if err != nil {
		t.Fatal(err)
	}
	toggles := []string{"slim", "stage_gc", "sdpa", "bf16", "fused_decode", "gpu_preprocess", "compile"}
	for bits := range 1 << len(toggles) {
		s := settings.Default()
		for i, name := range toggles {
			value := "off"
			if bits>>i&1 == 1 {
				value = "on"
			}
			if err := s.Set(name, value); err != nil {
				t.Fatal(err)
			}
		}
		p, err := m.Build(greenformer.Size{H: 32, W: 96}, s)
		if err != nil {
			t.Fatalf("%v: %v", s, err)
		}
		l, err := program.Plan(p)
		if err != nil {
			t.Fatalf("%v: %v", s, err)
		}
		if l.Peak <= 0 {
			t.Errorf("%v: a peak of %d bytes", s, l.Peak)
		}
	}
}

// TestMemorySettingsLowerThePeak holds what the settings promise, on the published size at a tile of 768.
func TestMemorySettingsLowerThePeak(t *testing.T) {
	m, err := greenformertest.Model(tiny, 1)
	if err != nil {
		t.Fatal(err)
	}
	m.Config = greenformertest.BasePlus // a plan reads no weights
	peak := func(change func(*settings.Settings)) int64 {
		s := settings.Default()
		change(&s)
		p, err := m.Build(greenformer.Size{H: 768, W: 768}, s)
		if err != nil {
			t.Fatal(err)
		}
		l, err := program.Plan(p)
		if err != nil {
			t.Fatal(err)
		}
		return l.Peak
	}
	base := peak(func(*settings.Settings) {})
	t.Logf("a tile of 768 takes %d MB", base>>20)
	for name, change := range map[string]func(*settings.Settings){
		"slim off":         func(s *settings.Settings) { s.Slim = false },
		"fused_decode off": func(s *settings.Settings) { s.FusedDecode = false },
	} {
		if p := peak(change); p < base {
			t.Errorf("%s takes %d bytes, less than %d", name, p, base)
		}
	}
	if p := peak(func(s *settings.Settings) { s.BF16 = true }); p > base*2/3 {
		t.Errorf("bf16 takes %d bytes beside %d", p, base)
	}
	formats := func(h settings.Half) int64 { return peak(func(s *settings.Settings) { s.BF16, s.Half = true, h }) }
	if a, b := formats(settings.BFloat16), formats(settings.Float16); a != b {
		t.Errorf("bfloat16 takes %d bytes, float16 %d", a, b)
	}
	if p := peak(func(s *settings.Settings) { s.Half = settings.Float16 }); p != base {
		t.Errorf("without bf16, half makes %d bytes of %d", p, base)
	}
	if with, without := peak(func(s *settings.Settings) {}), peak(func(s *settings.Settings) { s.SDPA = false }); with > without {
		t.Errorf("stored scores take %d bytes, fused attention %d", without, with)
	}
}

func TestMLXAndTorchReadTheSame(t *testing.T) {
	weights := greenformertest.Random(tiny, 4)
	torch, err := open(t, weights, greenformertest.Metadata(tiny))
	if err != nil {
		t.Fatal(err)
	}
	mlx, err := open(t, greenformertest.MLX(weights), greenformertest.Metadata(tiny))
	if err != nil {
		t.Fatal(err)
	}
	a, err := torch.Build(greenformer.Size{H: 32, W: 32}, settings.Default())
	if err != nil {
		t.Fatal(err)
	}
	b, err := mlx.Build(greenformer.Size{H: 32, W: 32}, settings.Default())
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range a.Weights {
		x, y := make([]float32, w.Len()), make([]float32, w.Len())
		if err := w.Read(x); err != nil {
			t.Fatal(err)
		}
		if err := b.Weights[i].Read(y); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(x, y) {
			t.Errorf("%s differs", w.Key)
		}
	}
}
