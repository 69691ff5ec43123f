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

	// refined is what the refiner makes of the whole frame; nil where each tile is refined by itself.
	refined *refined

	// meter measures the overlaps; nil where the refiner sees the whole frame.
	meter *tiling.Meter
	// tiles are those to key, in order.
	tiles []int

	// part is what runs on tiles. It is loaded by the first tile that is not recalled. recalls says that the memo's tiles
	// are of the same making.
	part    part
	recalls bool

	finished int
	ran      int           // finished tiles that the network ran on; the others were recalled
	busy     time.Duration // spent on those
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
	a.tiles = all(a.grid)
	if j.Check != nil {
		a.grid, a.tiles = checked(a.grid, a.hint, j.Check.Matte, s)
	}
	a.frame = newFrame(a.plate.W, a.plate.H, s, a.grid)
	t.send(Event{Phase: PhaseLoad, Tiles: len(a.tiles), Left: -1})
	if refinesFrame(a.grid, s) {
		a.part = coarsePart
		if a.refined, err = newRefined(j.Model, a.grid, a.frame, s); err != nil {
			return nil, err
		}
	}
	if a.remembers() {
		return a, nil
	}
	return a, a.load(a.part, a.frame.size)
}

// remembers prepares the memo, and reports whether it may know tiles of this key.
func (a *attempt) remembers() bool {
	j, memo := a.ticket.job, &a.worker.memo
	key := newKey(j.Model, a.part, a.frame.size, a.settings)
	switch {
	case j.Check != nil: // its tiles are no plate's next ones
	case j.Keep > 0:
		memo.begin(key, j.Keep)
	default:
		memo.clear()
	}
	a.recalls = memo.fits(key)
	return a.recalls && len(memo.tiles) > 0
}

// load brings a part of the network to the device.
func (a *attempt) load(what part, size greenformer.Size) error {
	start := time.Now()
	defer func() { a.seconds.Load += time.Since(start).Seconds() }()
	var err error
	a.runner, err = a.worker.load(a.ticket.ctx, a.ticket.job.Model, what, size, a.settings)
	return err
}

// run keys every tile. It stops at the first error, with the finished tiles kept.
func (a *attempt) run() error {
	start := time.Now()
	loaded := a.seconds.Load
	defer func() { a.seconds.Key = time.Since(start).Seconds() - (a.seconds.Load - loaded) }()
	a.prepare()
	tiles := len(a.tiles)
	a.ticket.send(Event{Phase: PhaseKey, Tiles: tiles, Left: -1, Bytes: a.bytes()})
	for _, i := range a.tiles {
		began, ran := time.Now(), a.ran
		if err := a.tile(i); err != nil {
			return err
		}
		a.finished++
		if a.ran > ran {
			a.busy += time.Since(began)
		}
		a.peak = max(a.peak, a.bytes())
		e := Event{
			Phase: PhaseKey, Tile: a.finished, Tiles: tiles, Bytes: a.bytes(),
			Rect: a.frame.onPlate(a.grid.Inside(i)),
			Left: a.left(),
		}
		if a.ticket.job.Preview {
			if a.refined != nil {
				a.guess()
			}
			e.Matte = a.preview(alphaName, 1, i, e.Rect.Size())
			e.FG = a.preview(fgName, 3, i, e.Rect.Size())
		}
		a.ticket.send(e)
	}
	if a.ticket.job.Check == nil {
		a.worker.memo.prune()
		a.worker.memo.settle()
	}
	if a.refined != nil {
		return a.refine()
	}
	return nil
}

// left estimates the time to the end from the tiles that the network ran on; negative while there is none.
func (a *attempt) left() time.Duration {
	if a.ran == 0 {
		return -1
	}
	tile := a.busy / time.Duration(a.ran)
	sum := tile * time.Duration(len(a.tiles)-a.finished)
	if a.refined != nil {
		sum += time.Duration(float64(tile) * a.refined.tiles)
	}
	return sum
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
	a.outputs = map[string][]float32{coarseName: make([]float32, out/4)}
	a.blends = map[string]*tiling.Blend{coarseName: tiling.NewCoarseBlend(a.grid, 4)}
	if a.refined == nil {
		a.outputs[alphaName], a.outputs[fgName] = make([]float32, out), make([]float32, 3*out)
		a.blends[alphaName], a.blends[fgName] = tiling.NewBlend(a.grid, 1), tiling.NewBlend(a.grid, 3)
		if a.ticket.job.Check == nil {
			a.meter = tiling.NewMeter(a.grid, a.ticket.job.Heat)
		}
	}
}

