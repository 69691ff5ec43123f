package cpu

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"greenroom/engine/greenformer"
	"greenroom/engine/greenformer/greenformertest"
	"greenroom/engine/program"
	"greenroom/engine/settings"
)

// TestPartsMakeTheWhole holds that the coarse part and the refiner, run one after the other over a frame that is
// one tile, compute what the whole network does.
func TestPartsMakeTheWhole(t *testing.T) {
	m, err := greenformertest.Model(greenformer.Config{
		Embed: 16, Heads: 2, Stages: [4]int{1, 2, 3, 1}, Decoder: 32, Refiner: 16, Grid: 32,
	}, 5)
	if err != nil {
		t.Fatal(err)
	}
	d := New(Options{})
	defer d.Close()
	run := func(p *program.Program, err error, in, out map[string][]float32) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		r, err := d.Load(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if err := r.Run(context.Background(), in, out); err != nil {
			t.Fatal(err)
		}
	}
	for _, size := range []greenformer.Size{{H: 64, W: 96}, {H: 352, W: 64}} { // the second refines in place
		for _, s := range []settings.Settings{settings.Default(), {Refine: settings.RefineTile}} {
			s.GPUPreprocess = true
			n := size.H * size.W
			plate, hint := make([]float32, 3*n), make([]float32, n)
			g := rand.New(rand.NewPCG(1, uint64(n)))
			for i := range plate {
				plate[i] = g.Float32()
			}
			for i := range hint {
				hint[i] = g.Float32()
			}
			in := map[string][]float32{"plate": plate, "hint": hint}
			want := map[string][]float32{"alpha": make([]float32, n), "fg": make([]float32, 3*n)}
			p, err := m.Build(size, s)
			run(p, err, in, want)
			coarse := make([]float32, n/4)
			p, err = m.BuildCoarse(size, s)
			run(p, err, in, map[string][]float32{"coarse": coarse})
			got := map[string][]float32{"alpha": make([]float32, n), "fg": make([]float32, 3*n)}
			p, err = m.BuildRefiner(size, s)
			run(p, err, map[string][]float32{"plate": plate, "coarse": coarse}, got)
			for name := range want {
				for i, v := range want[name] {
					if math.Abs(float64(v-got[name][i])) > 1e-5 {
						t.Fatalf("%+v, compile %v: %s at %d is %v in parts, %v whole", size, s.Compile, name, i, got[name][i], v)
					}
				}
			}
		}
	}
}
