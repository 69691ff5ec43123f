package app

import (
	"fmt"

	"greenroom/app/keying"
	"greenroom/engine/settings"
	"greenroom/presets"
)

// keepMost is the most bytes that the engine keeps of a plate's tiles beside its key.
const keepMost = presets.GiB

// keepRoom is how many bytes of tiles the engine may keep for the plate's next key: half of what the machine has left
// beside this one.
func (s *State) keepRoom() int64 {
	room := int64(s.Machine.MemoryGB)*presets.GiB*6/10 - s.Plan.Choice.PeakBytes
	return max(0, min(room/2, keepMost))
}

// tileBytes are more than the engine keeps of a pixel of a tile: matte, foreground and coarse result.
const tileBytes = 20

// keepsTiles reports whether the engine keeps the finished tiles of the key that is being made, were it stopped, for
// the next key, which would be the same.
func (s *State) keepsTiles() bool {
	r := s.Running
	now, ok := s.cause()
	if r == nil || r.Tile == 0 || !ok || r.cause != now {
		return false
	}
	return int64(r.Tile)*int64(s.Plan.Grid.TileW*s.Plan.Grid.TileH)*tileBytes <= s.keepRoom()
}

// tilesRun is the tiles' part of a key's work that was done, where some tiles were recalled: work as Plan has it.
func tilesRun(p *Plan, recalled int) float64 { return p.Work - float64(recalled)*p.TileWork }

// staying counts the tiles of a plan that the key that is shown has too, and that the engine keeps: the network need not
// run on them.
func (s *State) staying(p *Plan) int {
	k := s.Key
	if k == nil || !k.Whole || k.kept == 0 || k.kept != s.tilesTurn || k.Hint != s.Hint || k.Model != s.Model {
		return 0
	}
	a, b := k.Result.Used, p.Settings
	if a.Refine == settings.RefineFrame && b.Refine != a.Refine {
		return 0 // what refined tiles are made of was never made
	}
	a.Overlap, a.Refine = b.Overlap, b.Refine
	of, g := k.Result.Grid, p.Grid
	if a != b || of.TileW != g.TileW || of.TileH != g.TileH {
		return 0
	}
	have := map[[2]int]bool{}
	for i := range of.Len() {
		at := of.Tile(i).Min
		have[[2]int{at.X, at.Y}] = true
	}
	n := 0
	for i := range g.Len() {
		if at := g.Tile(i).Min; have[[2]int{at.X, at.Y}] {
			n++
		}
	}
	return n
}

// remedyNote says what a remedy leaves as it is and what runs again.
func (s *State) remedyNote(r Remedy) string {
	n, all := s.staying(r.Plan), r.Plan.Grid.Len()
	switch {
	case all == 1:
		return "One tile sees the whole frame, and no seam is left; the network runs on all of it"
	case r.Setting == "tile":
		return "Each tile then sees more around it: the network runs on all of them again"
	case n == 0:
		return "The network runs on all tiles again"
	case n == all && r.Plan.Settings.Refine != settings.RefineFrame:
		return "All tiles stay as they are: they are only blended in another way"
	case n == all:
		return "All tiles stay as they are: only the refiner runs, over the whole frame"
	}
	return fmt.Sprintf("%d of %d tiles stay as they are; the network runs on the others", n, all)
}

// recalledWords say how much of a key was there before; empty where nothing was.
func (k *Key) recalledWords() string {
	n := k.Result.Recalled
	switch {
	case n == 0:
		return ""
	case n < k.Tiles:
		return fmt.Sprintf(", %d of them kept", n)
	case k.Result.Used.Refine == settings.RefineFrame:
		return ", all kept: only the refiner ran"
	}
	return ", all kept"
}

// checkTooLarge says why the check of the key does not fit into the machine's memory; empty where it does.
func (s *State) checkTooLarge() string {
	m := s.Key.Result.Matte
	return sentence(keying.CheckTooLarge(s.Machine, s.Key.Choice.PeakBytes, m.W, m.H))
}
