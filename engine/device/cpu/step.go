package cpu

import (
	"math"

	"greenroom/engine/device/cpu/kernel"
	"greenroom/engine/program"
)

// step is an op ready to run: units of work that any worker can take, a block at a time.
type step struct {
	// units is how many rows (or windows, or heads times blocks of queries) there are, block how many are
	// taken at a time.
	units, block int
	// wave is how many units may be under way at once, a multiple of block, with all of them done before the
	// next begin; 0 is all.
	wave int
	// scratch is how many floats of working memory run needs.
	scratch int
	// before and after, where there are any, run once, on one worker.
	before, after func()
	run           func(from, to int, scratch []float32)
}

// A block is long enough that taking it costs nothing and short enough that all workers end together and a
// cancelled run ends soon: 4 to 2000 million operations, and eight blocks a worker where there is enough work.
const (
	leastWork = 4e6
	mostWork  = 2e9
	perWorker = 8
)

// blockOf returns how many units to take at a time when one unit takes the given number of operations.
func (r *runner) blockOf(units int, work float64) int {
	even := float64(units) / float64(perWorker*r.device.info.Threads)
	most := max(1, mostWork/work)
	return int(math.Ceil(min(max(even, leastWork/work), most, float64(units))))
}

// rows returns the view's elements.
func (r *runner) rows(v program.View) kernel.Rows {
	t := r.program.Tensors[v.Tensor]
	m, offset := r.place(v.Tensor)
	n := t.Rows * t.Cols
	if t.DType.Half() {
		return kernel.Half(m.uint16s(offset, n)[v.Col:], format(t.DType), t.Cols)
	}
	return kernel.Float32(m.float32s(offset, n)[v.Col:], t.Cols)
}

// floats returns the elements of a float32 tensor.
func (r *runner) floats(id program.ID) []float32 {
	t := r.program.Tensors[id]
	m, offset := r.place(id)
	return m.float32s(offset, t.Rows*t.Cols)
}

func (r *runner) place(id program.ID) (memory, int64) {
	l := &r.arenas.layout
	return r.arenas.taken[l.Arena[id]], l.Offset[id]
}

// plain returns the values of a weight, or nil for index -1.
func (r *runner) plain(i int) []float32 {
	if i < 0 {
		return nil
	}
	return r.held[i][plain].plain
}

// packed returns the packed weight of an op.
func (r *runner) packed(op *program.Op) *kernel.Packed { return r.held[op.W][packedForm(op)].packed }

// format is the kernels' name of a half-width type.
func format(d program.DType) kernel.Format {
	if d == program.F16 {
		return kernel.Float16
	}
	return kernel.BFloat16
}

var acts = map[program.Act]kernel.Activation{
	program.Identity: kernel.Identity, program.GELU: kernel.GELU,
	program.ReLU: kernel.ReLU, program.Sigmoid: kernel.Sigmoid,
}

// step makes op i ready to run in the memory that is there now.
func (r *runner) step(i int) step {
	op := &r.program.Ops[i]
	switch op.Kind {
	case program.Pack:
		return r.packStep(op)
	case program.Conv2D:
		return r.convStep(op)
	case program.Gemm:
		return r.gemmStep(op)
	case program.LayerNorm:
		return r.layerNormStep(op)
	case program.GroupNormStats:
		return r.groupStatsStep(op)
	case program.GroupNormApply:
		return r.groupApplyStep(op)
	case program.Attention, program.Scores, program.Product:
		return r.attentionStep(op)
	case program.Resize:
		return r.resizeStep(op)
	case program.Concat:
		return r.concatStep(op)
	}
	return r.elementStep(op)
}

// rowStep is a step over the rows of what op writes, with the given work in operations a value.
func (r *runner) rowStep(op *program.Op, work float64, run func(from, to int, scratch []float32)) step {
	rows := r.program.Tensors[op.Y.Tensor].Rows
	return step{
		units: rows, block: r.blockOf(rows, work*float64(op.Y.Cols)),
		scratch: kernel.RowScratchLen(op.Y.Cols), run: run,
	}
}

