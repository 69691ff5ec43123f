package keying

import "greenroom/engine/matte"

// Review is the matte check of a key. Shares are in percent of the frame.
type Review struct {
	Translucent float64 `json:"translucent" toml:"translucent"`
	Solid       float64 `json:"solid" toml:"solid"`
	Clear       float64 `json:"clear" toml:"clear"`
	// Findings are the worst first; More counts those that are left off.
	Findings []Finding `json:"findings" toml:"findings,omitempty"`
	More     int       `json:"more" toml:"more"`
}

// Finding is one place of a matte to look at.
type Finding struct {
	Kind matte.FindingKind `json:"kind" toml:"kind"`
	// X and Y are its worst pixel; Box is x0, y0, x1, y1 around it.
	X   int    `json:"x" toml:"x"`
	Y   int    `json:"y" toml:"y"`
	Box [4]int `json:"box" toml:"box"`
	// Pixels counts its pixels, Worst is its worst matte, Amount how much matte is wrong in all.
	Pixels int     `json:"pixels" toml:"pixels"`
	Worst  float64 `json:"worst" toml:"worst"`
	Amount float64 `json:"amount" toml:"amount"`
	// Text says it in words.
	Text string `json:"text" toml:"-"`
}

// mostFindings is how many findings are told: nobody reads more.
const mostFindings = 50

// AddReview adds the check of the key's matte, which the sidecar keeps.
func (r *Report) AddReview(of matte.Review) { r.Review = newReview(of) }

func newReview(r matte.Review) *Review {
	out := &Review{
		Translucent: 100 * r.Translucent, Solid: 100 * r.Solid, Clear: 100 * r.Clear,
		Findings: []Finding{}, More: r.More,
	}
	for i, f := range r.Findings {
		if i == mostFindings {
			out.More += len(r.Findings) - i
			break
		}
		out.Findings = append(out.Findings, Finding{
			Kind: f.Kind, X: f.X, Y: f.Y, Box: [4]int{f.Box.Min.X, f.Box.Min.Y, f.Box.Max.X, f.Box.Max.Y},
			Pixels: f.Pixels, Worst: float64(f.Worst), Amount: f.Amount, Text: f.String(),
		})
	}
	return out
}
