package settings

import "slices"

// Choices are all that an artist chooses for one plate and its key, but for how the machine runs the network: with the
// plate's file they make the key again. They are a value: what the slices hold is never changed, so that a copy is a
// moment that undo can bring back.
type Choices struct {
	Look  Look
	Marks Marks
	// Hint is the path of the hint; empty takes the one beside the plate, else one from the screen's colour. Chroma
	// takes the last even where a file lies beside.
	Hint   string
	Chroma bool
	// Edit is what is done with the hint before Marks.Hint is painted over it.
	Edit HintEdit
	// Core, Garbage and Backdrop are the paths of a core matte, a garbage matte and a background picture; empty for
	// none.
	Core, Garbage, Backdrop string
	// BackdropSpace is what the background picture's numbers mean, by its name; empty takes the file's word.
	BackdropSpace string
	// Space is what the plate's numbers mean, by its name; empty takes the file's word. Layer is the layer of an OpenEXR
	// plate; empty is the picture itself.
	Space, Layer string
}

// Validate reports the first choice that cannot work, with what would. Files and names of spaces are not looked at.
func (c Choices) Validate() error {
	if err := c.Look.Validate(); err != nil {
		return err
	}
	if err := c.Edit.Validate(); err != nil {
		return err
	}
	return c.Marks.Validate()
}

// Equal reports whether two choices are the same.
func (c Choices) Equal(o Choices) bool {
	return c.Look == o.Look && c.Marks.Equal(o.Marks) && c.Hint == o.Hint && c.Chroma == o.Chroma && c.Edit == o.Edit &&
		c.Core == o.Core && c.Garbage == o.Garbage && c.SameBackdrop(o) && c.Space == o.Space && c.Layer == o.Layer
}

// SameHint reports whether two choices make the same hint of a plate.
func (c Choices) SameHint(o Choices) bool {
	return c.SameHintSource(o) && c.Edit == o.Edit && EqualStrokes(c.Marks.Hint, o.Marks.Hint)
}

// SameHintSource reports whether two choices take the hint from the same source, before it is edited and painted over.
func (c Choices) SameHintSource(o Choices) bool {
	return c.Hint == o.Hint && c.Chroma == o.Chroma && c.Edit.Source() == o.Edit.Source() && c.Look.Screen == o.Look.Screen &&
		c.Look.ChromaSmooth == o.Look.ChromaSmooth && c.Look.KeyExposure == o.Look.KeyExposure &&
		slices.Equal(c.Marks.Samples, o.Marks.Samples)
}

// WithHintOf returns the choices with those of o that make the hint.
func (c Choices) WithHintOf(o Choices) Choices {
	c.Hint, c.Chroma, c.Edit = o.Hint, o.Chroma, o.Edit
	c.Look.Screen, c.Look.ChromaSmooth, c.Look.KeyExposure = o.Look.Screen, o.Look.ChromaSmooth, o.Look.KeyExposure
	c.Marks.Samples, c.Marks.Hint = o.Marks.Samples, o.Marks.Hint
	return c
}

// SameFinish reports whether two choices make the same matte and foreground of a network's result. How a comp is laid
// over its background does not count, nor what only hint and network see.
func (c Choices) SameFinish(o Choices) bool {
	a, b := c.Look, o.Look
	a.Background, a.Comp = b.Background, b.Comp
	a.Screen, a.ChromaSmooth, a.KeyExposure = b.Screen, b.ChromaSmooth, b.KeyExposure
	return a == b && c.Marks.Core.Equal(o.Marks.Core) && c.Marks.Garbage.Equal(o.Marks.Garbage) &&
		slices.Equal(c.Marks.Kept, o.Marks.Kept) && EqualStrokes(c.Marks.KeptStrokes, o.Marks.KeptStrokes) &&
		c.Core == o.Core && c.Garbage == o.Garbage
}

// SameBackdrop reports whether two choices read the same background picture alike.
func (c Choices) SameBackdrop(o Choices) bool {
	return c.Backdrop == o.Backdrop && c.BackdropSpace == o.BackdropSpace
}

// SamePlate reports whether two choices read a plate's file alike.
func (c Choices) SamePlate(o Choices) bool { return c.Space == o.Space && c.Layer == o.Layer }
