package command

import (
	"slices"
	"strconv"
	"strings"

	"greenroom/app/keying"
	"greenroom/engine/settings"
)

// engineFlags are the single settings of the engine.
type engineFlags struct {
	Tile    *int     `placeholder:"N" help:"Edge of a tile in pixels, a multiple of 32; 0 keys the whole frame at once."`
	Overlap *int     `placeholder:"N" help:"Pixels that neighbouring tiles share."`
	Frame   *int     `placeholder:"N" help:"Resize the plate to N x N for the network; 0 keeps its own size."`
	Refine  *string  `placeholder:"tile|frame" help:"Where the refiner runs."`
	Set     []string `placeholder:"NAME=VALUE" help:"A single setting: ${settings} on or off, or half=bfloat16|float16, what bf16 stores. Repeat, or separate by commas."`
}

// setFlags reads what --set names.
func setFlags(texts []string) ([]keying.Setting, error) {
	var list []keying.Setting
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, badUsage("--set %s: write NAME=VALUE, as in sdpa=off or tile=512", text)
		}
		list = append(list, keying.Setting{Name: name, Value: value})
	}
	return list, nil
}

// asked returns the single settings in the order in which they count: --set, then the flags of their own.
func (f *engineFlags) asked() ([]keying.Setting, error) {
	list, err := setFlags(f.Set)
	if err != nil {
		return nil, err
	}
	number := func(name string, p *int) {
		if p != nil {
			list = append(list, keying.Setting{Name: name, Value: strconv.Itoa(*p)})
		}
	}
	number("tile", f.Tile)
	number("overlap", f.Overlap)
	number("frame", f.Frame)
	if f.Refine != nil {
		list = append(list, keying.Setting{Name: "refine", Value: *f.Refine})
	}
	// What cannot work with any plate is bad usage; the rest shows with the plate's own settings.
	s := settings.Default()
	for _, a := range list {
		if err := s.Set(a.Name, a.Value); err != nil {
			return nil, usageError{err}
		}
	}
	// A small tile that was asked for brings its overlap along, unless that was asked for too.
	named := slices.ContainsFunc(list, func(a keying.Setting) bool { return a.Name == "overlap" })
	if s.Tile > 0 && s.Overlap > s.Tile/2 && !named {
		s.Overlap = s.Tile / 2
		list = append(list, keying.Setting{Name: "overlap", Value: strconv.Itoa(s.Overlap)})
	}
	if err := s.Validate(); err != nil {
		return nil, usageError{err}
	}
	return list, nil
}
