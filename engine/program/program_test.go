package program

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// chain builds a random but valid program over tensors of one width: gemms, activations, sums with an earlier
// tensor, group and layer normalisations and convolutions, over three stages.
func chain(t *rapid.T) *Program {
	b := NewBuilder("test")
	const cols = 8
	rows := 4 * rapid.IntRange(1, 150).Draw(t, "rows")
	none := func([]float32) error { return nil }
	square := b.Weight("square", none, cols, cols)
	vector := b.Weight("vector", none, cols)
	kernel := b.Weight("kernel", none, cols, 3, 3, cols)
	made := []ID{b.Map("in", rows, 1, cols, F32, Input)}
	b.Stage = Encoder
	for range rapid.IntRange(1, 30).Draw(t, "ops") {
		// Mostly the last one, which often nothing reads any more: only then may its memory be written over.
		x := made[len(made)-1-max(0, rapid.IntRange(-4, min(2, len(made)-1)).Draw(t, "x before the last"))]
		y := b.TempMap("t", rows, 1, cols)
		var op Op
		switch min(rapid.IntRange(0, 8).Draw(t, "kind"), 5) {
		case 0:
			op = b.Op(Gemm, "gemm", y, x)
			op.W, op.B = square, vector
		case 1:
			op = b.Op(Activate, "act", y, x)
			op.Act = Act(rapid.IntRange(1, 3).Draw(t, "act"))
		case 2:
			z := made[rapid.IntRange(0, len(made)-1).Draw(t, "z")]
			op = b.Op(Add, "add", y, x, z)
		case 3:
			stats := b.Tensor("stats", 2, 2, F32, Temp)
			op = b.Op(GroupNormStats, "stats", stats, x)
			op.Groups = 2
			b.Do(op)
			op = b.Op(GroupNormApply, "apply", y, x, stats)
			op.Groups, op.W, op.B = 2, vector, vector
		case 4:
			op = b.Op(LayerNorm, "norm", y, x)
			op.W, op.B = vector, vector
		case 5:
			op = b.Op(Conv2D, "conv", y, x)
			d := rapid.IntRange(1, 8).Draw(t, "dilation")
			op.Conv = ConvShape{Kernel: 3, Stride: 1, Pad: d, Dilation: d}
			op.W, op.B = kernel, vector
		}
		b.Do(op)
		made = append(made, y)
		if rapid.Bool().Draw(t, "next stage") && b.Stage < Refiner {
			b.Stage++
		}
	}
	b.Program.Tensors[made[len(made)-1]].Role = Output
	b.Program.StageGC = rapid.Bool().Draw(t, "stage_gc")
	return b.Program
}

// TestPlanKeepsLivingTensorsApart replays programs symbolically: every op must find in the memory of what it
// reads what was written there last.
func TestPlanKeepsLivingTensorsApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := chain(t)
		if rapid.Bool().Draw(t, "fuse") {
			Fuse(p)
		}
		InPlace(p)
		if err := Check(p); err != nil {
			t.Fatal(err)
		}
		holdsApart(t, p)
	})
}

func TestPlanKeepsApartWhatAConvolutionWritesOver(t *testing.T) {
	b := NewBuilder("test")
	const cols, rows = 8, 600
	none := func([]float32) error { return nil }
	kernel, vector := b.Weight("kernel", none, cols, 3, 3, cols), b.Weight("vector", none, cols)
	b.Stage = Refiner
	in := b.Map("in", rows, 1, cols, F32, Input)
	x := in
	for _, dilation := range []int{1, 8} {
		y := b.TempMap("map", rows, 1, cols)
		op := b.Op(Conv2D, "conv", y, x)
		op.Conv = ConvShape{Kernel: 3, Stride: 1, Pad: dilation, Dilation: dilation}
		op.W, op.B = kernel, vector
		b.Do(op)
		x = y
	}
	// The input lives on: every map beside it counts.
	y := b.TempMap("sum", rows, 1, cols)
	b.Do(b.Op(Add, "add", y, x, in))
	b.Program.Tensors[y].Role = Output
	InPlace(b.Program)
	if err := Check(b.Program); err != nil {
		t.Fatal(err)
	}
	if slid := holdsApart(t, b.Program); slid == 0 {
		t.Error("no convolution runs in place")
	}
}

