package conformancetest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"greenroom/engine/device"
	"greenroom/engine/greenformer"
	"greenroom/engine/greenformer/greenformertest"
	"greenroom/engine/program"
	"greenroom/engine/settings"
)

// Tiny is the smallest network that has every part, for devices that are slow.
var Tiny = greenformer.Config{Embed: 16, Heads: 2, Stages: [4]int{1, 2, 2, 1}, Decoder: 16, Refiner: 16, Grid: 8}

// Picture returns a smooth random plate [h, w, 3] and hint [h, w, 1], as a network sees them.
func Picture(h, w int, seed uint64) (plate, hint []float32) {
	rng := rand.New(rand.NewPCG(seed, 2))
	plate, hint = make([]float32, h*w*3), make([]float32, h*w)
	var phase [8]float64
	for i := range phase {
		phase[i] = rng.Float64() * 6
	}
	for y := range h {
		for x := range w {
			u, v := float64(x)/float64(w)*6, float64(y)/float64(h)*6
			for c := range 3 {
				plate[(y*w+x)*3+c] = float32(0.5 + 0.3*math.Sin(u*float64(c+1)+phase[c])*math.Cos(v+phase[c+3]) + 0.1*rng.Float64())
			}
			hint[y*w+x] = float32(min(1, max(0, 0.5+math.Sin(u+phase[6])+math.Sin(v+phase[7]))))
		}
	}
	return plate, hint
}