func (r *runner) packStep(op *program.Op) step {
	plate, y := r.rows(op.X[0]), r.rows(op.Y)
	var hint kernel.Rows
	if len(op.X) > 1 {
		hint = r.rows(op.X[1])
	}
	mean, std := op.Pack.Mean, op.Pack.Std
	return r.rowStep(op, 4, func(from, to int, _ []float32) {
		for i := from; i < to; i++ {
			rgb := plate.F32[i*plate.Stride:][:3]
			in := y.F32[i*y.Stride:]
			for c := range 3 {
				in[c] = (rgb[c] - mean[c]) / std[c]
			}
			if hint.F32 != nil {
				in[3] = hint.F32[i*hint.Stride]
			}
		}
	})
}

func (r *runner) gemmStep(op *program.Op) step {
	s := r.device.set
	x := r.program.Tensors[op.X[0].Tensor]
	g := &kernel.Gemm{
		M: x.Rows, A: r.rows(op.X[0]), B: r.packed(op), Bias: r.plain(op.B), Act: acts[op.Act], C: r.rows(op.Y),
	}
	if op.Residual.Tensor != program.None {
		g.Residual = r.rows(op.Residual)
	}
	return step{
		units: g.M, block: r.blockOf(g.M, 2*float64(op.X[0].Cols)*float64(op.Y.Cols)), scratch: g.ScratchLen(),
		run: func(from, to int, scratch []float32) { s.Gemm(g, from, to, scratch) },
	}
}

// convRows is how many image rows a convolution takes at a time at most: consecutive rows share what they
// read, so that more is better, up to what ends together.
const convRows = 64

func (r *runner) convStep(op *program.Op) step {
	s := r.device.set
	x, y := r.program.Tensors[op.X[0].Tensor], r.program.Tensors[op.Y.Tensor]
	c := &kernel.Conv{
		H: x.H, W: x.W, Cin: op.X[0].Cols,
		Size: op.Conv.Kernel, Stride: op.Conv.Stride, Pad: op.Conv.Pad, Dilation: op.Conv.Dilation,
		In: r.rows(op.X[0]), Weights: r.packed(op), Bias: r.plain(op.B), Act: acts[op.Act], Out: r.rows(op.Y),
	}
	work := 2 * float64(c.Size*c.Size*c.Cin) * float64(op.Y.Cols) * float64(y.W)
	st := step{
		units: y.H, block: int(min(convRows, float64(y.H), max(1, mostWork/work))), scratch: c.ScratchLen(),
		run: func(from, to int, scratch []float32) { s.Conv(c, from, to, scratch) },
	}
	if op.Wave > 0 {
		st.wave = op.Wave
		// Several blocks a worker and wave, so that all workers end a wave together.
		st.block = min(st.block, max(1, op.Wave/(2*r.device.info.Threads)))
		st.wave -= st.wave % st.block
	}
	if g := op.Pre; g != nil {
		c.Scale, c.Shift = make([]float32, c.Cin), make([]float32, c.Cin)
		stats, gamma, beta := r.floats(g.Stats), r.plain(g.W), r.plain(g.B)
		st.before = func() { kernel.GroupAffine(c.Scale, c.Shift, stats, gamma, beta, g.Groups) }
	}
	if op.Stats != program.None {
		moments := r.momentsFor(y.H, op.Y.Cols)
		c.Moments = moments
		stats := r.floats(op.Stats)
		groups, eps := op.Groups, float64(op.Eps)
		st.after = func() { kernel.MergeMoments(moments, y.W, op.Y.Cols).Groups(stats, groups, eps) }
	}
	return st
}

// momentsFor returns room for the moments of a map of h rows and cols columns. Ops use it one after another.
func (r *runner) momentsFor(h, cols int) []float64 {
	n := 2 * h * cols
	if len(r.moments) < n {
		r.stats.Scratch += 8 * int64(n-len(r.moments))
		r.moments = make([]float64, n)
	}
	return r.moments[:n]
}

