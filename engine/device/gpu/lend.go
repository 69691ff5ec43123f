package gpu

import (
	"fmt"
	"slices"

	"greenroom/engine/program"
)

// lentWeight is the size from which a weight that is added once is no guest of the GPU for good: it is uploaded anew in
// every run, to a place among the tensors that is free at that time. That is the position grid of a large frame: 117 MB
// at 2048 x 2048 in the published network, copied in a few hundredths of the time that such a frame takes.
const lentWeight = 64 << 20

// lent is a weight that lies among a program's tensors, and is uploaded in every run.
type lent struct {
	tensor program.ID
	weight program.Weight
	values []float32
}

// lend returns the program with large constants of sums as inputs, and these, where that takes no more memory for tensors;
// otherwise the program as it is. Every op that takes one reads it as its second operand.
func lend(p *program.Program, from int64) (*program.Program, []lent, error) {
	before, err := program.Plan(p)
	if err != nil {
		return nil, nil, fmt.Errorf("plan memory: %w", err)
	}
	users := make(map[int]int)
	for i := range p.Ops {
		users[p.Ops[i].B]++
	}
	q := *p
	q.Tensors, q.Ops = slices.Clone(p.Tensors), slices.Clone(p.Ops)
	var all []lent
	for i := range q.Ops {
		op := &q.Ops[i]
		sum := op.Kind == program.Gather || op.Kind == program.Add && len(op.X) == 1
		if !sum || op.B < 0 || users[op.B] != 1 || 4*int64(p.Weights[op.B].Len()) < from {
			continue
		}
		t := p.Tensors[op.Y.Tensor]
		id := program.ID(len(q.Tensors))
		w := p.Weights[op.B]
		q.Tensors = append(q.Tensors, program.Tensor{
			Name: "weight " + w.Key, Rows: t.Rows, Cols: op.Y.Cols, DType: program.F32, Role: program.Input, Alias: id,
		})
		op.X, op.B = append(slices.Clone(op.X), q.All(id)), -1
		all = append(all, lent{tensor: id, weight: w})
	}
	if len(all) == 0 {
		return p, nil, nil
	}
	if after, err := program.Plan(&q); err != nil || after.Peak > before.Peak {
		return p, nil, nil
	}
	return &q, all, nil
}

// read reads the values, once.
func (l *lent) read() error {
	l.values = make([]float32, l.weight.Len())
	if err := l.weight.Read(l.values); err != nil {
		return fmt.Errorf("read weight %s: %w", l.weight.Key, err)
	}
	return nil
}
