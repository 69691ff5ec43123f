package views

// Target is what a tool marks on a plate.
type Target int

const (
	// TargetHint is the hint: strokes paint over it, and colours that are picked are the screen's.
	TargetHint Target = iota
	// TargetCore is where the matte must be 1, TargetGarbage where it must be 0.
	TargetCore
	TargetGarbage
	// TargetKept is what despill leaves alone: places by strokes, colours by picking.
	TargetKept
)
