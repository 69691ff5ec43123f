//go:build !headless

package views

import (
	"fmt"
	"image"
	"slices"

	"greenroom/engine/settings"
)

// looking is how the artist looks at the layers, beside the view. What cannot be shown now is kept for when it can.
type looking struct {
	channel Channel
	tone    Tone
	gain    MatteGain
	wipe    Wipe
	// chosen says that the wipe's right side was chosen, and not found.
	chosen bool
	// other is the key on the other grid as a side of a wipe.
	other *Second
}

// Prefer takes preferences as they were; what cannot be is as usual. Call it on Fyne's goroutine.
func (s *Screen) Prefer(p Preferences) {
	p.Overlay = p.Overlay.sound()
	s.preferences = p
	s.viewer.scrollPans = p.ScrollPans
	s.bottom.read(p.Bytes)
	s.viewer.point()
	s.panel.hint.overlay.show(p.Overlay)
	s.look()
}

// prefer changes preferences and tells of it.
func (s *Screen) prefer(p Preferences) {
	s.Prefer(p)
	if s.OnPreference != nil {
		s.OnPreference(p)
	}
}

// toggleScroll swaps what the wheel does, toggleBytes the numbers of the read-out.
func (s *Screen) toggleScroll() {
	p := s.preferences
	p.ScrollPans = !p.ScrollPans
	s.prefer(p)
}

// toggleSmooth shows enlarged pixels as squares, or filtered.
func (s *Screen) toggleSmooth() {
	p := s.preferences
	p.Smooth = !p.Smooth
	s.prefer(p)
}

func (s *Screen) toggleBytes() {
	p := s.preferences
	p.Bytes = !p.Bytes
	s.prefer(p)
}

// layers are those of the state, with the key on the other grid where there is no other to compare with.
func (s *Screen) layers() Layers {
	l, m := s.state.Layers, s.state.Seams
	o := &s.looking.other
	if l.Second != nil || !s.canWipeGrids() {
		// A key of before is large.
		*o = nil
		return l
	}
	if *o == nil || (*o).Key != m.Second || !slices.Equal((*o).Known, m.Known) {
		*o = &Second{Key: m.Second, Known: append([]image.Rectangle{}, m.Known...), Name: "other grid"}
	}
	l.Second = *o
	return l
}

// lookNow is how the layers are looked at.
func (s *Screen) lookNow() Look {
	c := s.state.Choices.Look
	look := Look{
		View: s.view, Overlay: s.overlay && !s.heatShown(), Tint: s.preferences.Overlay, Channel: s.looking.channel, Tone: s.looking.tone, Gain: s.looking.gain,
		Background: c.Background, Comp: c.Comp, KeyExposure: c.KeyExposure, Wipe: s.looking.wipe,
		Smooth: s.preferences.Smooth,
	}
	if s.tools.use.Kind == PickTool {
		// A tint would hide the colours that are picked.
		look.Tint.Style = Contour
	}
	if look.Channel == ChannelAlpha && s.state.Layers.Key == nil {
		look.Channel = ChannelRGB
	}
	look.Wipe.On = look.Wipe.On && slices.Contains(s.sides(), look.Wipe.Right)
	return look
}

// ShowChannel shows a channel; the one that is shown goes back to all of them.
func (s *Screen) ShowChannel(c Channel) {
	if s.looking.channel == c {
		c = ChannelRGB
	}
	s.looking.channel = c
	s.look()
}

// canChannel reports whether there is something to see in a channel.
func (s *Screen) canChannel(c Channel) bool {
	return s.hasPlate() && (c != ChannelAlpha || s.state.Layers.Key != nil)
}

// SetTone changes exposure and gamma of the view.
func (s *Screen) SetTone(t Tone) {
	s.looking.tone = t
	s.look()
}

// ToggleGain shows mattes under a gain, or as they are.
func (s *Screen) ToggleGain(g MatteGain) {
	if s.looking.gain == g {
		g = GainNone
	}
	s.looking.gain = g
	s.look()
}

// NextBackground lays the key over the next background.
func (s *Screen) NextBackground() {
	list := s.backgrounds()
	next := list[(slices.Index(list, s.state.Choices.Look.Background)+1)%len(list)]
	s.intents.Choose(Step{Name: "Background"}, func(c *settings.Choices) { c.Look.Background = next })
}

// backgrounds are those that there are: the picture only where one is open.
func (s *Screen) backgrounds() []settings.Background {
	return slices.DeleteFunc(settings.Backgrounds(), func(b settings.Background) bool {
		return b == settings.BackgroundPicture && s.state.Layers.Backdrop == nil
	})
}

// ToggleSeen shows the plate as the network sees it, or as it is.
func (s *Screen) ToggleSeen() {
	if s.view == ViewSeen {
		s.View(ViewPlate)
	} else {
		s.View(ViewSeen)
	}
}

