//go:build !headless

package views

import (
	"image"
	"time"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// emptyState is the room before anything was opened.
func emptyState() State {
	return State{
		Machine: "Apple M4 Pro, 24 GB", Choices: settings.Choices{Look: settings.DefaultLook()},
		Recents: []Recent{
			{Path: "/a", Name: "shot_010.png", Folder: "/jobs/lantern/plates"},
			{Path: "/b", Name: "Straße 7 grün.tif", Folder: "/jobs/strasse"},
		},
	}
}

// The drawn plate: a disc before a screen.
const plateW, plateH = 640, 360

func disc(x, y int) float32 {
	dx, dy := float32(x-plateW/2), float32(y-plateH/2)
	return min(max((110*110-dx*dx-dy*dy)/4000, 0), 1)
}

func plateLayers() Layers {
	plate := drawn(plateW, plateH, 3, func(x, y, c int) float32 {
		a := disc(x, y)
		return a*[]float32{0.8, 0.55, 0.45}[c] + (1-a)*[]float32{0.12, 0.62, 0.2}[c]
	})
	hint := drawn(plateW, plateH, 1, func(x, y, _ int) float32 { return disc(x, y) })
	return Layers{Plate: NewShown(picture.Picture{RGB: plate, Space: colour.SRGB}), Hint: NewShownHint(hint)}
}

// openState is the room with a plate and its hint.
func openState() State {
	s := emptyState()
	s.Plate = PlateState{
		Name: "shot_010.png", Details: "640 x 360, 16-bit PNG", Space: "sRGB", SpaceNote: "guessed", Guess: "sRGB",
		NoLayers: "A PNG file has no layers",
	}
	s.Hint = HintState{Source: "From shot_010-hint.png", FromFile: true, Screen: "green"}
	s.Model = models()
	s.Layers = plateLayers()
	s.Plan = PlanState{Settings: "2 x 1 tiles of 384, overlap 64", Memory: "about 1.1 GB of 14.4 GB"}
	s.Setup = smallMac()
	s.Seams = SeamState{
		Bands: []Band{{image.Rect(256, 0, 384, plateH), true}}, About: "2 tiles, 1 border. Key the plate to measure it.",
		WhyNot: "Key the plate first", NoHeat: "Key the plate first", NoSecond: "Check the seams first", Left: -1,
	}
	s.Key.Ready = true
	s.Export = ExportState{
		ExportChoice: ExportChoice{Key: true, Matte: true}, Used: ExportPNG, NoComp: "Choose a background first",
		NoDepth:  "PNG has 16 bits a sample",
		NoMatteY: "Only OpenEXR has a choice of channels", Contract: "straight sRGB, 16-bit PNG",
		Folder: "/jobs/lantern/plates/keys", Files: []string{"shot_010_key.png", "shot_010_matte.png"},
		WhyNot: "Key the plate first",
	}
	return s
}

// keyImages are the finished key's matte and foreground.
func keyImages() (matte, fg picture.Image) {
	matte = drawn(plateW, plateH, 1, func(x, y, _ int) float32 { return disc(x, y) })
	fg = drawn(plateW, plateH, 3, func(_, _, c int) float32 { return []float32{0.8, 0.55, 0.45}[c] })
	return matte, fg
}

// wholeKey is the finished key.
func wholeKey() *Key {
	matte, fg := keyImages()
	return NewKey(matte, fg, colour.SRGB)
}

// halfState is the room while the second of two tiles is keyed.
func halfState() State {
	s := openState()
	s.Layers.Key = NewPartialKey(plateW, plateH)
	matte, fg := keyImages()
	s.Layers.Key.Add(picture.Crop(matte, 0, 0, 384, plateH), picture.Crop(fg, 0, 0, 384, plateH), image.Point{})
	s.Layers.Tiles = 1
	s.Key.Running, s.Key.Tile, s.Key.Tiles, s.Key.Left = true, 1, 2, 12*time.Second
	return s
}

// doneState is the room with a key that has been written.
func doneState() State {
	s := openState()
	s.Layers.Key = wholeKey()
	s.Key.Summary = "Keyed in 4.2 s, 2 tiles"
	s.Export.Ready, s.Export.WhyNot = true, ""
	s.Export.Written = []string{"shot_010_key.png", "shot_010_matte.png", "shot_010_key.toml"}
	return s
}

// failedState is the room with a problem.
func failedState() State {
	s := openState()
	s.Plan.Adjusted = []Adjusted{{"tile", "0", "512", "the whole frame would take 21.4 GB, and this machine allows 14.4 GB"}}
	s.Problem = &Problem{
		What: "Cannot use scan-hint.png", Why: "it is 1000 x 1000, another shape than the plate's 640 x 360",
		Fix: "give a hint of the plate's shape", Button: "Open another hint…",
	}
	return s
}
