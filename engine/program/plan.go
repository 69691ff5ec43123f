package program

import (
	"fmt"
	"slices"
)

// align is the alignment of every tensor in its arena, in bytes: a cache line, and what GPUs ask for at most
// of storage buffer offsets on the desktop.
const align = 256

// Arena is a run of memory that exists while the ops First to Last run, both included.
type Arena struct {
	Bytes       int64
	First, Last int
}

// Layout is the memory plan of a program: a place for every tensor, known before anything runs.
type Layout struct {
	Arenas []Arena
	// Arena and Offset place each tensor: an index into Arenas and bytes from its start.
	Arena  []int
	Offset []int64
	// Peak is the most bytes that all arenas hold at once.
	Peak int64
}

// lifetime is the span of ops during which a group of tensors that share memory is needed, and the bytes
// from the first of them to the end of the last; before is how many of these lie before the root.
type lifetime struct {
	root          ID
	bytes, before int64
	first, last   int
}

// Plan places every tensor of p by its lifetime: from the op that writes it (inputs: from the start) to the
// last op that reads it (outputs: to the end). Tensors that run in place share memory. Without StageGC there is
// one arena; with it one for each stage's own tensors and one for each tensor that outlives its stage, so
// that a device can release memory between stages. It returns an error for a program that reads a tensor
// nobody wrote.
func Plan(p *Program) (Layout, error) {
	lives, err := lifetimes(p)
	if err != nil {
		return Layout{}, err
	}
	l := Layout{Arena: make([]int, len(p.Tensors)), Offset: make([]int64, len(p.Tensors))}
	homes := [][]lifetime{lives}
	if p.StageGC {
		homes = byStage(p, lives)
	}
	for _, group := range homes {
		if len(group) == 0 {
			continue
		}
		offsets, size := place(group)
		a := Arena{Bytes: size, First: group[0].first, Last: group[0].last}
		for i, v := range group {
			a.First, a.Last = min(a.First, v.first), max(a.Last, v.last)
			l.Arena[v.root], l.Offset[v.root] = len(l.Arenas), offsets[i]+v.before
		}
		l.Arenas = append(l.Arenas, a)
	}
	for i := range p.Tensors {
		root := p.root(ID(i))
		l.Arena[i], l.Offset[i] = l.Arena[root], l.Offset[root]-p.shift(ID(i))
	}
	for at := range len(p.Ops) {
		var sum int64
		for _, a := range l.Arenas {
			if a.First <= at && at <= a.Last {
				sum += a.Bytes
			}
		}
		l.Peak = max(l.Peak, sum)
	}
	return l, nil
}

// root follows aliases to the tensor whose memory id uses.
func (p *Program) root(id ID) ID {
	for p.Tensors[id].Alias != id {
		id = p.Tensors[id].Alias
	}
	return id
}

// shift is how many bytes id begins before the tensor whose memory it uses.
func (p *Program) shift(id ID) int64 {
	var sum int64
	for p.Tensors[id].Alias != id {
		sum += p.Tensors[id].Shift
		id = p.Tensors[id].Alias
	}
	return sum
}

// lifetimes returns the span of every group of tensors that share memory, in order of first use.
func lifetimes(p *Program) ([]lifetime, error) {
	end := len(p.Ops) - 1
	spans := make(map[ID]*lifetime)
	var order []ID
	touch := func(id ID, at int) *lifetime {
		root := p.root(id)
		s := spans[root]
		if s == nil {
			s = &lifetime{root: root, first: at, last: at}
			spans[root] = s
			order = append(order, root)
		}
		// Shifts only ever lead to lower addresses.
		shift := p.shift(id)
		after := max(s.bytes-s.before, p.Tensors[id].Bytes()-shift)
		s.before = max(s.before, shift)
		s.bytes = s.before + after
		s.first, s.last = min(s.first, at), max(s.last, at)
		return s
	}
	written := make([]bool, len(p.Tensors))
	for i, t := range p.Tensors {
		if t.Role == Input {
			touch(ID(i), 0)
			written[i] = true
		}
	}
	for at := range p.Ops {
		op := &p.Ops[at]
		for _, id := range op.reads() {
			if !written[id] {
				return nil, fmt.Errorf("op %d (%s %s) reads %s before anything wrote it", at, op.Kind, op.Name, p.Tensors[id].Name)
			}
			touch(id, at)
		}
		for _, id := range op.writes() {
			touch(id, at)
			written[id] = true
		}
	}
	for i, t := range p.Tensors {
		if t.Role == Output {
			if !written[i] {
				return nil, fmt.Errorf("output %s is never written", t.Name)
			}
			touch(ID(i), end)
		}
	}
	lives := make([]lifetime, len(order))
	for i, root := range order {
		lives[i] = *spans[root]
	}
	return lives, nil
}

