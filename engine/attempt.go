package engine

import (
	"image"
	"time"

	"greenroom/engine/device"
	"greenroom/engine/greenformer"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
	"greenroom/engine/tiling"
)

// attempt is one go at a plate: the tiles one by one through the network, blended as they come.
type attempt struct {
	worker   *worker
	ticket   *Ticket
	settings settings.Settings
	sight    sight
	grid     tiling.Grid
	frame    frame
	runner   device.Runner

	plate, hint picture.Image        // what tiles are cut from: the job's, or the frame's squares
	tilePlate   []float32            // the tile going in, [H, W, 3]
	tileHint    []float32            // [H, W, 1]
	inputs      map[string][]float32 // the same by tensor name
	outputs     map[string][]float32 // the tile coming out
	blends      map[string]*tiling.Blend

	finished int
	busy     time.Duration // spent on finished tiles
	seconds  Seconds
	peak     int64
}

// The program's outputs that a key is made of.
const (
	alphaName  = "alpha"
	fgName     = "fg"
	coarseName = "coarse"
)

// newAttempt plans the tiles and loads the program.
func newAttempt(w *worker, t *Ticket, s settings.Settings) (*attempt, error) {
	j := t.job
	a := &attempt{worker: w, ticket: t, settings: s, plate: j.Plate.RGB, hint: j.Hint}
	var err error
	if a.sight, err = newSight(j); err != nil {
		return nil, err
	}
	a.grid = layout(a.plate.W, a.plate.H, s)
	a.frame = newFrame(a.plate.W, a.plate.H, s, a.grid)
	t.send(Event{Phase: PhaseLoad, Tiles: a.grid.Len(), Left: -1})
	start := time.Now()
	a.runner, err = w.load(t.ctx, j.Model, a.frame.size, s)
	a.seconds.Load = time.Since(start).Seconds()
	return a, err
}

// run keys every tile. It stops at the first error, with the finished tiles kept.
func (a *attempt) run() error {
	start := time.Now()
	defer func() { a.seconds.Key = time.Since(start).Seconds() }()
	a.prepare()
	tiles := a.grid.Len()
	a.ticket.send(Event{Phase: PhaseKey, Tiles: tiles, Left: -1, Bytes: a.bytes()})
	for i := range tiles {
		began := time.Now()
		if err := a.tile(i); err != nil {
			return err
		}
		a.finished++
		a.busy += time.Since(began)
		a.peak = max(a.peak, a.bytes())
		e := Event{
			Phase: PhaseKey, Tile: a.finished, Tiles: tiles, Bytes: a.bytes(),
			Rect: a.frame.onPlate(a.grid.Inside(i)),
			Left: a.busy / time.Duration(a.finished) * time.Duration(tiles-a.finished),
		}
		if a.ticket.job.Preview {
			e.Matte = a.preview(alphaName, 1, i, e.Rect.Size())
			e.FG = a.preview(fgName, 3, i, e.Rect.Size())
		}
		a.ticket.send(e)
	}
	return nil
}

// prepare takes the memory that the tiles share.
func (a *attempt) prepare() {
	if a.frame.onHost() {
		a.plate, a.hint = a.frame.squares(a.plate, a.hint, a.sight)
	}
	in, out := a.frame.source, a.grid.TileW*a.grid.TileH
	a.tilePlate, a.tileHint = make([]float32, in.X*in.Y*3), make([]float32, in.X*in.Y)
	a.inputs = map[string][]float32{"plate": a.tilePlate, "hint": a.tileHint}
	if !a.settings.GPUPreprocess {
		a.inputs = map[string][]float32{"input": make([]float32, in.X*in.Y*4)}
	}
	a.outputs = map[string][]float32{
		alphaName: make([]float32, out), fgName: make([]float32, 3*out), coarseName: make([]float32, out/4),
	}
	a.blends = map[string]*tiling.Blend{
		alphaName: tiling.NewBlend(a.grid, 1), fgName: tiling.NewBlend(a.grid, 3), coarseName: tiling.NewCoarseBlend(a.grid, 4),
	}
}