func (r *runner) layerNormStep(op *program.Op) step {
	s, x, y := r.device.set, r.rows(op.X[0]), r.rows(op.Y)
	gamma, beta := r.plain(op.W), r.plain(op.B)
	return r.rowStep(op, 8, func(from, to int, scratch []float32) {
		s.LayerNorm(y, x, from, to, op.Y.Cols, gamma, beta, op.Eps, scratch)
	})
}

// groupStatsStep takes the moments of each image row and merges them in order, so that the result does not
// depend on who took which.
func (r *runner) groupStatsStep(op *program.Op) step {
	s, x := r.device.set, r.rows(op.X[0])
	t := r.program.Tensors[op.X[0].Tensor]
	h, w := t.H, t.W
	if h == 0 {
		h, w = t.Rows, 1
	}
	cols := op.X[0].Cols
	moments := r.momentsFor(h, cols)
	stats := r.floats(op.Y.Tensor)
	return step{
		units: h, block: r.blockOf(h, 4*float64(w*cols)), scratch: kernel.RowScratchLen(cols),
		run: func(from, to int, scratch []float32) {
			for row := from; row < to; row++ {
				s.RowMoments(moments[2*row*cols:2*(row+1)*cols], x, row*w, (row+1)*w, cols, scratch)
			}
		},
		after: func() { kernel.MergeMoments(moments, w, cols).Groups(stats, op.Groups, float64(op.Eps)) },
	}
}

func (r *runner) groupApplyStep(op *program.Op) step {
	s, cols := r.device.set, op.Y.Cols
	a := &kernel.Affine{
		Scale: make([]float32, cols), Shift: make([]float32, cols),
		X: r.rows(op.X[0]), Out: r.rows(op.Y), Act: acts[op.Act],
	}
	if op.Residual.Tensor != program.None {
		a.Residual = r.rows(op.Residual)
	}
	stats, gamma, beta := r.floats(op.X[1].Tensor), r.plain(op.W), r.plain(op.B)
	st := r.rowStep(op, 4, func(from, to int, scratch []float32) { s.Affine(a, from, to, scratch) })
	st.before = func() { kernel.GroupAffine(a.Scale, a.Shift, stats, gamma, beta, op.Groups) }
	return st
}

func (r *runner) attentionStep(op *program.Op) step {
	s, shape := r.device.set, op.Attention
	a := &kernel.Attention{
		Windows: shape.Windows, Queries: shape.Queries, Keys: shape.Keys, Heads: shape.Heads, HeadDim: shape.HeadDim,
		Scale: float32(1 / math.Sqrt(float64(shape.HeadDim))),
	}
	work := 4 * float64(shape.Queries) * float64(shape.Keys) * float64(shape.HeadDim)
	if op.Kind == program.Attention {
		a.Q, a.K, a.V, a.Out = r.rows(op.X[0]), r.rows(op.X[1]), r.rows(op.X[2]), r.rows(op.Y)
		units := a.Units()
		return step{
			units: units, block: r.blockOf(units, work*float64(shape.Windows*shape.Heads)/float64(units)),
			scratch: a.ScratchLen(),
			run:     func(from, to int, scratch []float32) { s.Attention(a, from, to, scratch) },
		}
	}
	// Row (window*Heads + head)*Queries + q of the scores tensor is query q of that window and head.
	var part func(window, head, q0, q1 int, scores kernel.Rows, scratch []float32)
	scores := r.rows(op.Y)
	if op.Kind == program.Scores {
		a.Q, a.K = r.rows(op.X[0]), r.rows(op.X[1])
		part = func(window, head, q0, q1 int, m kernel.Rows, scratch []float32) {
			s.Scores(a, window, head, q0, q1, m, scratch)
		}
	} else {
		scores = r.rows(op.X[0])
		a.V, a.Out = r.rows(op.X[1]), r.rows(op.Y)
		part = func(window, head, q0, q1 int, m kernel.Rows, scratch []float32) {
			s.Product(a, window, head, q0, q1, m, scratch)
		}
	}
	units := shape.Windows * shape.Heads * shape.Queries
	return step{
		units: units, block: r.blockOf(units, work/2/float64(shape.Queries)), scratch: a.ScratchLen(),
		run: func(from, to int, scratch []float32) {
			for from < to {
				group, q0 := from/shape.Queries, from%shape.Queries
				q1 := min(shape.Queries, q0+to-from)
				m := kernel.Float32(scores.F32[group*shape.Queries*shape.Keys:], shape.Keys)
				part(group/shape.Heads, group%shape.Heads, q0, q1, m, scratch)
				from += q1 - q0
			}
		},
	}
}

