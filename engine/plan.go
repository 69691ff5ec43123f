package engine

import (
	"greenroom/engine/device/cpu"
	"greenroom/engine/greenformer"
	"greenroom/engine/program"
	"greenroom/engine/settings"
	"greenroom/engine/tiling"
)

// PlanInfo says what a job will take, before anything runs.
type PlanInfo struct {
	// Grid are the tiles.
	Grid tiling.Grid
	// PeakBytes is the sum of the others: what Result.PeakBytes will be, but for a device's scratch memory.
	PeakBytes int64
	// ArenaBytes is the program's memory for tensors, WeightBytes the packed weights on a CPU, and
	// PictureBytes the tile going in and out and the pictures being blended and resized.
	ArenaBytes, WeightBytes, PictureBytes int64
}

// Plan returns what keying a plate of w x h pixels takes under the given settings. Nothing is run and no
// weight is read.
func Plan(m *greenformer.Model, w, h int, s settings.Settings) (PlanInfo, error) {
	if err := s.Validate(); err != nil {
		return PlanInfo{}, &JobError{err.Error(), "change the setting"}
	}
	if w < 1 || h < 1 {
		return PlanInfo{}, &JobError{"the plate has no pixels", "open a picture"}
	}
	info := PlanInfo{Grid: layout(w, h, s)}
	f := newFrame(w, h, s, info.Grid)
	p, err := m.Build(f.size, s)
	if err != nil {
		return PlanInfo{}, err
	}
	memory, err := program.Plan(p)
	if err != nil {
		return PlanInfo{}, err
	}
	info.ArenaBytes, info.WeightBytes, info.PictureBytes = memory.Peak, cpu.WeightBytes(p), f.bytes(info.Grid, s)
	info.PeakBytes = info.ArenaBytes + info.WeightBytes + info.PictureBytes
	return info, nil
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
	if f.onHost() {
		floats += float64(f.edge * f.edge * 4)
	}
	if f.edge > 0 {
		whole := tiling.Plan(f.w, f.h, 0, 0)
		floats += 4*float64(f.w*f.h) + 4*float64(whole.PadW*whole.PadH)/16
	}
	return int64(4 * floats)
}