// tile runs the network on tile i and adds the result to the blends.
func (a *attempt) tile(i int) error {
	ctx := a.ticket.ctx
	if ctx.Err() != nil {
		return cancelled(ctx)
	}
	a.cut(i)
	if err := a.see(i); err != nil {
		return err
	}
	if a.refined == nil { // else the refiner is still to see them
		a.sight.back(a.outputs[fgName], 3, 0)
		a.sight.back(a.outputs[coarseName], 4, 1)
	}
	for name, values := range a.outputs {
		if err := a.blends[name].Add(i, values); err != nil {
			return err
		}
	}
	if a.meter != nil {
		return a.meter.Add(i, a.outputs[alphaName], a.outputs[fgName])
	}
	return nil
}

// see makes the outputs of tile i, which has been cut: from the memo, else by the network.
func (a *attempt) see(i int) error {
	j, memo := a.ticket.job, &a.worker.memo
	var name uint64
	if a.recalls {
		if name = memo.sum(a.inputs); memo.recall(name, a.outputs) {
			return nil
		}
	}
	if a.runner == nil {
		if err := a.load(a.part, a.frame.size); err != nil {
			return err
		}
	}
	a.ran++
	if err := a.execute(a.inputs, a.outputs, a.grid.Tile(i)); err != nil {
		return err
	}
	if j.Keep > 0 && j.Check == nil {
		memo.keep(name, a.outputs, j.Keep)
	}
	return nil
}

// execute runs the loaded program and looks at what it made of the given part of the plate.
func (a *attempt) execute(inputs, outputs map[string][]float32, of image.Rectangle) error {
	ctx := a.ticket.ctx
	if err := a.runner.Run(ctx, inputs, outputs); err != nil {
		if ctx.Err() != nil {
			return cancelled(ctx)
		}
		return deviceError(a.worker.device.Info(), doingRun, of.Size(), err)
	}
	for name, values := range outputs {
		if n := nonFinite(values); n > 0 {
			return &NonFiniteError{Output: name, Count: n, Rect: of}
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
	pix := a.outputs[name]
	if a.refined != nil {
		pix = a.refined.preview[name]
	}
	tile := picture.Image{W: a.grid.TileW, H: a.grid.TileH, C: channels, Pix: pix}
	m := picture.Crop(tile, 0, 0, inside.X, inside.Y)
	if inside != size {
		m = picture.ResampleBilinear(m, size.X, size.Y)
	}
	return m
}

// bytes is the memory in use, as Result.PeakBytes counts it.
func (a *attempt) bytes() int64 {
	sum := a.worker.memo.bytes
	if a.worker.runner != nil {
		s := a.worker.runner.Stats()
		sum += s.Arena + s.Scratch + s.Weights
	}
	floats := a.refined.floats() + len(a.tilePlate) + len(a.tileHint) + len(a.inputs["input"])
	for _, b := range a.blends {
		sum += b.Bytes()
	}
	if a.meter != nil {
		sum += a.meter.Bytes()
	}
	for _, values := range a.outputs {
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
	var matte, fg, known picture.Image
	if j.Check != nil && a.refined == nil {
		known = a.blends[alphaName].Known()
	}
	coarse := a.blends[coarseName].Picture()
	if a.refined != nil {
		matte, fg = a.refined.matte, a.refined.fg
		a.sight.back(coarse.Pix, 4, 1)
	} else {
		matte, fg = a.blends[alphaName].Picture(), a.blends[fgName].Picture()
	}
	r := &Result{
		Matte: matte, FG: fg, Coarse: coarse,
		Used: a.settings, Swapped: a.sight.swapped, NonFinite: nonFinite(j.Plate.RGB.Pix),
		Grid: a.grid, Finished: a.finished, Recalled: a.finished - a.ran, PeakBytes: a.peak, Device: a.worker.device.Info(), Why: a.worker.using.Why,
	}
	if a.frame.edge > 0 {
		start := time.Now()
		if err := a.frame.back(a.ticket.ctx, r); err != nil {
			return nil, cancelled(a.ticket.ctx)
		}
		r.PeakBytes += 4 * int64(len(r.Matte.Pix)+len(r.FG.Pix)+len(r.Coarse.Pix))
		a.seconds.Key += time.Since(start).Seconds()
	}
	a.seams(r, known)
	r.Seconds = a.seconds
	return r, nil
}