// tile runs the network on tile i and adds the result to the blends.
func (a *attempt) tile(i int) error {
	ctx := a.ticket.ctx
	if ctx.Err() != nil {
		return cancelled(ctx)
	}
	a.cut(i)
	if err := a.runner.Run(ctx, a.inputs, a.outputs); err != nil {
		if ctx.Err() != nil {
			return cancelled(ctx)
		}
		return deviceError(a.worker.device.Info(), doingRun, a.grid.Tile(i).Size(), err)
	}
	for name, values := range a.outputs {
		if n := nonFinite(values); n > 0 {
			return &NonFiniteError{Output: name, Count: n, Rect: a.grid.Tile(i)}
		}
	}
	a.sight.back(a.outputs[fgName], 3, 0)
	a.sight.back(a.outputs[coarseName], 4, 1)
	for name, values := range a.outputs {
		if err := a.blends[name].Add(i, values); err != nil {
			return err
		}
	}
	return nil
}

// cut fills the inputs with tile i as the network sees it.
func (a *attempt) cut(i int) {
	if a.frame.onDevice {
		copy(a.tilePlate, a.plate.Pix)
		copy(a.tileHint, a.hint.Pix)
	} else {
		a.grid.Cut(a.tilePlate, a.plate, i)
		a.grid.Cut(a.tileHint, a.hint, i)
	}
	if !a.frame.onHost() { // the frame's squares are already as the network sees them
		a.sight.plate(a.tilePlate)
		a.sight.hint(a.tileHint)
	}
	if input, ok := a.inputs["input"]; ok {
		greenformer.Normalise(input, a.tilePlate, a.tileHint)
	}
}

// preview copies the part of the finished tile i that lies on the plate, at the plate's scale.
func (a *attempt) preview(name string, channels, i int, size image.Point) picture.Image {
	inside := a.grid.Inside(i).Size()
	tile := picture.Image{W: a.grid.TileW, H: a.grid.TileH, C: channels, Pix: a.outputs[name]}
	m := picture.Crop(tile, 0, 0, inside.X, inside.Y)
	if inside != size {
		m = picture.ResampleBilinear(m, size.X, size.Y)
	}
	return m
}

// bytes is the memory in use, as Result.PeakBytes counts it.
func (a *attempt) bytes() int64 {
	s := a.runner.Stats()
	sum := s.Arena + s.Scratch + s.Weights
	floats := len(a.tilePlate) + len(a.tileHint) + len(a.inputs["input"])
	for name, values := range a.outputs {
		sum += a.blends[name].Bytes()
		floats += len(values)
	}
	if a.frame.onHost() {
		floats += len(a.plate.Pix) + len(a.hint.Pix)
	}
	return sum + 4*int64(floats)
}

// result ends the attempt: the blended pictures, at the plate's size.
func (a *attempt) result() (*Result, error) {
	j := a.ticket.job
	r := &Result{
		Matte: a.blends[alphaName].Picture(), FG: a.blends[fgName].Picture(), Coarse: a.blends[coarseName].Picture(),
		Used: a.settings, Swapped: a.sight.swapped, NonFinite: nonFinite(j.Plate.RGB.Pix),
		Grid: a.grid, Finished: a.finished, PeakBytes: a.peak, Device: a.worker.device.Info(),
	}
	if a.frame.edge > 0 {
		start := time.Now()
		if err := a.frame.back(a.ticket.ctx, r); err != nil {
			return nil, cancelled(a.ticket.ctx)
		}
		r.PeakBytes += 4 * int64(len(r.Matte.Pix)+len(r.FG.Pix)+len(r.Coarse.Pix))
		a.seconds.Key += time.Since(start).Seconds()
	}
	r.Seconds = a.seconds
	return r, nil
}
