package matte

import (
	"context"
	"errors"
	"math"
	"testing"

	"greenroom/engine/bench/benchtest"
	"greenroom/engine/checkpoint"
	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
)

// TestRefineAtNothingIsTheNetworkBeforeItsRefiner takes the reference implementation's result apart:
// sigmoid(logit(alpha) - delta) is what it had before the refiner.
func TestRefineAtNothingIsTheNetworkBeforeItsRefiner(t *testing.T) {
	f, err := checkpoint.Open(picturetest.Shared(t, "fixtures", "mini_a.expected.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const w, h = 160, 96
	values := func(name string) []float32 {
		info, ok := f.Tensor("96x160." + name)
		if !ok {
			t.Fatalf("no tensor %s", name)
		}
		v := make([]float32, info.Elements())
		if err := f.ReadFloat32("96x160."+name, v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	alphaLogits, colourLogits, delta := values("alpha_logits"), values("fg_logits"), values("delta")
	coarse := picture.New(w/4, h/4, 4)
	for i, v := range alphaLogits {
		coarse.Pix[4*i] = v
		copy(coarse.Pix[4*i+1:4*i+4], colourLogits[3*i:3*i+3])
	}
	raw := Network{
		Matte: picture.Image{W: w, H: h, C: 1, Pix: values("alpha")}, FG: picture.Image{W: w, H: h, C: 3, Pix: values("fg")},
		Coarse: coarse,
	}
	got, err := Refine(t.Context(), raw, 0)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	near := func(name string, i int, got, final, delta float32) {
		if final < 0.01 || final > 0.99 {
			return
		}
		compared++
		logit := math.Log(float64(final)/(1-float64(final))) - float64(delta)
		if want := 1 / (1 + math.Exp(-logit)); math.Abs(float64(got)-want) > 1e-4 {
			t.Fatalf("%s: sample %d is %v, want %v", name, i, got, want)
		}
	}
	for i := range raw.Matte.Pix {
		near("matte", i, got.Matte.Pix[i], raw.Matte.Pix[i], delta[4*i])
		for c := range 3 {
			near("foreground", 3*i+c, got.FG.Pix[3*i+c], raw.FG.Pix[3*i+c], delta[4*i+1+c])
		}
	}
	if compared < w*h {
		t.Fatalf("only %d samples could be compared", compared)
	}
}

func TestRefineBlendsAndCutsThePadding(t *testing.T) {
	// A plate of 37 x 21 was padded to 64 x 32.
	raw := Network{Matte: picture.New(37, 21, 1), FG: picture.New(37, 21, 3), Coarse: picture.New(16, 8, 4)}
	for i := range raw.Coarse.Pix {
		raw.Coarse.Pix[i] = float32(i%23)/2 - 5
	}
	for i := range raw.FG.Pix {
		raw.FG.Pix[i] = float32(i%17) / 16
	}
	for i := range raw.Matte.Pix {
		raw.Matte.Pix[i] = float32(i%13) / 12
	}
	big := picture.Crop(picture.ResampleBilinear(raw.Coarse, 64, 32), 0, 0, 37, 21)
	for _, amount := range []float64{0, 0.3, 1} {
		got, err := Refine(t.Context(), raw, amount)
		if err != nil {
			t.Fatal(err)
		}
		check := func(i, channel int, got, fine float32) {
			coarse := 1 / (1 + math.Exp(-float64(big.Pix[4*i+channel])))
			if want := coarse*(1-amount) + float64(fine)*amount; math.Abs(float64(got)-want) > 1e-6 {
				t.Fatalf("amount %v: pixel %d channel %d is %v, want %v", amount, i, channel, got, want)
			}
		}
		for i := range raw.Matte.Pix {
			check(i, 0, got.Matte.Pix[i], raw.Matte.Pix[i])
			for c := range 3 {
				check(i, 1+c, got.FG.Pix[3*i+c], raw.FG.Pix[3*i+c])
			}
		}
	}
}

func TestRefineStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	raw := Network{Matte: picture.New(32, 32, 1), FG: picture.New(32, 32, 3), Coarse: picture.New(8, 8, 4)}
	if _, err := Refine(ctx, raw, 0.5); !errors.Is(err, context.Canceled) {
		t.Fatalf("error is %v", err)
	}
}

func TestSigmoidInATable(t *testing.T) {
	s := newSigmoid()
	for v := float32(-20); v < 20; v += 0.0037 {
		if want := 1 / (1 + math.Exp(-float64(v))); math.Abs(float64(s.of(v))-want) > 5e-7 {
			t.Fatalf("sigmoid(%v) is %v, want %v", v, s.of(v), want)
		}
	}
	if v := s.of(float32(math.NaN())); v != 0 {
		t.Errorf("the sigmoid of NaN is %v", v)
	}
}

func BenchmarkRefine(b *testing.B) {
	raw := Network{Matte: picturetest.Matte(1920, 1080), FG: drawnForeground(1920, 1080), Coarse: picture.New(480, 272, 4)}
	for i := range raw.Coarse.Pix {
		raw.Coarse.Pix[i] = float32(i%23)/2 - 5
	}
	benchtest.Measure(b, func() {
		if _, err := Refine(b.Context(), raw, 0.5); err != nil {
			b.Fatal(err)
		}
	})
}