// reads lists the tensors that the op reads.
func (o *Op) reads() []ID {
	var ids []ID
	for _, v := range o.X {
		ids = append(ids, v.Tensor)
	}
	if o.Residual.Tensor != None {
		ids = append(ids, o.Residual.Tensor)
	}
	if o.Pre != nil {
		ids = append(ids, o.Pre.Stats)
	}
	if o.Accumulate {
		ids = append(ids, o.Y.Tensor)
	}
	return ids
}

// writes lists the tensors that the op writes.
func (o *Op) writes() []ID {
	ids := []ID{o.Y.Tensor}
	if o.Stats != None {
		ids = append(ids, o.Stats)
	}
	return ids
}

// byStage splits lifetimes into groups that share an arena: one group a stage for tensors that live and die
// in it, and one group each for those that cross into another stage.
func byStage(p *Program, lives []lifetime) [][]lifetime {
	own := make([][]lifetime, Stages)
	var crossing [][]lifetime
	for _, v := range lives {
		if s := p.Ops[v.first].Stage; s == p.Ops[v.last].Stage {
			own[s] = append(own[s], v)
		} else {
			crossing = append(crossing, []lifetime{v})
		}
	}
	return append(own, crossing...)
}

// place gives each lifetime an offset such that no two that live at the same time overlap, and returns the
// size of the arena. It tries the largest first and the longest-lived first, and keeps the smaller result;
// both are the greedy lowest-fit by an order (Pisarchyk and Lee, "Efficient Memory Management for Deep Neural
// Net Inference", 2020).
func place(lives []lifetime) ([]int64, int64) {
	orders := []func(a, b int) int{
		func(a, b int) int { return int(lives[b].bytes - lives[a].bytes) },
		func(a, b int) int {
			return (lives[b].last - lives[b].first) - (lives[a].last - lives[a].first)
		},
		func(a, b int) int { return lives[a].first - lives[b].first },
	}
	var best []int64
	size := int64(-1)
	for _, order := range orders {
		indexes := make([]int, len(lives))
		for i := range indexes {
			indexes[i] = i
		}
		slices.SortStableFunc(indexes, order)
		if offsets, n := lowestFit(lives, indexes); size < 0 || n < size {
			best, size = offsets, n
		}
	}
	return best, size
}

// lowestFit places lifetimes in the given order, each at the lowest offset free during its whole span.
func lowestFit(lives []lifetime, order []int) ([]int64, int64) {
	offsets := make([]int64, len(lives))
	var placed []int // by offset
	var size int64
	for _, i := range order {
		v := lives[i]
		var at int64
		for _, j := range placed {
			o := lives[j]
			if o.last < v.first || v.last < o.first {
				continue
			}
			if offsets[j]-at >= v.bytes {
				break
			}
			at = max(at, roundUp(offsets[j]+o.bytes))
		}
		offsets[i] = at
		size = max(size, at+v.bytes)
		k, _ := slices.BinarySearchFunc(placed, at, func(j int, at int64) int {
			switch {
			case offsets[j] < at:
				return -1
			case offsets[j] > at:
				return 1
			}
			return 0
		})
		placed = slices.Insert(placed, k, i)
	}
	return offsets, roundUp(size)
}

func roundUp(n int64) int64 { return (n + align - 1) / align * align }
