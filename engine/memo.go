package engine

import (
	"hash/maphash"
	"unsafe"
)

// memo keeps what the network made of tiles, by what it saw, so that the next key of a plate need not run those again
// that are to be the same: of a hint that was painted on, the tiles elsewhere; of another overlap, the tiles that stay
// where they are; of refine "frame" after refine "tile", all.
type memo struct {
	seed  maphash.Seed
	of    runnerKey // what the tiles were made by; its part is left out
	tiles map[uint64]*memoTile
	bytes int64
}

// memoTile is what the network made of a tile, by output name.
type memoTile struct {
	values map[string][]float32
	// used says that the key that is being made has the tile, fresh that it is of that key's own making.
	used, fresh bool
}

// begin prepares for a key that is made by other weights, settings or sizes than before, or by the same, and that leaves
// limit bytes for tiles.
func (m *memo) begin(of runnerKey, limit int64) {
	of.part = 0
	if m.tiles == nil || m.of != of {
		*m = memo{seed: maphash.MakeSeed(), of: of, tiles: map[uint64]*memoTile{}}
	}
	m.settle()
	for name := range m.tiles {
		if m.bytes <= limit {
			return
		}
		m.forget(name)
	}
}

// settle makes all tiles those of a key before.
func (m *memo) settle() {
	for _, t := range m.tiles {
		t.used, t.fresh = false, false
	}
}

// fits reports whether a key is made by what the tiles were made by.
func (m *memo) fits(of runnerKey) bool {
	of.part = 0
	return m.tiles != nil && m.of == of
}

// clear forgets everything.
func (m *memo) clear() { *m = memo{} }

// sum is the name of a tile: a hash of the samples that the network sees.
func (m *memo) sum(inputs map[string][]float32) uint64 {
	var h maphash.Hash
	h.SetSeed(m.seed)
	for _, name := range []string{"plate", "hint", "input"} {
		if pix := inputs[name]; len(pix) > 0 {
			_, _ = h.Write(unsafe.Slice((*byte)(unsafe.Pointer(&pix[0])), 4*len(pix))) // it never fails
		}
	}
	return h.Sum64()
}

// recall copies a tile's outputs, and reports whether all of them are known.
func (m *memo) recall(name uint64, outputs map[string][]float32) bool {
	t := m.tiles[name]
	if t == nil || t.fresh {
		return false // of two tiles alike in one key both run: what is recalled was there before
	}
	for output := range outputs {
		if t.values[output] == nil {
			return false
		}
	}
	t.used = true
	for output, values := range outputs {
		copy(values, t.values[output])
	}
	return true
}

// keep copies a tile's outputs where that fits into limit bytes; tiles that the key before had go for it.
func (m *memo) keep(name uint64, outputs map[string][]float32, limit int64) {
	m.forget(name)
	var need int64
	for _, values := range outputs {
		need += 4 * int64(len(values))
	}
	if m.bytes+need > limit {
		m.prune()
	}
	if m.bytes+need > limit {
		return
	}
	t := &memoTile{values: map[string][]float32{}, used: true, fresh: true}
	for output, values := range outputs {
		t.values[output] = append([]float32(nil), values...)
	}
	m.tiles[name] = t
	m.bytes += need
}

// prune forgets the tiles that the key that is being made has not had.
func (m *memo) prune() {
	for name, t := range m.tiles {
		if !t.used {
			m.forget(name)
		}
	}
}

func (m *memo) forget(name uint64) {
	t := m.tiles[name]
	if t == nil {
		return
	}
	for _, values := range t.values {
		m.bytes -= 4 * int64(len(values))
	}
	delete(m.tiles, name)
}
