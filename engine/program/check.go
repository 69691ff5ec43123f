package program

import "fmt"

// Check reports the first op whose operands do not fit together: a view outside its tensor, a shape that the
// op's kind does not allow, two half-width types in one op, a weight or index that is not there. Builders call it in their tests; devices
// rely on it.
func Check(p *Program) error {
	for i := range p.Ops {
		op := &p.Ops[i]
		if err := p.check(op); err != nil {
			return fmt.Errorf("op %d, %s %s: %w", i, op.Kind, op.Name, err)
		}
	}
	return nil
}

func (p *Program) check(op *Op) error {
	views := append([]View{op.Y}, op.X...)
	if op.Residual.Tensor != None {
		views = append(views, op.Residual)
	}
	for _, v := range views {
		if v.Tensor < 0 || int(v.Tensor) >= len(p.Tensors) {
			return fmt.Errorf("no tensor %d", v.Tensor)
		}
		if v.Col < 0 || v.Cols <= 0 || v.Col+v.Cols > p.Tensors[v.Tensor].Cols {
			return fmt.Errorf("columns %d+%d of %s, which has %d", v.Col, v.Cols, p.Tensors[v.Tensor].Name, p.Tensors[v.Tensor].Cols)
		}
	}
	half := op.Storage
	for _, v := range views {
		d := p.Tensors[v.Tensor].DType
		if d.Half() && half.Half() && d != half {
			return fmt.Errorf("%s is %s beside %s", p.Tensors[v.Tensor].Name, d, half)
		}
		half = max(half, d) // of a half-width type and float32, the former
	}
	for _, w := range []int{op.W, op.B} {
		if w >= len(p.Weights) {
			return fmt.Errorf("no weight %d", w)
		}
	}
	if op.Index >= len(p.Indexes) {
		return fmt.Errorf("no index %d", op.Index)
	}
	want, err := p.operands(op)
	if err != nil {
		return err
	}
	for _, w := range want {
		if w.got != w.want {
			return fmt.Errorf("%s is %d, not %d", w.what, w.got, w.want)
		}
	}
	return nil
}

// fact is one number that must agree with another.
type fact struct {
	what      string
	got, want int
}

// operands lists what must hold among the op's operands.
func (p *Program) operands(op *Op) ([]fact, error) {
	if len(op.X) == 0 {
		return nil, fmt.Errorf("nothing to read")
	}
	y, x := p.Tensors[op.Y.Tensor], p.Tensors[op.X[0].Tensor]
	rows := fact{"rows written", y.Rows, x.Rows}
	cols := fact{"columns written", op.Y.Cols, op.X[0].Cols}
	weight := func(i int) int {
		if i < 0 {
			return 0
		}
		return p.Weights[i].Len()
	}
	var f []fact
	switch op.Kind {
	case Pack:
		f = []fact{rows, {"colour channels", op.X[0].Cols, 3}, {"channels written", op.Y.Cols, 2 + len(op.X)}}
	case Conv2D:
		c := op.Conv
		reach := c.Dilation*(c.Kernel-1) + 1
		f = []fact{
			{"height", y.H, (x.H+2*c.Pad-reach)/c.Stride + 1},
			{"width", y.W, (x.W+2*c.Pad-reach)/c.Stride + 1},
			{"weights", weight(op.W), op.Y.Cols * c.Kernel * c.Kernel * op.X[0].Cols},
			{"biases", weight(op.B), op.Y.Cols},
		}
		if op.Wave > 0 {
			room := y.Shift / max(1, int64(y.W*y.Cols)*y.DType.Size())
			f = append(f, fact{"tensor written over", int(y.Alias), int(op.X[0].Tensor)},
				fact{"rows of room short", max(0, op.Wave+c.Dilation-int(room)), 0})
		}
	case Gemm:
		f = []fact{rows, {"weights", weight(op.W), op.Y.Cols * op.X[0].Cols}}
		if op.B >= 0 {
			f = append(f, fact{"biases", weight(op.B), op.Y.Cols})
		}
	case LayerNorm:
		f = []fact{rows, cols, {"gammas", weight(op.W), op.Y.Cols}, {"betas", weight(op.B), op.Y.Cols}}
	case GroupNormStats:
		f = []fact{{"groups", y.Rows, op.Groups}, {"statistics", y.Cols, 2}, {"columns over groups", op.X[0].Cols % op.Groups, 0}}
	case GroupNormApply:
		f = []fact{
			rows, cols,
			{"gammas", weight(op.W), op.Y.Cols},
			{"betas", weight(op.B), op.Y.Cols},
			{"operands", len(op.X), 2},
			{"groups", p.Tensors[op.X[1].Tensor].Rows, op.Groups},
		}
	case Attention:
		a := op.Attention
		k := p.Tensors[op.X[1].Tensor]
		f = []fact{
			{"query rows", x.Rows, a.Windows * a.Queries},
			{"key rows", k.Rows, a.Windows * a.Keys},
			{"head columns", op.X[0].Cols, a.Heads * a.HeadDim},
			rows, cols,
		}
	case Scores, Product:
		f = []fact{{"operands", len(op.X), 2}}
	case MaxPool:
		f = []fact{cols, {"rows read", x.Rows, 4 * y.Rows}}
	case Gather:
		f = []fact{cols, {"indexes", len(p.Indexes[op.Index]), y.Rows}}
		if op.B >= 0 {
			f = append(f, fact{"constants", weight(op.B), y.Rows * op.Y.Cols})
		}
	case Softmax:
		f = []fact{{"tensor written", int(op.Y.Tensor), int(op.X[0].Tensor)}}
	case Resize, Activate:
		f = []fact{cols}
		if op.Kind != Resize {
			f = append(f, rows)
		}
	case Add:
		f = []fact{rows, cols}
		if len(op.X) == 1 {
			f = append(f, fact{"constants", weight(op.B), y.Rows * op.Y.Cols})
		}
	case Concat:
		n := 0
		for _, v := range op.X {
			n += v.Cols
		}
		f = []fact{rows, {"columns written", op.Y.Cols, n}}
	default:
		return nil, fmt.Errorf("unknown op")
	}
	if g := op.Pre; g != nil {
		f = append(f, fact{"groups read", p.Tensors[g.Stats].Rows, g.Groups},
			fact{"gammas", weight(g.W), op.X[0].Cols}, fact{"betas", weight(g.B), op.X[0].Cols})
	}
	if op.Stats != None {
		f = append(f, fact{"statistics groups", p.Tensors[op.Stats].Rows, op.Groups})
	}
	return f, nil
}
