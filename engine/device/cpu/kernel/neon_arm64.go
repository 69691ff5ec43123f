package kernel

// vectorSet uses NEON, which every arm64 processor has.
func vectorSet() *Set {
	p := scalarPrimitives()
	p.panel = panelNEON
	p.softmaxBlock = softmaxBlockNEON
	p.gelu = geluNEON
	return &Set{name: "neon", p: p}
}

// panelNEON gives the assembly what it does, whole panels without GELU, and finishes other tiles from a copy.
func panelNEON(p *panel) {
	if p.cols == p.width && p.act != GELU {
		wholePanelNEON(p)
		return
	}
	height := 6
	if p.width == wideWidth {
		height = 4
	}
	var sums [6 * panelWidth]float32
	tile := *p
	tile.c, tile.cStride, tile.cols = sums[:], p.width, p.width
	tile.bias, tile.residual, tile.act = nil, nil, Identity
	rest := *p
	rest.act = Identity
	for r := 0; r < p.rows; r += height {
		tile.rows = min(height, p.rows-r)
		tile.a = p.a[r*p.aStride:]
		wholePanelNEON(&tile)
		for i := range tile.rows {
			row := sums[i*p.width : i*p.width+p.cols]
			if p.act == GELU {
				if p.bias != nil {
					addGo(row, row, p.bias)
				}
				geluNEON(row, row)
				rest.bias = nil
			} else {
				rest.act = p.act
			}
			panelStore(&rest, r+i, 0, row)
		}
	}
}

func wholePanelNEON(p *panel) {
	if p.width == wideWidth {
		panel24NEON(p)
		return
	}
	panel16NEON(p)
}

func geluNEON(dst, x []float32) {
	whole := len(x) &^ 3
	if whole > 0 {
		geluVectorsNEON(&dst[0], &x[0], whole)
	}
	for i := whole; i < len(x); i++ {
		dst[i] = gelu32(x[i])
	}
}

func softmaxBlockNEON(b *softmaxBlock) {
	if b.cols%4 != 0 {
		softmaxBlockGo(b)
		return
	}
	softmaxVectorsNEON(b)
}

// The assembly, in the *_arm64.s files.

//go:noescape
func panel16NEON(p *panel)

//go:noescape
func panel24NEON(p *panel)

//go:noescape
func softmaxVectorsNEON(b *softmaxBlock)

//go:noescape
func geluVectorsNEON(dst, x *float32, n int)
