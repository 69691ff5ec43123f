package engine

import (
	"greenroom/engine/device/cpu"
	"greenroom/engine/device/gpu"
	"greenroom/engine/greenformer"
	"greenroom/engine/program"
	"greenroom/engine/settings"
	"greenroom/engine/tiling"
)

// PlanInfo says what a job will take, before anything runs.
type PlanInfo struct {
	// Grid are the tiles.
	Grid tiling.Grid
	// PeakBytes is the sum of the others: what Result.PeakBytes will be, but for the scratch memory of a CPU.
	PeakBytes int64
	// ArenaBytes is the program's memory for tensors, WeightBytes the packed weights, ScratchBytes what a GPU's kernels
	// work in, and PictureBytes the tile going in and out, the pictures being blended and resized, and the overlaps that
	// are still to be measured. With Refine "frame" they are those of the part that needs most, tiles or refiner.
	ArenaBytes, WeightBytes, ScratchBytes, PictureBytes int64
	// Work is the operations of all tiles and of a frame's refiner, as program.Work counts them: what the times of two
	// plans are to one another.
	Work float64
	// TileWork is that of one tile.
	TileWork float64
}

// DeviceBytes is what lies in the memory of the device: a discrete GPU's own.
func (i PlanInfo) DeviceBytes() int64 { return i.ArenaBytes + i.WeightBytes + i.ScratchBytes }

// Plan returns what keying a plate of w x h pixels takes on the processor under the given settings. Nothing is run and
// no weight is read.
func Plan(m *greenformer.Model, w, h int, s settings.Settings) (PlanInfo, error) {
	return planOn(cpuBytes, m, w, h, s)
}

// PlanGPU is Plan for a GPU.
func PlanGPU(m *greenformer.Model, w, h int, s settings.Settings) (PlanInfo, error) {
	return planOn(gpu.PlanBytes, m, w, h, s)
}

// devicePlan plans the memory of a program on a kind of device.
type devicePlan func(p *program.Program) (arena, weights, scratch int64, err error)

func cpuBytes(p *program.Program) (arena, weights, scratch int64, err error) {
	memory, err := program.Plan(p)
	return memory.Peak, cpu.WeightBytes(p), 0, err
}

func planOn(d devicePlan, m *greenformer.Model, w, h int, s settings.Settings) (PlanInfo, error) {
	if err := s.Validate(); err != nil {
		return PlanInfo{}, &JobError{err.Error(), "change the setting"}
	}
	if w < 1 || h < 1 {
		return PlanInfo{}, &JobError{"the plate has no pixels", "open a picture"}
	}
	info := PlanInfo{Grid: layout(w, h, s)}
	f := newFrame(w, h, s, info.Grid)
	if !refinesFrame(info.Grid, s) {
		err := info.add(d, m, wholePart, f.size, s, f.bytes(info.Grid, s)+info.Grid.MeterBytes(), info.Grid.Len())
		return info, err
	}
	err := info.add(d, m, coarsePart, f.size, s, f.coarseBytes(info.Grid, s), info.Grid.Len())
	if err == nil {
		err = info.add(d, m, refinerPart, frameSize(info.Grid), s, f.refinedBytes(info.Grid), 1)
	}
	return info, err
}

// add takes a part of the network, which runs a number of times, into the plan; of the memory, the part that needs most is
// what the plan says.
func (i *PlanInfo) add(d devicePlan, m *greenformer.Model, what part, size greenformer.Size, s settings.Settings, pictures int64, runs int) error {
	p, err := what.build(m, size, s)
	if err != nil {
		return err
	}
	if i.Work == 0 {
		i.TileWork = program.Work(p)
	}
	i.Work += float64(runs) * program.Work(p)
	arena, weights, scratch, err := d(p)
	if err != nil {
		return err
	}
	if peak := arena + weights + scratch + pictures; peak > i.PeakBytes {
		i.PeakBytes, i.ArenaBytes, i.WeightBytes, i.ScratchBytes, i.PictureBytes = peak, arena, weights, scratch, pictures
	}
	return nil
}

// bytes is the memory for pictures beside the device's, as attempt.bytes and attempt.result count it.
func (f frame) bytes(g tiling.Grid, s settings.Settings) int64 {
	const perPixel = 1 + 3 + 4.0/16 // matte, foreground, coarse maps at a quarter of each edge
	in := 3 + 1
	if !s.GPUPreprocess {
		in += 4
	}
	floats := float64(f.source.X * f.source.Y * in)
	floats += perPixel * float64(g.TileW*g.TileH)
	floats += 4*float64(g.W*g.H) + 4*float64(g.PadW*g.PadH)/16
	return int64(4*floats) + f.edgeBytes()
}

// edgeBytes is the memory for the frame's squares and for the result that they are resized to.
func (f frame) edgeBytes() int64 {
	if f.edge == 0 {
		return 0
	}
	whole := tiling.Plan(f.w, f.h, 0, 0)
	floats := 4*f.w*f.h + 4*whole.PadW*whole.PadH/16
	if f.onHost() {
		floats += f.edge * f.edge * 4
	}
	return 4 * int64(floats)
}

// coarseBytes is the memory for pictures while tiles make the coarse logits alone, with their previews.
func (f frame) coarseBytes(g tiling.Grid, s settings.Settings) int64 {
	blended := 4 * 4 * int64(g.W*g.H) // matte and foreground, which the refiner makes
	return f.bytes(g, s) - blended
}

// refinedBytes is the memory for pictures while the refiner runs: the plate that the foreground takes the
// place of, the matte, and the coarse logits.
func (f frame) refinedBytes(g tiling.Grid) int64 {
	pixels := int64(g.PadW * g.PadH)
	return 4*(4*pixels+4*pixels/16) + f.edgeBytes()
}
