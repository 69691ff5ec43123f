package gpu

import (
	"errors"
	"fmt"

	"greenroom/engine/device"
	"greenroom/engine/device/kernels"
	"greenroom/engine/program"
)

// lowered is an op as kernel calls.
type lowered struct {
	calls   []kernels.Call
	weights []weightUse
	scratch int64 // bytes that the calls need beside their operands
}

// weightUse is a weight that an op reads: in which role, which of the program's, and in which form.
type weightUse struct {
	role   kernels.Role
	weight int
	form   form
}

// lower turns every op of a program into calls within limits.
func lower(p *program.Program, l kernels.Limits) ([]lowered, error) {
	ops := make([]lowered, len(p.Ops))
	for i := range p.Ops {
		var err error
		if ops[i], err = lowerOp(p, &p.Ops[i], l); err != nil {
			if errors.Is(err, kernels.ErrTooLarge) {
				err = fmt.Errorf("%w: %w", device.ErrOutOfMemory, err)
			}
			return nil, fmt.Errorf("prepare %s: %w", p.Ops[i].Name, err)
		}
	}
	return ops, nil
}

// scratchBytes returns the most scratch memory that any op needs.
func scratchBytes(ops []lowered) int64 {
	var most int64
	for i := range ops {
		most = max(most, ops[i].scratch)
	}
	return most
}

// caller is a kernel's description of an op.
type caller interface {
	Calls(kernels.Limits) ([]kernels.Call, error)
}

func lowerOp(p *program.Program, op *program.Op, l kernels.Limits) (lowered, error) {
	c, err := describe(p, op)
	if err != nil {
		return lowered{}, err
	}
	low := lowered{weights: weightsOf(p, op)}
	if s, ok := c.(interface{ Scratch() int64 }); ok {
		low.scratch = roundUp(s.Scratch())
	}
	low.calls, err = c.Calls(l)
	return low, err
}

// describe says what an op computes in the terms of the kernels.
func describe(p *program.Program, op *program.Op) (caller, error) {
	x := make([]kernels.Operand, len(op.X))
	for i, v := range op.X {
		x[i] = kernels.OperandOf(p, v)
	}
	y := kernels.OperandOf(p, op.Y)
	in, out := p.Tensors[op.X[0].Tensor], p.Tensors[op.Y.Tensor]
	switch op.Kind {
	case program.Pack:
		k := kernels.Pack{Plate: x[0], Y: y, Normalisation: op.Pack}
		if len(x) > 1 {
			k.Hint = x[1]
		}
		return k, nil
	case program.Conv2D:
		c := kernels.Conv{
			X: x[0], Y: y, H: in.H, W: in.W, OutH: out.H, OutW: out.W, Shape: op.Conv, Weight: op.Storage,
			Bias: op.B >= 0, Act: op.Act, Wave: op.Wave,
		}
		if op.Pre != nil {
			c.PreGroups = op.Pre.Groups
		}
		if op.Stats != program.None {
			c.Groups, c.Eps = op.Groups, op.Eps
		}
		return c, nil
	case program.Gemm:
		return kernels.Gemm{
			X: x[0], Y: y, Residual: kernels.OperandOf(p, op.Residual), Weight: op.Storage, Bias: op.B >= 0, Act: op.Act,
		}, nil
	case program.LayerNorm:
		return kernels.LayerNorm{X: x[0], Y: y, Eps: op.Eps}, nil
	case program.GroupNormStats:
		return kernels.GroupStatistics{X: x[0], Groups: op.Groups, Eps: op.Eps}, nil
	case program.GroupNormApply:
		return kernels.GroupNorm{
			X: x[0], Y: y, Residual: kernels.OperandOf(p, op.Residual), Groups: op.Groups, Act: op.Act,
		}, nil
	case program.Attention:
		return kernels.Attention{Q: x[0], K: x[1], V: x[2], Y: y, Shape: op.Attention}, nil
	case program.Scores:
		return kernels.Scores{Q: x[0], K: x[1], Y: y, Shape: op.Attention}, nil
	case program.Softmax:
		return kernels.Softmax{Y: y}, nil
	case program.Product:
		return kernels.Product{S: x[0], V: x[1], Y: y, Shape: op.Attention}, nil
	case program.MaxPool:
		return kernels.MaxPool{X: x[0], Y: y}, nil
	case program.Gather:
		// With a second operand its constants lie among the tensors (lend.go).
		return kernels.Gather{X: x[0], Y: y, Constants: op.B >= 0 || len(x) > 1}, checkIndex(p.Indexes[op.Index], x[0].Rows, y.Rows)
	case program.Resize:
		return kernels.Resize{X: x[0], Y: y, H: in.H, W: in.W, OutH: out.H, OutW: out.W, Accumulate: op.Accumulate}, nil
	case program.Activate:
		return kernels.Activate{X: x[0], Y: y, Act: op.Act}, nil
	case program.Add:
		a := kernels.Add{X: x[0], Y: y, Constants: len(x) == 1}
		if len(x) > 1 {
			a.Z = x[1]
		}
		return a, nil
	case program.Concat:
		return kernels.Concat{X: x, Y: y}, nil
	}
	return nil, fmt.Errorf("no kernel computes %s", op.Kind)
}

