// Package hint makes and checks hints: rough mattes [H, W, 1], 0..1, at the plate's size, bright over the
// subject, that tell the network what to key. A hint comes from a file (FromPicture) or from the screen's
// colour (FromChroma).
package hint

import (
	"fmt"
	"sync/atomic"

	"greenroom/engine/picture"
)

// Hint is a hint and what there is to say about it.
type Hint struct {
	// Matte is the hint itself, [H, W, 1], 0..1.
	Matte picture.Image
	// Channel is where in a file the hint was read; empty for a chroma hint.
	Channel Channel
	// Notices says what was found and done, most of it for information.
	Notices []Notice
}

// Kind is what a notice is about.
type Kind string

// The kinds of notices.
const (
	// KindChannel says which channel of the file is the hint.
	KindChannel Kind = "channel"
	// KindResized says that the hint had another size than the plate.
	KindResized Kind = "resized"
	// KindNonFinite says that the file held infinities or NaN.
	KindNonFinite Kind = "non-finite"
	// KindScreen says which screen colour was found.
	KindScreen Kind = "screen"
	// KindEmpty says that the hint marks nothing.
	KindEmpty Kind = "empty"
	// KindFull says that the hint marks everything.
	KindFull Kind = "full"
	// KindInverted says that the hint marks the screen instead of the subject.
	KindInverted Kind = "inverted"
	// KindWrongChannel says that another channel of the file would be better, KindAlpha that its alpha holds another
	// matte.
	KindWrongChannel Kind = "wrong channel"
	KindAlpha        Kind = "alpha"
	// KindDetail says that a part of the subject seems to lie outside the hint.
	KindDetail Kind = "detail"
)

// Notice is one thing to tell the artist about a hint.
type Notice struct {
	Kind Kind
	// Warning is set where the key will likely be wrong; else the notice is for information.
	Warning bool
	// Text is a sentence for the artist, without the file's name.
	Text string
	// Channel is the better one for KindWrongChannel and KindAlpha.
	Channel Channel
}

const (
	// marks is the hint over which a pixel is marked at all, and 1-marks the one from which it is fully.
	marks = 0.1
	// few is the share of pixels that may differ in an empty or a full hint: a crumb is no subject.
	few = 1e-5
)

// checkLevels reports a hint that marks nothing or everything.
func checkLevels(m picture.Image) []Notice {
	var some, rest atomic.Int64
	picture.ParallelRows(m.H, func(y0, y1 int) {
		marked, unmarked := 0, 0
		for _, v := range m.Pix[y0*m.W*m.C : y1*m.W*m.C] {
			if v > marks {
				marked++
			}
			if v < 1-marks {
				unmarked++
			}
		}
		some.Add(int64(marked))
		rest.Add(int64(unmarked))
	})
	limit := int64(few * float64(len(m.Pix)))
	switch {
	case some.Load() <= limit:
		return []Notice{{Kind: KindEmpty, Warning: true, Text: "the hint is empty: it is black everywhere, so nothing is marked as the subject"}}
	case rest.Load() <= limit:
		return []Notice{{Kind: KindFull, Warning: true, Text: "the hint is full: it is white everywhere, so nothing is marked as the screen"}}
	}
	return nil
}

// sized is "WxH" of an image.
func sized(m picture.Image) string { return fmt.Sprintf("%dx%d", m.W, m.H) }
