package program

// Work returns the operations of a program's convolutions, matrix products and attention, a multiply-add counted
// as two. Everything else moves memory.
func Work(p *Program) float64 {
	var sum float64
	for i := range p.Ops {
		op := &p.Ops[i]
		y := p.Tensors[op.Y.Tensor]
		out := 2 * float64(y.Rows) * float64(op.Y.Cols)
		a := op.Attention
		switch op.Kind {
		case Conv2D:
			sum += out * float64(op.Conv.Kernel*op.Conv.Kernel*op.X[0].Cols)
		case Gemm:
			sum += out * float64(op.X[0].Cols)
		case Attention:
			sum += 2 * out * float64(a.Keys)
		case Scores:
			sum += out * float64(a.HeadDim)
		case Product:
			sum += out * float64(a.Keys)
		}
	}
	return sum
}