// holdsApart fails where the plan of a program gives memory away that is still to be read. It returns how many
// convolutions write over their own map.
func holdsApart(t rapid.TB, p *Program) (slid int) {
	t.Helper()
	l, err := Plan(p)
	if err != nil {
		t.Fatal(err)
	}
	type place struct {
		arena  int
		offset int64
	}
	holds := make(map[place]ID)
	write := func(id ID, at int) {
		a, from := l.Arena[id], l.Offset[id]
		if arena := l.Arenas[a]; at < arena.First || at > arena.Last || from+p.Tensors[id].Bytes() > arena.Bytes {
			t.Fatalf("op %d writes %d outside its arena", at, id)
		}
		for other, held := range holds {
			if other.arena == a && other.offset < from+p.Tensors[id].Bytes() && from < other.offset+p.Tensors[held].Bytes() {
				delete(holds, other)
			}
		}
		holds[place{a, from}] = id
	}
	for i, tensor := range p.Tensors {
		if tensor.Role == Input {
			write(ID(i), 0)
		}
	}
	for i := range p.Ops {
		op := &p.Ops[i]
		for _, id := range op.reads() {
			if holds[place{l.Arena[id], l.Offset[id]}] != id {
				t.Fatalf("op %d (%s) reads tensor %d, whose memory holds %d", i, op.Kind, id, holds[place{l.Arena[id], l.Offset[id]}])
			}
		}
		if op.Wave > 0 {
			// The last row that a wave writes, as a row of what the op reads, is one that is not read any more.
			x := op.X[0].Tensor
			row := p.Tensors[x].Bytes() / int64(p.Tensors[x].H)
			for from := 0; from < p.Tensors[x].H; from += op.Wave {
				end := l.Offset[op.Y.Tensor] + int64(min(from+op.Wave, p.Tensors[x].H))*row
				if first := l.Offset[x] + int64(max(0, from-op.Conv.Dilation))*row; end > first {
					t.Fatalf("op %d overwrites up to %d what it reads from %d", i, end, first)
				}
			}
			slid++
		}
		for _, id := range op.writes() {
			write(id, i)
		}
	}
	for i, tensor := range p.Tensors {
		if tensor.Role == Output && holds[place{l.Arena[i], l.Offset[i]}] != ID(i) {
			t.Fatalf("output %d was overwritten", i)
		}
	}
	return slid
}

// TestFusedOpsStandWhereTheirOperandsAre holds that fusing never reads what is not written yet, and never adds ops.
func TestFusedOpsStandWhereTheirOperandsAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := chain(t)
		before := len(p.Ops)
		Fuse(p)
		if len(p.Ops) > before {
			t.Fatal("fusing added ops")
		}
		if _, err := Plan(p); err != nil {
			t.Fatal(err)
		}
	})
}

// TestFuseFoldsWhatItSays builds the patterns of the network and counts what is left of them.
func TestFuseFoldsWhatItSays(t *testing.T) {
	none := func([]float32) error { return nil }
	b := NewBuilder("test")
	x := b.Map("x", 4, 4, 8, F32, Input)
	conv := b.TempMap("conv", 4, 4, 8)
	op := b.Op(Conv2D, "conv", conv, x)
	op.Conv = ConvShape{Kernel: 3, Stride: 1, Pad: 1, Dilation: 1}
	op.W, op.B = b.Weight("cw", none, 8, 3, 3, 8), b.Weight("cb", none, 8)
	b.Do(op)
	stats := b.Tensor("stats", 4, 2, F32, Temp)
	op = b.Op(GroupNormStats, "stats", stats, conv)
	op.Groups, op.Eps = 4, 1e-5
	b.Do(op)
	norm := b.TempMap("norm", 4, 4, 8)
	op = b.Op(GroupNormApply, "norm", norm, conv, stats)
	op.Groups, op.W, op.B = 4, b.Weight("g", none, 8), b.Weight("h", none, 8)
	b.Do(op)
	sum := b.TempMap("sum", 4, 4, 8)
	b.Do(b.Op(Add, "sum", sum, norm, x))
	relu := b.TempMap("relu", 4, 4, 8)
	op = b.Op(Activate, "relu", relu, sum)
	op.Act = ReLU
	b.Do(op)
	lin := b.TempMap("lin", 4, 4, 8)
	op = b.Op(Gemm, "lin", lin, relu)
	op.W, op.B = b.Weight("w", none, 8, 8), b.Weight("b", none, 8)
	b.Do(op)
	gelu := b.TempMap("gelu", 4, 4, 8)
	op = b.Op(Activate, "gelu", gelu, lin)
	op.Act = GELU
	b.Do(op)
	out := b.Map("out", 4, 4, 8, F32, Output)
	b.Do(b.Op(Add, "out", out, gelu, relu))

	p := b.Program
	Fuse(p)
	var kinds []string
	for _, op := range p.Ops {
		kinds = append(kinds, op.Kind.String())
	}
	if got := strings.Join(kinds, " "); got != "conv2d groupnorm_apply gemm" {
		t.Fatalf("fused to %q", got)
	}
	conv0, apply, gemm := p.Ops[0], p.Ops[1], p.Ops[2]
	if conv0.Stats != stats || conv0.Groups != 4 || conv0.Eps != 1e-5 {
		t.Error("the convolution does not take the statistics")
	}
	if apply.Residual.Tensor != x || apply.Act != ReLU {
		t.Error("the normalisation does not add its residual and activate")
	}
	if gemm.Act != GELU || gemm.Residual.Tensor != relu || gemm.Y.Tensor != out {
		t.Error("the gemm does not activate and add its residual")
	}
}