func (r *runner) resizeStep(op *program.Op) step {
	s := r.device.set
	x, y := r.program.Tensors[op.X[0].Tensor], r.program.Tensors[op.Y.Tensor]
	z := &kernel.Resize{
		H: x.H, W: x.W, OutH: y.H, OutW: y.W, C: op.Y.Cols,
		In: r.rows(op.X[0]), Out: r.rows(op.Y), Accumulate: op.Accumulate, Act: acts[op.Act],
	}
	return step{
		units: y.H, block: r.blockOf(y.H, 8*float64(y.W*op.Y.Cols)), scratch: z.ScratchLen(),
		run: func(from, to int, scratch []float32) { s.Resize(z, from, to, scratch) },
	}
}

func (r *runner) concatStep(op *program.Op) step {
	s := r.device.set
	x := make([]kernel.Rows, len(op.X))
	for i, v := range op.X {
		x[i] = r.rows(v)
	}
	return r.rowStep(op, 2, func(from, to int, _ []float32) {
		at := op.Y
		for i, v := range op.X {
			at.Cols = v.Cols
			s.Copy(r.rows(at), x[i], from, to, v.Cols)
			at.Col += v.Cols
		}
	})
}

// elementStep is an op over rows one by one.
func (r *runner) elementStep(op *program.Op) step {
	s, x, y, cols := r.device.set, r.rows(op.X[0]), r.rows(op.Y), op.Y.Cols
	switch op.Kind {
	case program.MaxPool:
		return r.rowStep(op, 8, func(from, to int, scratch []float32) {
			s.MaxPool4(y, x, from, to, cols, scratch)
		})
	case program.Gather:
		index := r.program.Indexes[op.Index]
		constants := kernel.Float32(r.plain(op.B), cols)
		return r.rowStep(op, 2, func(from, to int, scratch []float32) {
			r.gather(y, x, index, from, to, cols)
			if op.B >= 0 {
				s.Add(y, y, constants, from, to, cols, scratch)
			}
		})
	case program.Activate:
		return r.rowStep(op, 16, func(from, to int, scratch []float32) {
			s.Activate(y, x, from, to, cols, acts[op.Act], scratch)
		})
	case program.Softmax:
		return r.rowStep(op, 16, func(from, to int, scratch []float32) { s.Softmax(y, from, to, cols, scratch) })
	case program.Add:
		z := kernel.Float32(r.plain(op.B), cols)
		if len(op.X) == 2 {
			z = r.rows(op.X[1])
		}
		return r.rowStep(op, 2, func(from, to int, scratch []float32) { s.Add(y, x, z, from, to, cols, scratch) })
	}
	panic("cpu: no step for op " + op.Kind.String())
}

// gather is the kernel's, and row by row where it also converts.
func (r *runner) gather(y, x kernel.Rows, index []int32, from, to, cols int) {
	if (y.F32 == nil) == (x.F32 == nil) {
		r.device.set.Gather(y, x, index, from, to, cols)
		return
	}
	for i := from; i < to; i++ {
		src := x
		if x.F32 != nil {
			src.F32 = x.F32[int(index[i])*x.Stride:]
		} else {
			src.Half = x.Half[int(index[i])*x.Stride:]
		}
		dst := y
		if y.F32 != nil {
			dst.F32 = y.F32[i*y.Stride:]
		} else {
			dst.Half = y.Half[i*y.Stride:]
		}
		r.device.set.Copy(dst, src, 0, 1, cols)
	}
}
