package views

// Preferences are what the artist wants of the viewer, plate after plate.
type Preferences struct {
	// ScrollPans makes the wheel pan, and zoom with Ctrl or Cmd; else it zooms.
	ScrollPans bool `toml:"scroll_pans,omitempty"`
	// Bytes shows what is under the pointer in steps of 8 bits, 0..255; else linear light.
	Bytes bool `toml:"bytes,omitempty"`
	// Smooth filters the plate's pixels over 200 % too; else they are squares.
	Smooth bool `toml:"smooth,omitempty"`
	// Overlay is how the hint looks over the plate.
	Overlay OverlayLook `toml:"overlay,omitempty"`
}
