package presets

import (
	"fmt"
	"slices"

	"greenroom/engine/settings"
)

// tileSteps are the tiles that are tried, largest first, when a key does not fit.
var tileSteps = [...]int{1024, 768, 512, 384, 256, 128}

// fit returns the settings with the smallest change that makes the planned peak fit the machine's limit:
// first a toggle that changes no result, then all of those, then the same with the next smaller tiles.
func fit(q Request, s settings.Settings) (settings.Settings, []Adjusted, error) {
	limit := q.Machine.Limit()
	if q.Peak == nil || limit <= 0 {
		return s, nil, nil
	}
	asked, err := q.Peak(s)
	if err != nil {
		return s, nil, fmt.Errorf("plan the key: %w", err)
	}
	if asked <= limit {
		return s, nil, nil
	}
	why := fmt.Sprintf("the key would need %s and this machine has %s for it", Memory(asked), Memory(limit))
	for _, c := range smallerChanges(s, q.Size) {
		peak, err := q.Peak(c)
		if err != nil {
			return s, nil, fmt.Errorf("plan the key: %w", err)
		}
		if peak <= limit {
			return c, compare(s, c, why), nil
		}
	}
	return s, nil, fmt.Errorf("%s, even in tiles of %d pixels: free memory, or use a smaller model", why, tileSteps[len(tileSteps)-1])
}

// smallerChanges lists settings that need less memory than s, the smallest change first.
func smallerChanges(s settings.Settings, size float64) []settings.Settings {
	var list []settings.Settings
	add := func(c settings.Settings) {
		if c != s && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	// lean turns on every toggle that saves memory and changes no result. Releasing between stages is slow and,
	// where one arena is planned by lifetimes, has the higher peak: it is tried last, for large full frames only.
	lean := func(c settings.Settings) settings.Settings {
		c.Slim, c.SDPA, c.FusedDecode, c.Compile, c.StageGC = true, true, true, true, false
		return c
	}
	leanest := lean(s)
	for _, name := range []string{"sdpa", "slim", "fused_decode", "compile", "stage_gc"} {
		c := s
		if value, _ := leanest.Get(name); c.Set(name, Word(value)) == nil {
			add(c)
		}
	}
	add(leanest)
	if wholeFrame(s.Tile, size) && size >= 2048 {
		c := leanest
		c.StageGC = true
		add(c)
	}
	// The refiner in tiles keeps the tiles as they were asked for; of what changes a result it changes the least.
	inTiles := func(c settings.Settings) settings.Settings {
		c.Refine = settings.RefineTile
		return c
	}
	add(inTiles(s))
	add(inTiles(leanest))
	for _, tile := range tileSteps {
		if !wholeFrame(s.Tile, size) && tile >= s.Tile || float64(tile) >= size {
			continue
		}
		c := s
		c.Tile, c.Overlap = tile, min(s.Overlap, tile/2)
		add(c)
		add(lean(c))
		add(inTiles(c))
		add(inTiles(lean(c)))
	}
	return list
}

// Memory writes a number of bytes for people: "2.3 GB", "640 MB" (1 GB = 2^30 bytes).
func Memory(bytes int64) string {
	if bytes >= GiB {
		return fmt.Sprintf("%.1f GB", float64(bytes)/GiB)
	}
	return fmt.Sprintf("%d MB", (bytes+1<<19)>>20)
}

// Word writes a setting's value for people: on and off for toggles, else as it is.
func Word(value any) string {
	switch value {
	case true:
		return "on"
	case false:
		return "off"
	}
	return fmt.Sprint(value)
}
