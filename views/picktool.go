//go:build !headless

package views

// pickTool picks the colour of the plate around a place, once for each press.
type pickTool struct {
	*toolbox
	target Target
}

// pickRadius is the radius of the ring around what is averaged, in the plate's pixels.
const pickRadius = 2.5

// Hover implements Tool.
func (p *pickTool) Hover(ToolPoint, bool) {}

// Down implements Tool.
func (p *pickTool) Down(at ToolPoint) {
	w, h := p.screen.viewer.size()
	if at.X >= 0 && at.Y >= 0 && at.X < float64(w) && at.Y < float64(h) {
		p.screen.intents.Pick(p.target, placeOf(at))
	}
}

// Move implements Tool.
func (p *pickTool) Move(ToolPoint) {}

// Up implements Tool.
func (p *pickTool) Up(ToolPoint) {}

// Ring implements Tool.
func (p *pickTool) Ring() Ring { return Ring{Radius: pickRadius} }

// Sketch implements Tool.
func (p *pickTool) Sketch() Sketch { return Sketch{} }
