package bench

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"greenroom/engine/settings"
)

// Sweep names a list of configurations that are measured against one another.
type Sweep string

const (
	// Ablation is everything on, each of the six toggles off in turn, and everything off.
	Ablation Sweep = "ablation"
	// Tiles is the full frame and four ways to tile it, each with and without compile.
	Tiles Sweep = "tiles"
	// Key is a few telling combinations.
	Key Sweep = "key"
	// Full is every combination of the six toggles.
	Full Sweep = "full"
)

// Sweeps lists every sweep.
func Sweeps() []Sweep { return []Sweep{Ablation, Tiles, Key, Full} }

// Setting is a single setting as text: "sdpa", "on".
type Setting struct{ Name, Value string }

// Config is one configuration of a sweep.
type Config struct {
	// Name is "baseline", or what is switched on, joined by +, in the order of the reference harness; in the tiles
	// sweep "full frame" or "tiled TILE/OVERLAP". Settings that are held for the whole sweep are not in it.
	Name     string
	Settings settings.Settings
	// Baseline says that the others are held against this one.
	Baseline bool
}

// toggles returns what the sweeps but for tiles switch, in the order in which names list them.
func toggles() []string {
	return []string{"slim", "stage_gc", "sdpa", "bf16", "fused_decode", "gpu_preprocess"}
}

// The configuration that the others of a sweep are held against.
const (
	baselineName  = "baseline"
	fullFrameName = "full frame"
)

// Configs lists the configurations of the sweep with some settings held: they have the given value in every
// configuration, and what they make equal is listed once. What neither the sweep nor held sets is off (in the tiles
// sweep as in settings.Default), with the whole frame in one call. It returns an error for a setting that there is not,
// a value that cannot work, and one that the tiles sweep itself sets.
func (s Sweep) Configs(held []Setting) ([]Config, error) {
	var list []Config
	switch s {
	case Ablation, Key, Full:
		for _, on := range s.combinations() {
			c, err := switched(held, on)
			if err != nil {
				return nil, err
			}
			list = append(list, c)
		}
	case Tiles:
		if isHeld(held, "tile") || isHeld(held, "overlap") {
			return nil, errors.New("tile and overlap cannot be held: the tiles sweep sets them itself")
		}
		for _, t := range []struct{ tile, overlap int }{{0, settings.Default().Overlap}, {512, 64}, {512, 128}, {768, 64}, {1024, 64}} {
			list = append(list, tiled(held, t.tile, t.overlap, false), tiled(held, t.tile, t.overlap, true))
		}
	default:
		return nil, fmt.Errorf("no sweep is called %q: there are ablation, tiles, key and full", string(s))
	}
	return hold(list, held)
}

// combinations lists the toggles that are on in each configuration of a sweep that switches toggles.
func (s Sweep) combinations() [][]string {
	all := toggles()
	switch s {
	case Ablation:
		list := [][]string{all}
		for i := range all {
			list = append(list, slices.Delete(slices.Clone(all), i, i+1))
		}
		return append(list, nil)
	case Key:
		return [][]string{
			nil, {"bf16", "fused_decode"}, {"slim", "stage_gc", "sdpa", "gpu_preprocess"}, all, {"sdpa"}, {"stage_gc"},
		}
	}
	var list [][]string
	for mask := range 1 << len(all) {
		var on []string
		for i, name := range all {
			if mask>>i&1 != 0 {
				on = append(on, name)
			}
		}
		list = append(list, on)
	}
	return list
}

// switched is the configuration with some toggles on and the others off.
func switched(held []Setting, on []string) (Config, error) {
	c := Config{Settings: settings.Settings{Overlap: settings.Default().Overlap, Refine: settings.RefineTile}}
	var names []string
	for _, name := range on {
		if err := c.Settings.Set(name, "on"); err != nil {
			return c, err
		}
		if !isHeld(held, name) {
			names = append(names, name)
		}
	}
	c.Name = strings.Join(names, "+")
	if c.Name == "" {
		c.Name, c.Baseline = baselineName, true
	}
	return c, nil
}

// tiled is the configuration with a tile, or with the whole frame where that is 0.
func tiled(held []Setting, tile, overlap int, compile bool) Config {
	c := Config{Name: fullFrameName, Settings: settings.Default()}
	if tile > 0 {
		c.Name = fmt.Sprintf("tiled %d/%d", tile, overlap)
	}
	c.Settings.Tile, c.Settings.Overlap, c.Settings.Compile = tile, overlap, compile
	if compile && !isHeld(held, "compile") {
		c.Name += "+compile"
	}
	c.Baseline = c.Name == fullFrameName
	return c
}

func isHeld(held []Setting, name string) bool {
	return slices.ContainsFunc(held, func(h Setting) bool { return h.Name == name })
}

// hold lays the held settings over every configuration and leaves out those that became equal to an earlier one.
func hold(list []Config, held []Setting) ([]Config, error) {
	var kept []Config
	seen := make(map[settings.Settings]bool)
	for _, c := range list {
		for _, h := range held {
			if err := c.Settings.Set(h.Name, h.Value); err != nil {
				return nil, err
			}
		}
		// A small tile that is held brings its overlap along, unless that is held too.
		if s := &c.Settings; s.Tile > 0 && s.Overlap > s.Tile/2 && !isHeld(held, "overlap") {
			s.Overlap = s.Tile / 2
		}
		if err := c.Settings.Validate(); err != nil {
			return nil, err
		}
		if !seen[c.Settings] {
			seen[c.Settings] = true
			kept = append(kept, c)
		}
	}
	return kept, nil
}
