package program

import "slices"

// Fuse folds ops into their neighbours where that changes nothing but the number of passes over memory:
// activations and sums into the epilogue of a gemm, a convolution or a group normalisation, GroupNorm
// statistics into the convolution that makes the map, a normalisation with its ReLU into the reading of the
// convolution after it, a constant into the gather before it. A result that
// anything else reads, and outputs, are left alone.
func Fuse(p *Program) {
	for fuseOnce(p) {
	}
}

// fuseOnce fuses the first pair that can be, and reports whether there was one.
func fuseOnce(p *Program) bool {
	readers := make(map[ID]int)
	writer := make(map[ID]int)
	for i := range p.Ops {
		for _, id := range p.Ops[i].reads() {
			readers[id]++
		}
		writer[p.Ops[i].Y.Tensor] = i
	}
	for i := range p.Ops {
		op := &p.Ops[i]
		for x := range op.X {
			id := op.X[x].Tensor
			j, ok := writer[id]
			if !ok || j >= i || op.X[x] != p.All(id) || p.Ops[j].Y != p.All(id) {
				continue
			}
			if op.Kind == GroupNormStats {
				if p.Ops[j].Kind == Conv2D && p.Ops[j].Stats == None && p.Ops[j].Act == Identity {
					p.Ops[j].Stats, p.Ops[j].Groups, p.Ops[j].Eps = op.Y.Tensor, op.Groups, op.Eps
					p.Ops = slices.Delete(p.Ops, i, i+1)
					return true
				}
				continue
			}
			if readers[id] != 1 || p.Tensors[id].Role != Temp {
				continue
			}
			if merged, ok := merge(p.Ops[j], *op, x); ok {
				p.Ops[i] = merged
				p.Ops = slices.Delete(p.Ops, j, j+1)
				return true
			}
		}
	}
	return false
}

// merge returns the op that does what a and then b does, where b reads a's result as its operand x. The
// merged op stands where b stood, so that everything b reads is there.
func merge(a, b Op, x int) (Op, bool) {
	if a.Stats != None || a.Accumulate {
		return Op{}, false
	}
	switch {
	case b.Kind == Conv2D && b.Pre == nil && a.Kind == GroupNormApply && a.Act == ReLU && a.Residual.Tensor == None:
		b.X = a.X[:1]
		b.Pre = &GroupNorm{Stats: a.X[1].Tensor, W: a.W, B: a.B, Groups: a.Groups}
		return b, true
	case b.Kind == Activate && a.Act == Identity && canActivate(a):
		a.Act = b.Act
	case b.Kind == Add && len(b.X) == 2 && a.Residual.Tensor == None && canAdd(a):
		a.Residual = b.X[1-x]
	case b.Kind == Add && b.B >= 0 && a.Kind == Gather && a.B < 0:
		a.B = b.B
	default:
		return Op{}, false
	}
	a.Y = b.Y
	return a, true
}

// canActivate reports whether an activation can follow in a's epilogue. A gemm adds its residual after the
// activation, so one that has a residual cannot take an activation any more.
func canActivate(a Op) bool {
	switch a.Kind {
	case Gemm, Conv2D:
		return a.Residual.Tensor == None
	case GroupNormApply:
		return true
	}
	return false
}

// canAdd reports whether a sum can follow in a's epilogue. A group normalisation adds its residual before
// the activation, so one that has an activation cannot take a sum any more.
func canAdd(a Op) bool {
	switch a.Kind {
	case Gemm:
		return true
	case GroupNormApply:
		return a.Act == Identity
	}
	return false
}

// InPlace lets ops write over an operand that nothing reads afterwards, so that one place in memory serves
// both. Element-wise ops and group normalisation write over what they read, a gemm over its residual, a
// convolution that keeps the map's shape over its map (Op.Wave) where that makes the program's memory smaller.
func InPlace(p *Program) {
	slid := *p
	slid.Tensors, slid.Ops = slices.Clone(p.Tensors), slices.Clone(p.Ops)
	inPlace(p, false)
	inPlace(&slid, true)
	before, err := Plan(p)
	after, slidErr := Plan(&slid)
	if err == nil && slidErr == nil && after.Peak < before.Peak {
		p.Tensors, p.Ops = slid.Tensors, slid.Ops
	}
}

func inPlace(p *Program, slides bool) {
	last := make(map[ID]int)
	for i := range p.Ops {
		for _, id := range p.Ops[i].reads() {
			last[p.root(id)] = i
		}
		for _, id := range p.Ops[i].writes() {
			last[p.root(id)] = max(last[p.root(id)], i)
		}
	}
	for i := range p.Ops {
		op := &p.Ops[i]
		for _, v := range overwritable(op) {
			root := p.root(v.Tensor)
			from, to := &p.Tensors[v.Tensor], &p.Tensors[op.Y.Tensor]
			if to.Alias != op.Y.Tensor || root == p.root(op.Y.Tensor) || to.Role == Input || p.kept(root) ||
				last[root] != i || readsTwice(p, op, root) || v != p.All(v.Tensor) || op.Y != p.All(op.Y.Tensor) ||
				from.Rows != to.Rows || from.Cols != to.Cols || from.DType != to.DType {
				continue
			}
			if op.Kind == Conv2D {
				// One shift a group: more would add up to another map.
				wave, shift := slide(op, *to)
				if !slides || wave == 0 || p.shift(v.Tensor) != 0 {
					continue
				}
				op.Wave, to.Shift = wave, shift
			}
			to.Alias = v.Tensor
			last[root] = max(last[root], last[op.Y.Tensor])
			break
		}
	}
}

// waveRows is how many rows a convolution in place works on at a time: enough to occupy a GPU at 512 pixels a
// row, and a small part of a large map.
const waveRows = 128

// slide returns the wave and the shift with which a convolution can write over the map that it reads, or 0
// where it cannot or where the map is so low that little would be gained.
func slide(o *Op, y Tensor) (wave int, shift int64) {
	c := o.Conv
	if c.Stride != 1 || c.Kernel != 3 || c.Pad != c.Dilation || y.H < 2*(waveRows+c.Dilation) {
		return 0, 0
	}
	return waveRows, roundUp(int64(waveRows+c.Dilation) * int64(y.W*y.Cols) * y.DType.Size())
}

// readsTwice reports whether a gemm multiplies by what it also adds: rows would change while still needed.
func readsTwice(p *Program, op *Op, root ID) bool {
	return op.Kind == Gemm && p.root(op.X[0].Tensor) == root
}

// kept reports whether any tensor in root's memory is one that the caller fills or reads.
func (p *Program) kept(root ID) bool {
	for i, t := range p.Tensors {
		if t.Role != Temp && p.root(ID(i)) == root {
			return true
		}
	}
	return false
}

// overwritable lists the operands that the op may write over, best first.
func overwritable(o *Op) []View {
	switch o.Kind {
	case Activate, GroupNormApply, Conv2D:
		return o.X[:1]
	case Add:
		return o.X
	case Gemm:
		if o.Residual.Tensor != None {
			return []View{o.Residual}
		}
	}
	return nil
}
