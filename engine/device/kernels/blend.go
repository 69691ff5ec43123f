package kernels

import "fmt"

// Blend adds a tile to a frame: Y [H, W, C] at (Left, Top) += weight * X [TileH, TileW, C], where the weight of a pixel is
// its column's times its row's. What lies outside the frame is left out. Roles: X, Weight (of the tile's columns,
// [TileW]), Bias (of its rows, [TileH]), Y.
type Blend struct {
	X, Y         Operand
	TileH, TileW int
	H, W         int
	Left, Top    int
	// Sum says that Y's column after the tile's takes the sum of weights, for Divide: Y then has C+1 columns.
	Sum bool
}

// Calls returns the dispatches that compute it.
func (b Blend) Calls(l Limits) ([]Call, error) {
	if err := checkAll(named{"X", b.X}, named{"Y", b.Y}); err != nil {
		return nil, fmt.Errorf("blend: %w", err)
	}
	columns := b.X.Cols
	if b.Sum {
		columns++
	}
	if b.TileH*b.TileW != b.X.Rows || b.H*b.W != b.Y.Rows || columns != b.Y.Cols || b.Left < 0 || b.Top < 0 {
		return nil, fmt.Errorf("blend: a tile of %d x %d x %d at %d, %d of a frame of %d x %d x %d",
			b.TileW, b.TileH, b.X.Cols, b.Left, b.Top, b.W, b.H, b.Y.Cols)
	}
	name, err := l.choose(blendKernel)
	if err != nil {
		return nil, fmt.Errorf("blend: %w", err)
	}
	work := 8 * float64(columns)
	frame := func(from, to int) (int, int) {
		return (from/b.TileW + b.Top) * b.W, ((to-1)/b.TileW + b.Top + 1) * b.W
	}
	parts, err := split(b.X.Rows, elementThreads, work, l,
		same(X, b.X), words(Weight, b.TileW), words(Bias, b.TileH), reach{role: Y, operand: b.Y, rows: frame})
	if err != nil {
		return nil, fmt.Errorf("blend: %w", err)
	}
	return calls(name, parts, elementThreads, 1, work, func(p part) []byte {
		return push(p.from, p.to, b.X.Cols, b.Sum, b.TileW, b.W, b.H, b.Left, b.Top, p.operands[0].place, p.operands[3].place)
	}), nil
}

// Divide is Y = X / Z, Z [rows, 1], row by row; 0 where Z is 0. Roles: X, X1 (Z), Y. Y may be X's memory.
type Divide struct{ X, Z, Y Operand }

// Calls returns the dispatches that compute it.
func (d Divide) Calls(l Limits) ([]Call, error) {
	err := checkSame(named{"X", d.X}, named{"Y", d.Y})
	if err == nil && (d.Z.Rows != d.Y.Rows || d.Z.Cols != 1) {
		err = fmt.Errorf("weights of %d x %d for %d rows", d.Z.Rows, d.Z.Cols, d.Y.Rows)
	}
	if err != nil {
		return nil, fmt.Errorf("divide: %w", err)
	}
	return pairs(divideKernel, d.Y, l, func(p part) []byte {
		return push(p.operands[0].place, p.operands[1].place, p.operands[2].place)
	}, same(X, d.X), same(X1, d.Z), same(Y, d.Y))
}
