package engine

import (
	"image"
	"math"
	"runtime/debug"

	"greenroom/engine/greenformer"
	"greenroom/engine/picture"
	"greenroom/engine/program"
	"greenroom/engine/settings"
	"greenroom/engine/tiling"
)

// refined is the part of an attempt whose refiner runs once over the whole frame. Encoder and decoders see
// tile by tile; their logits are blended; the refiner then sees no tile, so that its GroupNorm statistics are
// the frame's and leave no seams.
type refined struct {
	matte, fg picture.Image
	// tiles is the refiner's time in tiles: the ratio of their multiplications.
	tiles float64
	// preview holds a tile's guess by output name.
	preview map[string][]float32
}

// newRefined prepares for a grid's refiner.
func newRefined(m *greenformer.Model, g tiling.Grid, f frame, s settings.Settings) (*refined, error) {
	tile, err := m.BuildCoarse(f.size, s)
	if err != nil {
		return nil, err
	}
	whole, err := m.BuildRefiner(frameSize(g), s)
	if err != nil {
		return nil, err
	}
	return &refined{tiles: program.Work(whole) / program.Work(tile)}, nil
}

// frameSize is the size of the program that refines a grid's whole frame.
func frameSize(g tiling.Grid) greenformer.Size { return greenformer.Size{H: g.PadH, W: g.PadW} }

// floats counts the values held beside the device.
func (r *refined) floats() int {
	if r == nil {
		return 0
	}
	return len(r.matte.Pix) + len(r.fg.Pix) + len(r.preview[alphaName]) + len(r.preview[fgName])
}

// refine runs the refiner over the frame.
func (a *attempt) refine() error {
	g := tiling.Plan(a.grid.W, a.grid.H, 0, 0) // the frame as its only tile
	a.ticket.send(Event{
		Phase: PhaseRefine, Tile: a.finished, Tiles: len(a.tiles), Bytes: a.bytes(), Left: a.left(),
	})
	coarse := a.blends[coarseName].Picture()
	// The tiles' memory goes before the frame's is taken: to the system, because the frame's does not come from Go's
	// heap.
	a.worker.drop()
	a.tilePlate, a.tileHint, a.inputs, a.outputs = nil, nil, nil, nil
	a.refined.preview = nil
	debug.FreeOSMemory()
	if err := a.load(refinerPart, frameSize(g)); err != nil {
		return err
	}
	matte, colours := make([]float32, g.PadH*g.PadW), make([]float32, 3*g.PadH*g.PadW)
	g.Cut(colours, a.plate, 0)
	if !a.frame.onHost() {
		a.sight.plate(colours)
	}
	a.refined.matte = picture.Image{W: g.PadW, H: g.PadH, C: 1, Pix: matte}
	a.refined.fg = picture.Image{W: g.PadW, H: g.PadH, C: 3, Pix: colours}
	// The plate goes in before the foreground comes out: one piece of memory serves both.
	err := a.execute(
		map[string][]float32{"plate": colours, coarseName: coarse.Pix},
		map[string][]float32{alphaName: matte, fgName: colours},
		image.Rect(0, 0, g.W, g.H))
	if err != nil {
		return err
	}
	a.peak = max(a.peak, a.bytes())
	// The next plate begins with tiles: what is loaded would only lie in the way of all that follows this key.
	a.worker.drop()
	a.sight.back(colours, 3, 0)
	a.refined.matte = narrowed(a.refined.matte, g.W, g.H)
	a.refined.fg = narrowed(a.refined.fg, g.W, g.H)
	return nil
}

// narrowed returns the top left w x h pixels of an image, in its own memory.
func narrowed(m picture.Image, w, h int) picture.Image {
	if w < m.W {
		for y := range h {
			copy(m.Pix[y*w*m.C:(y+1)*w*m.C], m.Row(y))
		}
	}
	return picture.Image{W: w, H: h, C: m.C, Pix: m.Pix[:w*h*m.C]}
}

// guess makes a tile's preview of its coarse logits.
func (a *attempt) guess() {
	w, h := a.grid.TileW, a.grid.TileH
	if a.refined.preview == nil {
		a.refined.preview = map[string][]float32{alphaName: make([]float32, w*h), fgName: make([]float32, 3*w*h)}
	}
	matte, fg := a.refined.preview[alphaName], a.refined.preview[fgName]
	m := picture.Image{W: w / 4, H: h / 4, C: 4, Pix: a.outputs[coarseName]}.Clone()
	for i, v := range m.Pix {
		m.Pix[i] = float32(1 / (1 + math.Exp(-float64(v))))
	}
	m = picture.ResampleBilinear(m, w, h)
	for i := range matte {
		matte[i] = m.Pix[4*i]
		copy(fg[3*i:3*i+3], m.Pix[4*i+1:])
	}
	a.sight.back(fg, 3, 0)
}