// Execute runs a program on a device, twice, and returns every output of the second run. Inputs that the program does
// not have are left out.
func Execute(t testing.TB, d device.Device, p *program.Program, inputs map[string][]float32) (map[string][]float32, device.Stats) {
	t.Helper()
	r, err := d.Load(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	in, out := make(map[string][]float32), make(map[string][]float32)
	for _, tensor := range p.Tensors {
		switch tensor.Role {
		case program.Input:
			in[tensor.Name] = inputs[tensor.Name]
		case program.Output:
			out[tensor.Name] = make([]float32, tensor.Rows*tensor.Cols)
		}
	}
	for range 2 {
		for _, v := range out {
			for i := range v {
				v[i] = float32(math.NaN())
			}
		}
		if err := r.Run(context.Background(), in, out); err != nil {
			t.Fatal(err)
		}
	}
	stats := r.Stats()
	layout, err := program.Plan(p)
	if err != nil {
		t.Fatal(err)
	}
	if stats.Arena != layout.Peak {
		t.Errorf("tensors took %d bytes, the plan says %d", stats.Arena, layout.Peak)
	}
	return out, stats
}

// Farthest returns the largest and the mean difference; what is not a number is infinitely far.
func Farthest(got, want []float32) (most, mean float64) {
	if len(got) != len(want) {
		return math.Inf(1), math.Inf(1)
	}
	for i := range want {
		d := math.Abs(float64(got[i]) - float64(want[i]))
		if math.IsNaN(d) {
			return math.Inf(1), math.Inf(1)
		}
		most = max(most, d)
		mean += d / float64(len(want))
	}
	return most, mean
}

// tolerance is how far matte and foreground may be, at most and on average.
type tolerance struct{ most, mean float64 }

// tolerances returns what is allowed of each output: in float32, and in half width, of 8 or 11 bits, for networks with
// random weights, which amplify rounding about twice as much as trained ones.
func tolerances(s settings.Settings) map[string]tolerance {
	switch {
	case !s.BF16:
		return map[string]tolerance{"alpha": {1e-4, 1e-4}, "fg": {1e-4, 1e-4}}
	case s.Half == settings.Float16:
		return map[string]tolerance{"alpha": {6e-3, 6e-4}, "fg": {8e-3, 8e-4}}
	}
	return map[string]tolerance{"alpha": {4e-2, 4e-3}, "fg": {6e-2, 6e-3}}
}

// everySetting returns the settings that change how a program is built.
func everySetting() []string {
	return []string{"slim", "stage_gc", "sdpa", "bf16", "fused_decode", "gpu_preprocess", "compile"}
}

// networkInputs returns every input that a network may ask for.
func networkInputs(h, w int) map[string][]float32 {
	plate, hint := Picture(h, w, 3)
	input := make([]float32, h*w*4)
	greenformer.Normalise(input, plate, hint)
	return map[string][]float32{"plate": plate, "hint": hint, "input": input}
}

// check holds matte and foreground against what they should be.
func check(t *testing.T, got, want map[string][]float32, s settings.Settings) {
	t.Helper()
	for name, a := range tolerances(s) {
		most, mean := Farthest(got[name], want[name])
		t.Logf("%s: off by %.2g at most, %.2g on average", name, most, mean)
		if !(most <= a.most && mean <= a.mean) {
			t.Errorf("%s is off by %.3g at most and %.3g on average; %.3g and %.3g are allowed", name, most, mean, a.most, a.mean)
		}
	}
}

// Variants returns settings that between them switch each setting on and off alone, by name, and float16.
func Variants(t testing.TB) map[string]settings.Settings {
	t.Helper()
	off := settings.Settings{Refine: settings.RefineTile}
	all := map[string]settings.Settings{"all off": off, "defaults": settings.Default()}
	for _, name := range everySetting() {
		for value, base := range map[string]settings.Settings{"on": off, "off": settings.Default()} {
			if err := base.Set(name, value); err != nil {
				t.Fatal(err)
			}
			all[name+" "+value] = base
		}
	}
	half := settings.Default()
	half.BF16 = true
	all["defaults and bf16"] = half
	half.Half = settings.Float16
	all["defaults and float16"] = half
	off.BF16, off.Half = true, settings.Float16
	all["float16 on"] = off
	return all
}

// Network holds a device against the reference over a network with random weights: every setting on and off, whole
// and with the refiner apart. Sizes are of the network's input.
func Network(t *testing.T, d device.Device, c greenformer.Config, h, w int) {
	t.Helper()
	m, err := greenformertest.Model(c, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	inputs := networkInputs(h, w)
	build := func(t *testing.T, s settings.Settings) *program.Program {
		p, err := m.Build(greenformer.Size{H: h, W: w}, s)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	variants := Variants(t)
	want, _ := Execute(t, Reference(t), build(t, variants["all off"]), inputs)
	for name, s := range variants {
		t.Run(name, func(t *testing.T) {
			p, want := build(t, s), want
			if s.BF16 {
				// Random weights amplify the rounding more than trained ones: what counts is to round in the same places.
				want, _ = Execute(t, Reference(t), p, inputs)
			}
			got, _ := Execute(t, d, p, inputs)
			check(t, got, want, s)
		})
	}
	t.Run("refiner apart", func(t *testing.T) {
		s := settings.Default()
		coarse, err := m.BuildCoarse(greenformer.Size{H: h, W: w}, s)
		if err != nil {
			t.Fatal(err)
		}
		refiner, err := m.BuildRefiner(greenformer.Size{H: h, W: w}, s)
		if err != nil {
			t.Fatal(err)
		}
		made, _ := Execute(t, d, coarse, inputs)
		got, _ := Execute(t, d, refiner, map[string][]float32{"plate": inputs["plate"], "coarse": made["coarse"]})
		check(t, got, want, s)
	})
	t.Run("resized on the device", func(t *testing.T) {
		size := greenformer.Size{H: h, W: w, SourceH: h + 13, SourceW: w - 9}
		p, err := m.Build(size, settings.Default())
		if err != nil {
			t.Fatal(err)
		}
		plate, hint := Picture(size.SourceH, size.SourceW, 4)
		source := map[string][]float32{"plate": plate, "hint": hint}
		want, _ := Execute(t, Reference(t), p, source)
		got, _ := Execute(t, d, p, source)
		check(t, got, want, settings.Default())
	})
}

// named is the name of a tensor of the fixtures for one size of input.
func named(h, w int, tensor string) string { return fmt.Sprintf("%dx%d.%s", h, w, tensor) }
