package gpu

import (
	"fmt"
	"slices"

	"greenroom/engine/device"
	"greenroom/engine/program"
)

// arenas is the memory of a program's tensors while it runs: the arenas of its layout, each in one buffer, or in
// several where no buffer may be as large.
type arenas struct {
	host   Host
	layout program.Layout
	pieces [][]piece // of each arena, by offset
	now    int64
	peak   int64
}

// piece is a part of an arena that no tensor crosses the bounds of.
type piece struct {
	from, bytes int64
	buffer      Buffer
}

// newArenas divides the layout's arenas into buffers of at most limit bytes.
func newArenas(h Host, p *program.Program, l program.Layout, limit int64) (arenas, error) {
	a := arenas{host: h, layout: l, pieces: make([][]piece, len(l.Arenas))}
	for i, arena := range l.Arenas {
		if limit <= 0 || arena.Bytes <= limit {
			a.pieces[i] = []piece{{bytes: arena.Bytes}}
			continue
		}
		var err error
		if a.pieces[i], err = divide(p, l, i, limit); err != nil {
			return a, err
		}
	}
	return a, nil
}

// divide cuts an arena where no tensor crosses, into as few pieces within limit as there can be.
func divide(p *program.Program, l program.Layout, arena int, limit int64) ([]piece, error) {
	type extent struct{ from, to int64 }
	var extents []extent
	for i, t := range p.Tensors {
		if l.Arena[i] == arena {
			extents = append(extents, extent{l.Offset[i], roundUp(l.Offset[i] + t.Bytes())})
		}
	}
	slices.SortFunc(extents, func(a, b extent) int { return int((a.from - b.from) / align) })
	var pieces []piece
	end := int64(0) // of the run of tensors that touch each other, which starts at from
	from := int64(0)
	cut := func(to int64) error {
		if to-from > limit {
			return fmt.Errorf("%d MB of tensors belong together and a buffer holds %d: %w", (to-from)>>20, limit>>20, device.ErrOutOfMemory)
		}
		if n := len(pieces); n > 0 && pieces[n-1].bytes+to-from <= limit {
			pieces[n-1].bytes += to - from
		} else if to > from {
			pieces = append(pieces, piece{from: from, bytes: to - from})
		}
		from = to
		return nil
	}
	for _, e := range extents {
		if e.from >= end {
			if err := cut(e.from); err != nil {
				return nil, err
			}
		}
		end = max(end, e.to)
	}
	return pieces, cut(l.Arenas[arena].Bytes)
}

// place returns where a tensor lies. Its arena is there.
func (a *arenas) place(id program.ID) (Buffer, int64) {
	offset := a.layout.Offset[id]
	for _, p := range a.pieces[a.layout.Arena[id]] {
		if offset < p.from+p.bytes {
			return p.buffer, offset - p.from
		}
	}
	panic("gpu: a tensor outside its arena")
}

// enter makes the memory of the op at that place in the program ready and frees what no later op needs. It
// reports whether anything changed.
func (a *arenas) enter(at int) (changed bool, err error) {
	for i, arena := range a.layout.Arenas {
		if at > arena.Last {
			changed = a.release(i) || changed
		}
	}
	for i, arena := range a.layout.Arenas {
		if arena.First <= at && at <= arena.Last && a.pieces[i][0].buffer == nil {
			changed = true
			if err := a.take(i); err != nil {
				return true, err
			}
		}
	}
	return changed, nil
}

// take allocates an arena.
func (a *arenas) take(i int) error {
	for j := range a.pieces[i] {
		p := &a.pieces[i][j]
		b, err := a.host.Allocate(p.bytes)
		if err != nil {
			return fmt.Errorf("take memory for tensors: %w", err)
		}
		p.buffer = b
		a.now += p.bytes
		a.peak = max(a.peak, a.now)
	}
	return nil
}

// release frees an arena and reports whether it was there.
func (a *arenas) release(i int) (was bool) {
	for j := range a.pieces[i] {
		if p := &a.pieces[i][j]; p.buffer != nil {
			a.host.Free(p.buffer)
			p.buffer = nil
			a.now -= p.bytes
			was = true
		}
	}
	return was
}

// releaseAll frees everything.
func (a *arenas) releaseAll() {
	for i := range a.pieces {
		a.release(i)
	}
}

// changes lists the ops before which the memory changes: the first op, and with arenas by stage those where an
// arena begins or ends.
func changes(l program.Layout) []int {
	at := []int{0}
	for _, a := range l.Arenas {
		at = append(at, a.First, a.Last+1)
	}
	slices.Sort(at)
	return slices.Compact(at)
}
