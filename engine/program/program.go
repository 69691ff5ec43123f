// Package program holds a network as data: virtual tensors with shapes and types, ops over them in the
// order they run, and weights that are read when a device wants them. Passes rewrite the list (fuse.go),
// Plan gives every tensor a place in one arena. Devices execute programs; this package runs nothing.
package program

import "fmt"

// DType is how a tensor's elements are stored.
type DType uint8

const (
	// F32 is IEEE float32.
	F32 DType = iota
	// BF16 is bfloat16: the upper half of a float32, rounded to nearest even.
	BF16
	// F16 is IEEE half precision, rounded to nearest even. What is over 65504, its largest, becomes infinite.
	F16
)

// Half reports whether an element takes half the width of a float32.
func (d DType) Half() bool { return d == BF16 || d == F16 }

// Size returns the bytes of one element.
func (d DType) Size() int64 {
	if d.Half() {
		return 2
	}
	return 4
}

func (d DType) String() string {
	switch d {
	case F32:
		return "f32"
	case BF16:
		return "bf16"
	case F16:
		return "f16"
	}
	return fmt.Sprintf("dtype(%d)", uint8(d))
}

// ID names a tensor of a program: its index in Program.Tensors.
type ID int

// Role says who fills a tensor and who reads it.
type Role uint8

const (
	// Temp lives between ops.
	Temp Role = iota
	// Input is filled by the caller before the first op.
	Input
	// Output is read by the caller after the last op.
	Output
)

// Tensor is a virtual tensor: Rows rows of Cols columns, stored row-major and dense. A map of H x W pixels
// has H*W rows, row-major; H and W are 0 for tensors that are not maps (tokens, scores, statistics).
type Tensor struct {
	Name       string
	Rows, Cols int
	H, W       int
	DType      DType
	Role       Role
	// Alias is the tensor whose memory this one shares (an op that runs in place), or the tensor itself.
	Alias ID
	// Shift is how many bytes before Alias this tensor begins; see Op.Wave.
	Shift int64
}

// Bytes returns the memory the tensor needs.
func (t Tensor) Bytes() int64 { return int64(t.Rows) * int64(t.Cols) * t.DType.Size() }

// View is a range of columns of a tensor: columns Col to Col+Cols of every row.
type View struct {
	Tensor    ID
	Col, Cols int
}

// Kind is what an op does.
type Kind uint8

const (
	// Pack normalises colour and appends the hint: X = plate [H,W,3], hint [H,W,1]; Y [H,W,4]. Without a hint Y is
	// [H,W,3].
	Pack Kind = iota
	// Conv2D is a convolution over X [H,W,Cin] with zero padding: Y [H',W',Cout]. See Op.Conv.
	Conv2D
	// Gemm is Y [M,N] = act(X [M,K] * W^T + B) + Residual, W [N,K].
	Gemm
	// LayerNorm normalises every row of X: gamma is W, beta is B, epsilon is Eps.
	LayerNorm
	// GroupNormStats writes for every group of X's columns the mean and 1/sqrt(variance+Eps) over all rows
	// to Y [Groups, 2], always float32.
	GroupNormStats
	// GroupNormApply is Y = act((X[0] - mean) * rstd * gamma + beta + Residual), statistics from X[1]. Unlike
	// Gemm's, its residual is added before the activation.
	GroupNormApply
	// Attention is fused: Y = softmax(Q K^T * scale) V, a window and a head at a time. X = Q, K, V. See Op.Attention.
	Attention
	// Scores, Softmax and Product are the three steps of Attention with the scores stored:
	// X = Q, K to Y [windows*heads*queries, keys]; over each row of Y, which is X; X = scores, V.
	Scores
	Softmax
	Product
	// MaxPool is Y[j] = the element-wise maximum of the four rows X[4j..4j+3].
	MaxPool
	// Gather is Y[j] = X[Index[j]] + B[j], row by row; B, [M,N], is optional.
	Gather
	// Resize is bilinear (align_corners = false, edge clamp) from X's H x W to Y's; with Accumulate it is added to Y.
	Resize
	// Activate is Y = act(X), element by element.
	Activate
	// Add is Y = X[0] + X[1], element by element, or X[0] + B where there is no X[1].
	Add
	// Concat is Y = the columns of X[0], X[1], ... side by side, row by row.
	Concat
)

var kindNames = [...]string{
	"pack", "conv2d", "gemm", "layernorm", "groupnorm_stats", "groupnorm_apply", "attention", "scores",
	"softmax", "product", "maxpool", "gather", "resize", "activate", "add", "concat",
}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Act is an activation function.
type Act uint8

