package kernels

import (
	"fmt"
	"math"

	"greenroom/engine/program"
)

// MaxHeadDim is the most columns of an attention head.
const MaxHeadDim = 128

// Attention is Y = softmax(Q K^T / sqrt(HeadDim)) V for every window and head on its own, the scores never stored.
// Roles: X, X1, X2 (Q, K, V), Y.
type Attention struct {
	Q, K, V, Y Operand
	Shape      program.AttentionShape
}

// Scores is Y = Q K^T / sqrt(HeadDim), [windows * heads * queries, keys] float32. Roles: X, X1 (Q, K), Y.
type Scores struct {
	Q, K, Y Operand
	Shape   program.AttentionShape
}

// Product is Y = S V, S [windows * heads * queries, keys]. Roles: X, X1 (S, V), Y.
type Product struct {
	S, V, Y Operand
	Shape   program.AttentionShape
}

const (
	attentionFew  = "attention_few"
	attentionAny  = "attention_any"
	scoresKernel  = "scores"
	productKernel = "product"
)

// attentionTile is the shape of a workgroup of the attention kernel: tx x ty invocations, each with 4*rq queries by four
// keys of a tile; heads of up to width columns.
type attentionTile struct {
	name                   string
	tx, ty, rq, width, vec int
}

func (t attentionTile) queries() int { return 4 * t.ty * t.rq }

// fewQueries is the most queries of a window for which attention_few is best.
const fewQueries = 16

// attentionTiles lists the attention kernels, best first among those that fit; the last fits all.
func attentionTiles() []attentionTile {
	return []attentionTile{
		{name: attentionFew, tx: 8, ty: 8, rq: 1, width: 56, vec: 1},
		{name: "attention_32", tx: 8, ty: 16, rq: 1, width: 32, vec: 1},
		{name: "attention_56", tx: 8, ty: 16, rq: 1, width: 56, vec: 1},
		{name: "attention_64", tx: 8, ty: 12, rq: 1, width: 64, vec: 1},
		{name: "attention_128", tx: 4, ty: 7, rq: 1, width: 128, vec: 1},
		{name: attentionAny, tx: 4, ty: 7, rq: 1, width: 128, vec: 0},
	}
}

func attentionVariants() []Variant {
	var list []Variant
	for _, t := range attentionTiles() {
		v := Variant{t.name, "attention.comp", map[string]int{
			"TX": t.tx, "TY": t.ty, "RQ": t.rq, "WIDTH": t.width, "VECTOR": t.vec,
		}}
		if t.vec == 1 {
			list = append(list, halves(v)...)
		} else {
			list = append(list, v)
		}
	}
	return append(list, Variant{scoresKernel, "scores.comp", nil}, Variant{productKernel, "product.comp", nil})
}

// choose returns the kernel to use.
func (a Attention) choose(l Limits) (attentionTile, error) {
	aligned := a.Shape.HeadDim%4 == 0 && a.Q.aligned(4) && a.K.aligned(4) && a.V.aligned(4) && a.Y.aligned(4)
	var names []string
	tiles := make(map[string]attentionTile)
	for _, t := range attentionTiles() {
		if t.width < a.Shape.HeadDim || t.vec == 1 && !aligned || t.name == attentionFew && a.Shape.Queries > fewQueries {
			continue
		}
		if t.vec == 1 {
			t.name = forTypes([]string{t.name}, a.Q.Type, a.K.Type, a.V.Type, a.Y.Type)[0]
		}
		names = append(names, t.name)
		tiles[t.name] = t
	}
	name, err := l.choose(names...)
	return tiles[name], err
}

// Calls returns the dispatches that compute it.
func (a Attention) Calls(l Limits) ([]Call, error) {
	s := a.Shape
	err := checkAttention(s, named{"Q", a.Q}, named{"K", a.K}, named{"V", a.V}, named{"Y", a.Y})
	if err != nil {
		return nil, fmt.Errorf("attention: %w", err)
	}
	t, err := a.choose(l)
	if err != nil {
		return nil, fmt.Errorf("attention: %w", err)
	}
	blocks := ceilDiv(s.Queries, t.queries())
	work := 4 * float64(t.queries()) * float64(s.Keys) * float64(s.HeadDim)
	parts, err := split(s.Windows*s.Heads*blocks, 1, work, l, whole(X, a.Q), whole(X1, a.K), whole(X2, a.V), whole(Y, a.Y))
	if err != nil {
		return nil, fmt.Errorf("attention: %w", err)
	}
	scale := float32(math.Log2E / math.Sqrt(float64(s.HeadDim)))
	return calls(t.name, parts, 1, 1, work, func(p part) []byte {
		o := p.operands
		return push(p.from, p.to, blocks, s.Queries, s.Keys, s.Heads, s.HeadDim, scale,
			o[0].place, o[1].place, o[2].place, o[3].place)
	}), nil
}

// matrixTile is the edge of the tiles of scores and product.
const matrixTile = 32

// Calls returns the dispatches that compute it.
func (m Scores) Calls(l Limits) ([]Call, error) {
	s := m.Shape
	err := checkAttention(s, named{"Q", m.Q}, named{"K", m.K})
	if err == nil {
		err = checkScores(s, m.Y)
	}
	if err != nil {
		return nil, fmt.Errorf("scores: %w", err)
	}
	down, across := ceilDiv(s.Queries, matrixTile), ceilDiv(s.Keys, matrixTile)
	scale := float32(1 / math.Sqrt(float64(s.HeadDim)))
	return tiles(scoresKernel, s, down, across, s.HeadDim, l, func(p part) []byte {
		o := p.operands
		return push(s.Queries, s.Keys, s.Heads, s.HeadDim, scale, o[0].place, o[1].place, o[2].place)
	}, whole(X, m.Q), whole(X1, m.K), scoreRows(Y, m.Y, s, down*across))
}

// Calls returns the dispatches that compute it.
func (m Product) Calls(l Limits) ([]Call, error) {
	s := m.Shape
	err := checkAttention(s, named{"V", m.V}, named{"Y", m.Y})
	if err == nil {
		err = checkScores(s, m.S)
	}
	if err != nil {
		return nil, fmt.Errorf("product: %w", err)
	}
	down, across := ceilDiv(s.Queries, matrixTile), ceilDiv(s.HeadDim, matrixTile)
	return tiles(productKernel, s, down, across, s.Keys, l, func(p part) []byte {
		o := p.operands
		return push(s.Queries, s.Keys, s.Heads, s.HeadDim, o[0].place, o[1].place, o[2].place)
	}, scoreRows(X, m.S, s, down*across), whole(X1, m.V), whole(Y, m.Y))
}

// scoreRows is the reach of a tensor of scores for tiles, so many to a window and head.
func scoreRows(r Role, o Operand, s program.AttentionShape, tiles int) reach {
	return reach{role: r, operand: o, rows: func(from, to int) (int, int) {
		return from / tiles * s.Queries, ((to-1)/tiles + 1) * s.Queries
	}}
}

// tiles makes the calls of a kernel over down x across tiles of every window and head, with so many steps of the inner
// dimension.
func tiles(kernel string, s program.AttentionShape, down, across, inner int, l Limits, constants func(part) []byte, operands ...reach) ([]Call, error) {
	name, err := l.choose(kernel)
	if err != nil {
		return nil, err
	}
	work := 2 * matrixTile * matrixTile * float64(inner)
	parts, err := split(s.Windows*s.Heads*down*across, 1, work, l, operands...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kernel, err)
	}
	return calls(name, parts, 1, 1, work, func(p part) []byte {
		return append(push(p.from, p.to, down, across), constants(p)...)
	}), nil
}