// canSeen reports whether what the network sees can be shown.
func (s *Screen) canSeen() bool { return s.canView(ViewSeen) }

// sides are those that a wipe can show now.
func (s *Screen) sides() []Side {
	var list []Side
	for v := ViewPlate; v <= ViewSeen; v++ {
		if s.canView(v) {
			list = append(list, Side{View: v})
		}
	}
	if s.layers().Second != nil && s.state.Layers.Key != nil {
		list = append(list, Side{Second: true})
	}
	return list
}

// canWipe reports whether there are two sides to compare.
func (s *Screen) canWipe() bool { return len(s.sides()) > 1 }

// wiping reports whether a wipe is shown.
func (s *Screen) wiping() bool { return s.lookNow().Wipe.On }

// ToggleWipe shows two sides beside one another, or one.
func (s *Screen) ToggleWipe() {
	w := &s.looking.wipe
	if w.On = !s.wiping(); w.On && (!s.looking.chosen || !slices.Contains(s.sides(), w.Right) || w.Right == Side{View: s.view}) {
		w.Right = s.otherSide()
	}
	if !w.On {
		s.unhideHeat()
	}
	s.look()
}

// otherSide is what is compared with the view when nothing was chosen.
func (s *Screen) otherSide() Side {
	sides := s.sides()
	wanted := []Side{{View: ViewComp}, {View: ViewMatte}, {View: ViewPlate}, {View: ViewHint}, {View: ViewSeen}}
	if s.view.ofKey() {
		wanted = []Side{{Second: true}, {View: ViewPlate}}
	}
	for _, side := range wanted {
		if side != (Side{View: s.view}) && slices.Contains(sides, side) {
			return side
		}
	}
	return Side{}
}

// WipeWith chooses the right side of the wipe and shows it.
func (s *Screen) WipeWith(side Side) {
	s.looking.wipe.On, s.looking.wipe.Right, s.looking.chosen = true, side, true
	s.look()
}

// NextLeft and NextRight go to the next side of the wipe.
func (s *Screen) NextLeft() {
	views := slices.DeleteFunc(s.sides(), func(side Side) bool { return side.Second })
	s.View(views[(slices.Index(views, Side{View: s.view})+1)%len(views)].View)
}

func (s *Screen) NextRight() {
	sides := slices.DeleteFunc(s.sides(), func(side Side) bool { return side == Side{View: s.view} })
	s.WipeWith(sides[(slices.Index(sides, s.looking.wipe.Right)+1)%len(sides)])
}

// TurnWipe makes an upright line level, or the other way round.
func (s *Screen) TurnWipe() {
	s.looking.wipe.Level = !s.looking.wipe.Level
	s.look()
}

// gridsWiped reports whether the key is compared with that on the other grid, or will be as soon as that is there.
func (s *Screen) gridsWiped() bool {
	w := s.looking.wipe
	return w.On && w.Right.Second
}

// ToggleGridWipe compares the key with that on the other grid, or not. From a view of no key it goes to the matte, and back
// if the heat map lay over it.
func (s *Screen) ToggleGridWipe() {
	w, heat := &s.looking.wipe, s.heatShown()
	w.On = !s.gridsWiped()
	w.Right, s.looking.chosen = Side{Second: true}, false
	s.nextBySight()
	switch {
	case !w.On:
		s.unhideHeat()
	case !s.view.ofKey():
		if heat {
			s.seams.under = s.view
		}
		s.view, s.from = ViewMatte, noView
	}
	s.look()
}

// unhideHeat goes back to what the heat map lay over before it was hidden.
func (s *Screen) unhideHeat() {
	if under := &s.seams.under; *under != noView {
		s.view, *under = *under, noView
	}
}

// compareSecond shows another key beside this one as soon as the state has one to compare with. From a view of no key it
// goes to the matte.
func (s *Screen) compareSecond(before State) {
	second := s.state.Layers.Second
	if second == nil || second == before.Layers.Second || s.state.Layers.Key == nil {
		return
	}
	s.looking.wipe.On, s.looking.wipe.Right, s.looking.chosen = true, Side{Second: true}, false
	if !s.view.ofKey() {
		s.view, s.from = ViewMatte, noView
	}
}

// readout says what a pixel holds: of the key that is seen there, and under a heat map how far the tiles are apart.
func (s *Screen) readout(x, y int) string {
	layers := s.layers()
	if s.viewer.sideAt(x, y).Second && layers.Second != nil {
		layers.Key = layers.Second.Key
	}
	text := layers.Readout(x, y, s.preferences.Bytes)
	if s.heatShown() {
		text += fmt.Sprintf("  apart %5s", steps(s.state.Seams.Heat.At(x, y)))
	}
	return text
}