// checkIndex reports a row number outside what is read: a GPU would read past its memory.
func checkIndex(rows []int32, of, wanted int) error {
	if len(rows) != wanted {
		return fmt.Errorf("%d row numbers for %d rows", len(rows), wanted)
	}
	for _, r := range rows {
		if r < 0 || int(r) >= of {
			return fmt.Errorf("row %d of %d", r, of)
		}
	}
	return nil
}

// weightsOf lists the weights of an op.
func weightsOf(p *program.Program, op *program.Op) []weightUse {
	var uses []weightUse
	if op.W >= 0 {
		f := form{}
		if op.Kind == program.Gemm || op.Kind == program.Conv2D {
			n := p.Weights[op.W].Shape[0]
			f = form{packed: true, n: n, k: p.Weights[op.W].Len() / n, storage: op.Storage}
		}
		uses = append(uses, weightUse{kernels.Weight, op.W, f})
	}
	if op.B >= 0 {
		uses = append(uses, weightUse{kernels.Bias, op.B, form{}})
	}
	if op.Pre != nil {
		uses = append(uses, weightUse{kernels.PreWeight, op.Pre.W, form{}}, weightUse{kernels.PreBias, op.Pre.B, form{}})
	}
	return uses
}

// steps returns the steps of ops from to to in the memory that is there now.
func (r *runner) steps(from, to int) []Step {
	var steps []Step
	for i := from; i < to; i++ {
		op := &r.program.Ops[i]
		for j := range r.ops[i].calls {
			call := &r.ops[i].calls[j]
			s := Step{Call: *call, Stage: op.Stage, Beside: j > 0 && !call.Wait}
			for _, b := range call.Bindings {
				at := r.operand(i, b.Role)
				s.Bindings = append(s.Bindings, Binding{Buffer: at.Buffer, Offset: at.Offset + b.Offset, Bytes: b.Bytes})
			}
			steps = append(steps, s)
		}
	}
	return steps
}

// operand returns where the operand of an op in a role begins.
func (r *runner) operand(at int, role kernels.Role) Binding {
	op := &r.program.Ops[at]
	tensor := func(id program.ID) Binding {
		b, offset := r.arenas.place(id)
		return Binding{Buffer: b, Offset: offset}
	}
	switch role {
	case kernels.Y:
		return tensor(op.Y.Tensor)
	case kernels.Residual:
		return tensor(op.Residual.Tensor)
	case kernels.Statistics:
		return tensor(op.Stats)
	case kernels.PreStatistics:
		return tensor(op.Pre.Stats)
	case kernels.Index:
		return r.index[op.Index]
	case kernels.Scratch:
		return Binding{Buffer: r.scratch}
	case kernels.Weight, kernels.Bias, kernels.PreWeight, kernels.PreBias:
		if role == kernels.Bias && op.B < 0 {
			return tensor(op.X[1].Tensor)
		}
		for _, u := range r.ops[at].weights {
			if u.role == role {
				return r.device.weights.binding(r.program, u)
			}
		}
		panic("gpu: a kernel asks for a weight that its op does not have")
	}
	return tensor(op.X[role-kernels.X].Tensor)
}
