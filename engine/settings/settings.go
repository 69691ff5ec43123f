// Package settings holds what an artist can set, as plain data: how the engine runs (Settings) and how
// the key looks (Look). Names are the same everywhere: flag, TOML key, label, table. It imports nothing of ours.
package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Refine says where the refiner runs.
type Refine string

const (
	// RefineTile runs the refiner inside each tile, with that tile's own GroupNorm statistics.
	RefineTile Refine = "tile"
	// RefineFrame runs the refiner once over the whole frame, with frame-wide statistics.
	RefineFrame Refine = "frame"
)

// Settings says how the engine runs the network. No toggle changes the result beyond its tolerance;
// Tile, Overlap, Frame and Refine change what the network sees.
type Settings struct {
	// Slim keeps only the matte, the foreground and the coarse logits as outputs, not every intermediate map.
	Slim bool `toml:"slim"`
	// SDPA fuses attention, so that scores are never stored.
	SDPA bool `toml:"sdpa"`
	// BF16 stores the encoder after stage 1, the decoders and the refiner in half width, in the format of Half, with
	// float32 sums.
	BF16 bool `toml:"bf16"`
	// FusedDecode folds both decoder heads into one matrix a scale.
	FusedDecode bool `toml:"fused_decode"`
	// GPUPreprocess runs normalise, resize and pack as ops on the device instead of before it.
	GPUPreprocess bool `toml:"gpu_preprocess"`
	// StageGC releases memory between encoder, decoders and refiner instead of keeping one arena.
	StageGC bool `toml:"stage_gc"`
	// Compile fuses epilogues and records the program once to replay it.
	Compile bool `toml:"compile"`
	// Tile is the edge of a square tile in pixels, a multiple of 32; 0 is the whole frame in one call.
	Tile int `toml:"tile"`
	// Overlap is how many pixels two neighbouring tiles share.
	Overlap int `toml:"overlap"`
	// Frame resizes the plate to Frame x Frame for the network and the result back; 0 keeps the plate's own size.
	Frame int `toml:"frame"`
	// Refine says where the refiner runs.
	Refine Refine `toml:"refine"`
	// Half is the format of what BF16 stores in half width; without BF16 it changes nothing.
	Half Half `toml:"half"`
}

// Default returns the settings that hold before any rule or preset has spoken.
func Default() Settings {
	return Settings{
		Slim: true, SDPA: true, FusedDecode: true, GPUPreprocess: true, Compile: true,
		Overlap: 64, Refine: RefineTile,
	}
}

// Names lists every setting in the order in which tables show them.
func Names() []string {
	return []string{
		"slim", "stage_gc", "sdpa", "bf16", "fused_decode", "gpu_preprocess", "compile",
		"tile", "overlap", "frame", "refine", "half",
	}
}

// field returns a pointer to the setting of that name: *bool, *int, *Refine or *Half; nil if there is none.
func (s *Settings) field(name string) any {
	switch name {
	case "slim":
		return &s.Slim
	case "stage_gc":
		return &s.StageGC
	case "sdpa":
		return &s.SDPA
	case "bf16":
		return &s.BF16
	case "fused_decode":
		return &s.FusedDecode
	case "gpu_preprocess":
		return &s.GPUPreprocess
	case "compile":
		return &s.Compile
	case "tile":
		return &s.Tile
	case "overlap":
		return &s.Overlap
	case "frame":
		return &s.Frame
	case "refine":
		return &s.Refine
	case "half":
		return &s.Half
	}
	return nil
}

// Get returns the value of the setting of that name, a bool, an int or a string, and whether there is one.
func (s Settings) Get(name string) (any, bool) {
	switch p := s.field(name).(type) {
	case *bool:
		return *p, true
	case *int:
		return *p, true
	case *Refine:
		return string(*p), true
	case *Half:
		return p.String(), true
	}
	return nil, false
}

// Set parses value into the setting of that name: on or off (also true, false) for a toggle, pixels for a
// size, tile or frame for refine, bfloat16 or float16 for half. On an error nothing changes.
func (s *Settings) Set(name, value string) error {
	switch p := s.field(name).(type) {
	case *bool:
		switch strings.ToLower(value) {
		case "on", "true":
			*p = true
		case "off", "false":
			*p = false
		default:
			return fmt.Errorf("%s is %q: a toggle is on or off", name, value)
		}
	case *int:
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("%s is %q: give a whole number of pixels", name, value)
		}
		*p = n
	case *Refine:
		*p = Refine(strings.ToLower(value))
	case *Half:
		return p.UnmarshalText([]byte(strings.ToLower(value)))
	default:
		return fmt.Errorf("no setting is called %q: there are %s", name, strings.Join(Names(), ", "))
	}
	return nil
}

// Map returns every setting by its name, as JSON and tables show it.
func (s Settings) Map() map[string]any {
	m := make(map[string]any, len(Names()))
	for _, n := range Names() {
		m[n], _ = s.Get(n)
	}
	return m
}

// MaxSize is the largest tile or frame that can be asked for, in pixels.
const MaxSize = 16384

// Validate reports the first setting whose value cannot work, with what would.
func (s Settings) Validate() error {
	switch {
	case s.Tile < 0 || s.Tile > MaxSize || s.Tile%32 != 0:
		return fmt.Errorf("tile is %d: give 0 for the whole frame, or a multiple of 32 up to %d", s.Tile, MaxSize)
	case s.Tile != 0 && s.Tile < 64:
		return fmt.Errorf("tile is %d: the smallest tile is 64", s.Tile)
	case s.Overlap < 0:
		return fmt.Errorf("overlap is %d: it cannot be negative", s.Overlap)
	case s.Tile != 0 && s.Overlap > s.Tile/2:
		return fmt.Errorf("overlap is %d: it can be at most half the tile (%d)", s.Overlap, s.Tile/2)
	case s.Frame < 0 || s.Frame > MaxSize || s.Frame%32 != 0:
		return fmt.Errorf("frame is %d: give 0 for the plate's own size, or a multiple of 32 up to %d", s.Frame, MaxSize)
	case !slices.Contains([]Refine{RefineTile, RefineFrame}, s.Refine):
		return fmt.Errorf("refine is %q: it is tile or frame", s.Refine)
	case s.Half > Float16:
		return fmt.Errorf("half is %s: it is bfloat16 or float16", s.Half)
	}
	return nil
}