const (
	// Identity leaves a value as it is.
	Identity Act = iota
	// GELU is x/2 * (1 + erf(x/sqrt 2)), the exact form.
	GELU
	// ReLU is max(x, 0).
	ReLU
	// Sigmoid is 1/(1+exp(-x)).
	Sigmoid
)

// Stage is the part of the network an op belongs to. Stages run in this order; with stage_gc, memory is
// released between them.
type Stage uint8

const (
	// Preprocess makes the network's input.
	Preprocess Stage = iota
	// Encoder makes the four feature maps.
	Encoder
	// Decoder makes the coarse logits.
	Decoder
	// Refiner makes the final matte and foreground.
	Refiner
	// Stages counts them.
	Stages
)

func (s Stage) String() string {
	return [...]string{"preprocess", "encoder", "decoder", "refiner", "stages"}[min(s, Stages)]
}

// Normalisation is what Pack does to colour: (value - Mean) / Std, per channel.
type Normalisation struct{ Mean, Std [3]float32 }

// ConvShape is the geometry of a Conv2D: a Kernel x Kernel window, rows of the weight [Cout, Kernel, Kernel, Cin].
type ConvShape struct{ Kernel, Stride, Pad, Dilation int }

// AttentionShape is the geometry of Attention, Scores and Product. Windows are consecutive runs of rows:
// window w has query rows [w*Queries, (w+1)*Queries) and key rows [w*Keys, (w+1)*Keys). Heads are
// consecutive runs of HeadDim columns. The scale is 1/sqrt(HeadDim).
type AttentionShape struct{ Windows, Queries, Keys, Heads, HeadDim int }

// GroupNorm is a normalisation by statistics that are there already: Stats is [Groups, 2], W and B are gamma
// and beta in Program.Weights.
type GroupNorm struct {
	Stats        ID
	W, B, Groups int
}

// None marks an operand that an op does not have.
const None ID = -1

// Op is one step. Fields that its Kind does not name stay at their zero value (Residual: None).
type Op struct {
	Kind  Kind
	Stage Stage
	// Name says where in the network the op stands, after the checkpoint's names.
	Name string
	// X is what is read, Y what is written.
	X []View
	Y View
	// Residual is added in the epilogue; Residual.Tensor is None where there is none.
	Residual View
	// W and B are indexes into Program.Weights; -1 where there is none.
	W, B       int
	Act        Act
	Eps        float32
	Groups     int
	Pack       Normalisation
	Conv       ConvShape
	Attention  AttentionShape
	Accumulate bool
	// Storage is how the weight of a Gemm or a Conv2D is stored. Where it is half-width, a device may round X to it
	// as it reads it; sums are float32.
	Storage DType
	// Index is an index into Program.Indexes; -1 where there is none.
	Index int
	// Pre, for a Conv2D, is a GroupNorm followed by a ReLU that X goes through as it is read; nil for none.
	// The zero padding comes after it.
	Pre *GroupNorm
	// Stats is where a Conv2D also writes the GroupNorm statistics of its result ([Groups, 2], with Eps); None elsewhere.
	Stats ID
	// Wave, for a Conv2D that writes over its own X, is how many rows of pixels a device may work on at a time:
	// rows run from the top in waves of that many, each wave ended before the next begins. Y begins at least
	// Wave + Conv.Dilation rows before X (Tensor.Shift), so that a wave writes only over rows that neither it nor
	// a later one reads. 0 where Y has memory of its own.
	Wave int
}

// Weight is a constant tensor. Read fills dst (the product of Shape, row-major) and is called when a device
// packs it, so that a checkpoint is never in memory twice.
type Weight struct {
	// Key is unique over a model whatever the program's size, so that devices can share packed weights.
	Key   string
	Shape []int
	Read  func(dst []float32) error
}

// Len returns the number of elements.
func (w Weight) Len() int {
	n := 1
	for _, s := range w.Shape {
		n *= s
	}
	return n
}

// Program is a network for one input size.
type Program struct {
	// Model identifies the weights: programs with the same Model share weights of the same Key.
	Model   string
	Tensors []Tensor
	Ops     []Op
	Weights []Weight
	Indexes [][]int32
	// StageGC asks the device for one arena a stage instead of one for the whole program.
	StageGC bool
	// Record asks the device to prepare every op once and replay it, instead of op by op.
	Record bool
}

// Find returns the first tensor of that name, or None.
func (p *Program) Find(name string) ID {
	for i, t := range p.Tensors {
		if t.Name == name {
			return ID(i)
		}
	}
	return None
}

// All returns a view of every column of a tensor.
func (p *Program) All(id ID) View { return View{Tensor: id, Cols: p.Tensors[id].Cols} }
