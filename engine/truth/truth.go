// Package truth draws plates whose mattes are known exactly, and measures mattes against them.
//
// A plate is a subject with edges from half a pixel to a dozen wide, hair and fur of sub-pixel strands,
// bars in motion, and discs out of focus, before an unevenly lit green or blue screen that spills onto it,
// with grain over everything. All layers are premultiplied and put over one another in one space, linear
// light or encoded values, so that plate = foreground over screen holds for the returned matte by
// construction; grain and 8-bit rounding come after. Drawn plates are no photographs: figures from them
// compare networks and settings, they do not promise an error on a set.
package truth

import (
	"fmt"
	"math/rand/v2"

	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// Scene says what to draw. The same scene gives the same plate (to the last bit on one kind of processor).
type Scene struct {
	// Size is the plate's edge in pixels. The scene keeps its layout at every size; widths of edges, strands,
	// blurs and grain scale with it from 2048 on down, as if the same frame had been scaled.
	Size int
	// Screen is green or blue.
	Screen settings.Screen
	// Linear adds light in linear light; otherwise encoded values are mixed.
	Linear bool
	// Seed chooses shapes, colours and light.
	Seed uint64
}

// Name says what the scene is in a word: green_linear_1.
func (s Scene) Name() string {
	space := "encoded"
	if s.Linear {
		space = "linear"
	}
	return fmt.Sprintf("%s_%s_%d", s.Screen, space, s.Seed)
}

// Plate is a drawn plate with its truth.
type Plate struct {
	Scene
	// RGB is the plate, [H, W, 3], sRGB-encoded, 0..1, on 8-bit steps.
	RGB picture.Image
	// Matte is the exact matte, [H, W, 1], 0..1.
	Matte picture.Image
	// FG is the clean foreground, [H, W, 3], straight, sRGB-encoded, without spill and grain; 0 where the
	// matte is 0.
	FG picture.Image
	// Hint is the matte box-reduced to an eighth and enlarged bilinearly, [H, W, 1].
	Hint picture.Image
}

// Set lists the scenes on which mattes are compared: both screens, both ways of adding light, two seeds
// each. Draw them one at a time: a plate of 2048 x 2048 takes 134 MB.
func Set(size int) []Scene {
	var scenes []Scene
	for _, screen := range []settings.Screen{settings.ScreenGreen, settings.ScreenBlue} {
		for _, linear := range []bool{true, false} {
			for seed := range uint64(2) {
				scenes = append(scenes, Scene{Size: size, Screen: screen, Linear: linear, Seed: seed + 1})
			}
		}
	}
	return scenes
}

// random returns the scene's own source of random numbers for one purpose. Screen and Linear take part, so
// that no two plates of a set show the same shapes.
func (s Scene) random(purpose uint64) *rand.Rand {
	mixed := s.Seed*4 + purpose<<32
	if s.Linear {
		mixed |= 1
	}
	if s.Screen == settings.ScreenBlue {
		mixed |= 2
	}
	return rand.New(rand.NewPCG(mixed, 0x47524E524D))
}

// pixels turns a length at 2048 into pixels of this size.
func (s Scene) pixels(at2048 float64) float64 { return at2048 * float64(s.Size) / 2048 }

// Purposes of random numbers.
const (
	forSubject = iota
	forStrands
	forBars
	forDiscs
	forScreen
	forGrain
)

// Draw draws the plate. A size under 1 gives an empty plate.
func (s Scene) Draw() Plate {
	p := Plate{Scene: s}
	if s.Size < 1 {
		return p
	}
	screen := newScreen(s)
	layers := newStack(s, screen)
	body := newSubject(s, screen.hue)
	layers.paint(newDisc(s, screen.hue, true))
	layers.paint(body)
	layers.strands(body.hair(s.random(forStrands)))
	layers.paint(newBars(s, screen.hue))
	layers.paint(newDisc(s, screen.hue, false))

	p.Matte = layers.matte()
	p.FG = layers.foreground()
	p.RGB = layers.over(screen)
	addGrain(p.RGB, s)
	p.Hint = Hint(p.Matte, 8)
	return p
}

// Hint makes a rough hint from a matte, [H, W, 1], as a small hand-drawn one would be: the mean of blocks of
// factor x factor pixels (fewer at the right and lower edge), enlarged bilinearly.
func Hint(matte picture.Image, factor int) picture.Image {
	small := picture.BoxReduce(matte, factor)
	return picture.Crop(picture.ResampleBilinear(small, small.W*factor, small.H*factor), 0, 0, matte.W, matte.H)
}
