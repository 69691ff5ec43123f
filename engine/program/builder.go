package program

// Builder writes a program op by op. Ops and temporaries that it makes belong to its current Stage and are stored in its
// current Storage.
type Builder struct {
	Program *Program
	// Stage is where the next ops belong.
	Stage Stage
	// Storage is how the next temporaries, and the weights of the next gemms and convolutions, are stored.
	Storage DType

	weights map[string]int
}

// NewBuilder starts an empty program over the given model's weights.
func NewBuilder(model string) *Builder {
	return &Builder{Program: &Program{Model: model}, weights: make(map[string]int)}
}

// Tensor adds a tensor of rows x cols.
func (b *Builder) Tensor(name string, rows, cols int, d DType, r Role) ID {
	id := ID(len(b.Program.Tensors))
	b.Program.Tensors = append(b.Program.Tensors, Tensor{Name: name, Rows: rows, Cols: cols, DType: d, Role: r, Alias: id})
	return id
}

// Map adds a tensor of h x w pixels and cols channels.
func (b *Builder) Map(name string, h, w, cols int, d DType, r Role) ID {
	id := b.Tensor(name, h*w, cols, d, r)
	b.Program.Tensors[id].H, b.Program.Tensors[id].W = h, w
	return id
}

// Temp adds a temporary of rows x cols, stored in Storage.
func (b *Builder) Temp(name string, rows, cols int) ID {
	return b.Tensor(name, rows, cols, b.Storage, Temp)
}

// TempMap adds a temporary map, stored in Storage.
func (b *Builder) TempMap(name string, h, w, cols int) ID {
	return b.Map(name, h, w, cols, b.Storage, Temp)
}

// Weight adds a constant once a key and returns its index.
func (b *Builder) Weight(key string, read func([]float32) error, shape ...int) int {
	if i, ok := b.weights[key]; ok {
		return i
	}
	i := len(b.Program.Weights)
	b.weights[key] = i
	b.Program.Weights = append(b.Program.Weights, Weight{Key: key, Shape: shape, Read: read})
	return i
}

// Index adds a list of row numbers and returns its index.
func (b *Builder) Index(rows []int32) int {
	b.Program.Indexes = append(b.Program.Indexes, rows)
	return len(b.Program.Indexes) - 1
}

// Op returns an op of that kind that reads whole tensors and writes one, for the caller to complete.
func (b *Builder) Op(k Kind, name string, y ID, x ...ID) Op {
	op := Op{
		Kind: k, Stage: b.Stage, Name: name, Y: b.Program.All(y),
		Residual: View{Tensor: None}, W: -1, B: -1, Index: -1, Stats: None,
	}
	for _, id := range x {
		op.X = append(op.X, b.Program.All(id))
	}
	if k == Gemm || k == Conv2D {
		op.Storage = b.Storage
	}
	return op
}

// Do appends an op.
func (b *Builder) Do(op Op) { b.Program.Ops = append(b.Program.Ops, op) }
