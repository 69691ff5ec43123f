//go:build !headless

package app

import (
	"fyne.io/fyne/v2"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// titleBar is what a window's frame takes of a screen's height, in units of the window.
const titleBar = 40

// firstSize is the size that a window begins with, on a screen with w x h places for windows: a window larger than that
// could not be moved to where its bottom is seen. scale is how many places a unit of the window takes; w of 0 says that
// the screen is not known.
func firstSize(want fyne.Size, w, h int, scale float32) fyne.Size {
	if w <= 0 || h <= 0 || scale <= 0 {
		return want
	}
	return fyne.NewSize(fyne.Min(want.Width, float32(w)/scale), fyne.Min(want.Height, float32(h)/scale-titleBar))
}

// fitScreen makes a window that was just opened fit the main screen. Call it on the window's goroutine.
func fitScreen(window fyne.Window) {
	monitor := glfw.GetPrimaryMonitor()
	if monitor == nil {
		return
	}
	_, _, w, h := monitor.GetWorkarea()
	now := window.Canvas().Size()
	if size := firstSize(now, w, h, window.Canvas().Scale()); size != now {
		window.Resize(size)
	}
}