// TestFuseReadsThroughANormalisation folds a GroupNorm with its ReLU into the next convolution, but not one
// that is also read elsewhere.
func TestFuseReadsThroughANormalisation(t *testing.T) {
	for _, shared := range []bool{false, true} {
		b := NewBuilder("test")
		x := b.Map("x", 4, 4, 8, F32, Input)
		stats := b.Tensor("stats", 4, 2, F32, Temp)
		op := b.Op(GroupNormStats, "stats", stats, x)
		op.Groups = 4
		b.Do(op)
		norm := b.TempMap("norm", 4, 4, 8)
		op = b.Op(GroupNormApply, "norm", norm, x, stats)
		op.Groups, op.W, op.B, op.Act = 4, b.Weight("g", nil, 8), b.Weight("h", nil, 8), ReLU
		b.Do(op)
		conv := b.Map("conv", 4, 4, 8, F32, Output)
		op = b.Op(Conv2D, "conv", conv, norm)
		op.Conv = ConvShape{Kernel: 3, Stride: 1, Pad: 2, Dilation: 2}
		op.W, op.B = b.Weight("w", nil, 8, 3, 3, 8), b.Weight("b", nil, 8)
		b.Do(op)
		if shared {
			out := b.Map("out", 4, 4, 8, F32, Output)
			b.Do(b.Op(Add, "out", out, norm, x))
		}
		Fuse(b.Program)
		if err := Check(b.Program); err != nil {
			t.Fatal(err)
		}
		got := b.Program.Ops[1]
		if fused := got.Kind == Conv2D && got.Pre != nil && got.Pre.Stats == stats && got.X[0].Tensor == x; fused == shared {
			t.Errorf("shared %v: %s with %+v", shared, got.Kind, got.Pre)
		}
	}
}

// TestFuseLeavesAResidualAfterItsActivation: a gemm adds its residual after the activation, so act(x + y) must
// not become act(x) + y.
func TestFuseLeavesAResidualAfterItsActivation(t *testing.T) {
	none := func([]float32) error { return nil }
	b := NewBuilder("test")
	x := b.Tensor("x", 4, 8, F32, Input)
	y := b.Temp("y", 4, 8)
	op := b.Op(Gemm, "y", y, x)
	op.W, op.B = b.Weight("w", none, 8, 8), b.Weight("b", none, 8)
	b.Do(op)
	z := b.Temp("z", 4, 8)
	b.Do(b.Op(Add, "z", z, y, x))
	out := b.Tensor("out", 4, 8, F32, Output)
	op = b.Op(Activate, "out", out, z)
	op.Act = ReLU
	b.Do(op)
	Fuse(b.Program)
	if len(b.Program.Ops) != 2 || b.Program.Ops[1].Kind != Activate {
		t.Errorf("left with %d ops", len(b.Program.Ops))
	}
}

// TestPlanRefusesUnwrittenTensors: an op that reads what nobody wrote is an error, not a wild place in memory.
func TestPlanRefusesUnwrittenTensors(t *testing.T) {
	b := NewBuilder("test")
	x := b.Temp("x", 4, 8)
	y := b.Tensor("y", 4, 8, F32, Output)
	b.Do(b.Op(Activate, "act", y, x))
	if _, err := Plan(b.Program); err == nil {
		t.Error("planned a program that reads an unwritten tensor")
	}
}

// TestCheckNamesWhatDoesNotFit breaks one operand at a time.
func TestCheckNamesWhatDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(p *Program)
		want  string
	}{
		{"a view outside its tensor", func(p *Program) { p.Ops[0].X[0].Cols = 99 }, "columns"},
		{"a missing weight", func(p *Program) { p.Ops[0].W = 7 }, "no weight 7"},
		{"a weight of another size", func(p *Program) { p.Weights[0].Shape = []int{8, 9} }, "weights is 72, not 64"},
		{"too few rows", func(p *Program) { p.Tensors[1].Rows = 3 }, "rows written is 3, not 4"},
		{"two half-width types", func(p *Program) { p.Tensors[0].DType, p.Tensors[1].DType = BF16, F16 }, "x is bf16 beside f16"},
		{"a weight of another half-width type", func(p *Program) { p.Ops[0].Storage, p.Tensors[0].DType = BF16, F16 }, "x is f16 beside bf16"},
		{"an unknown op", func(p *Program) { p.Ops[0].Kind = 200 }, "unknown op"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := NewBuilder("test")
			x := b.Tensor("x", 4, 8, F32, Input)
			y := b.Tensor("y", 4, 8, F32, Output)
			op := b.Op(Gemm, "y", y, x)
			op.W = b.Weight("w", nil, 8, 8)
			b.Do(op)
			if err := Check(b.Program); err != nil {
				t.Fatal(err)
			}
			c.spoil(b.Program)
			if err := Check(b.Program); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want it to say %q", err, c.want)
			}
		})
	}
}
