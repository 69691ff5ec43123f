package kernel

// Activation is a function applied to every element of a result.
type Activation uint8

const (
	// Identity leaves a value as it is.
	Identity Activation = iota
	// GELU is x/2 * (1 + erf(x/sqrt 2)), within 1e-6.
	GELU
	// ReLU is max(x, 0).
	ReLU
	// Sigmoid is 1/(1+exp(-x)).
	Sigmoid
)

// panel is the innermost product, shared by matrix products, convolutions and attention:
//
//	c[r, j] = act(sum over segments t and k of a_t[r, k] * b[t*segLen+k, j] + bias[j]) + residual[r, j]
//
// A row of A is made of segments of segLen consecutive floats: one for a matrix, one a kernel row or tap for a
// convolution. steps[0] is the distance of the first segment from the row's start, steps[t] the distance from
// the end of segment t-1 to the start of segment t. Vector code reads fields by name through go_asm.h.
type panel struct {
	a          []float32
	aStride    int
	steps      []int
	segLen     int
	b          []float32 // [len(steps)*segLen][width]
	width      int       // 16 or 24
	c          []float32
	cStride    int
	rows, cols int       // cols <= width
	bias       []float32 // cols floats, or nil
	residual   []float32 // or nil; may be c
	resStride  int
	act        Activation // Identity, GELU or ReLU
}

// panelGo is the portable panel: two rows by four columns at a time, which is what registers hold.
func panelGo(p *panel) {
	for r := 0; r < p.rows; r += 2 {
		second := min(r+1, p.rows-1)
		for j := 0; j < p.cols; j += 4 {
			var s0, s1 [4]float32
			panelTile(p, r*p.aStride, second*p.aStride, j, &s0, &s1)
			n := min(4, p.cols-j)
			panelStore(p, r, j, s0[:n])
			if second != r {
				panelStore(p, second, j, s1[:n])
			}
		}
	}
}

// panelTile sums columns j to j+4 of the rows that start at a0 and a1.
func panelTile(p *panel, a0, a1, j int, s0, s1 *[4]float32) {
	var x0, x1, x2, x3, y0, y1, y2, y3 float32
	at := j
	for _, step := range p.steps {
		a0, a1 = a0+step, a1+step
		row0, row1 := p.a[a0:a0+p.segLen], p.a[a1:a1+p.segLen]
		for k, x := range row0 {
			y := row1[k]
			b := p.b[at : at+4 : at+4]
			x0 += x * b[0]
			x1 += x * b[1]
			x2 += x * b[2]
			x3 += x * b[3]
			y0 += y * b[0]
			y1 += y * b[1]
			y2 += y * b[2]
			y3 += y * b[3]
			at += p.width
		}
		a0, a1 = a0+p.segLen, a1+p.segLen
	}
	*s0 = [4]float32{x0, x1, x2, x3}
	*s1 = [4]float32{y0, y1, y2, y3}
}

// panelStore finishes sums, which start at column j of row r.
func panelStore(p *panel, r, j int, sums []float32) {
	c := p.c[r*p.cStride+j : r*p.cStride+j+len(sums)]
	for i, x := range sums {
		if p.bias != nil {
			x += p.bias[j+i]
		}
		switch p.act {
		case ReLU:
			x = max(x, 0)
		case GELU:
			x = gelu32(x)
		}
		if p.residual != nil {
			x += p.residual[r*p.resStride+j+i]
		}
		c[i] = x
	}
}
