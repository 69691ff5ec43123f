package picture

import (
	"iter"
)

// blockEdge is the edge in pixels of the blocks in which flat parts of a matte are passed over.
const blockEdge = 16

// blocks holds the least and the greatest value of each block of a one-channel image.
type blocks struct {
	columns, rows int
	low, high     []float32
}

func newBlocks(m Image) blocks {
	b := blocks{columns: (m.W + blockEdge - 1) / blockEdge, rows: (m.H + blockEdge - 1) / blockEdge}
	b.low, b.high = make([]float32, b.columns*b.rows), make([]float32, b.columns*b.rows)
	ParallelRows(b.rows, func(r0, r1 int) {
		for r := r0; r < r1; r++ {
			low, high := b.low[r*b.columns:(r+1)*b.columns], b.high[r*b.columns:(r+1)*b.columns]
			for y := r * blockEdge; y < min((r+1)*blockEdge, m.H); y++ {
				row := m.Row(y)
				for c := range low {
					part := row[c*blockEdge : min((c+1)*blockEdge, m.W)]
					l, h := part[0], part[0]
					for _, v := range part {
						l, h = min(l, v), max(h, v)
					}
					if y == r*blockEdge {
						low[c], high[c] = l, h
					} else {
						low[c], high[c] = min(low[c], l), max(high[c], h)
					}
				}
			}
		}
	})
	return b
}

// around returns the least and the greatest value of the blocks that a pixel of block (column, row) sees
// within reach pixels.
func (b blocks) around(column, row, reach int) (low, high float32) {
	n := (reach + blockEdge - 1) / blockEdge
	low, high = b.low[row*b.columns+column], b.high[row*b.columns+column]
	for r := max(row-n, 0); r <= min(row+n, b.rows-1); r++ {
		for c := max(column-n, 0); c <= min(column+n, b.columns-1); c++ {
			low, high = min(low, b.low[r*b.columns+c]), max(high, b.high[r*b.columns+c])
		}
	}
	return low, high
}

// runs yields the runs of columns that are not flat: the first column of each and the one after its last.
func (b blocks) runs(flat func(column int) bool) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for c := 0; c < b.columns; c++ {
			if flat(c) {
				continue
			}
			first := c
			for c < b.columns && !flat(c) {
				c++
			}
			if !yield(first, c) {
				return
			}
		}
	}
}
