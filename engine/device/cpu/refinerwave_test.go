package cpu

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"greenroom/engine/greenformer"
	"greenroom/engine/greenformer/greenformertest"
	"greenroom/engine/program"
	"greenroom/engine/settings"
)

// TestTheHeightOfTheRefinersWavesChangesNothing runs the refiner of a whole frame in waves of several heights, down to a
// row at a time, and with a map of its own for every convolution: all give the same to the bit.
func TestTheHeightOfTheRefinersWavesChangesNothing(t *testing.T) {
	const w, h = 64, 320
	m, err := greenformertest.Model(greenformer.Config{Embed: 16, Heads: 2, Stages: [4]int{1, 2, 3, 1}, Decoder: 32, Refiner: 16, Grid: 32}, 3)
	if err != nil {
		t.Fatal(err)
	}
	inputs := map[string][]float32{"plate": make([]float32, 3*w*h), "coarse": make([]float32, 4*w/4*h/4)}
	g := rand.New(rand.NewPCG(5, 6))
	for i := range inputs["plate"] {
		inputs["plate"][i] = g.Float32()
	}
	for i := range inputs["coarse"] {
		inputs["coarse"][i] = 8*g.Float32() - 4
	}
	refine := func(rows int) (matte, fg []float32, waves int) {
		p, err := m.BuildRefiner(greenformer.Size{W: w, H: h}, settings.Default())
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Ops {
			op := &p.Ops[i]
			switch {
			case op.Wave == 0:
				continue
			case rows == 0: // memory of its own
				op.Wave = 0
				p.Tensors[op.Y.Tensor].Alias, p.Tensors[op.Y.Tensor].Shift = op.Y.Tensor, 0
			default:
				op.Wave = rows
			}
			waves++
		}
		if err := program.Check(p); err != nil {
			t.Fatalf("waves of %d rows: %v", rows, err)
		}
		d := New(Options{Threads: 3})
		defer d.Close()
		r, err := d.Load(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		matte, fg = make([]float32, w*h), make([]float32, 3*w*h)
		if err := r.Run(context.Background(), inputs, map[string][]float32{"alpha": matte, "fg": fg}); err != nil {
			t.Fatal(err)
		}
		return matte, fg, waves
	}
	matte, fg, waves := refine(0)
	if waves == 0 {
		t.Fatal("no convolution of the refiner runs in waves")
	}
	if slices.Min(matte) == slices.Max(matte) {
		t.Fatal("the matte is one value: it would hide what differs")
	}
	for _, rows := range []int{1, 7, 32, 100, 128} {
		otherMatte, otherFG, _ := refine(rows)
		if !slices.Equal(otherMatte, matte) || !slices.Equal(otherFG, fg) {
			t.Errorf("waves of %d rows give another key", rows)
		}
	}
}
