package gpu

import (
	"testing"
	"time"

	"greenroom/engine/device/kernels"
)

// stepsOf returns n steps of so much work each.
func stepsOf(n int, work float64) []Step {
	steps := make([]Step, n)
	for i := range steps {
		steps[i].Call = kernels.Call{Work: work}
	}
	return steps
}

// TestRateFollowsWhatPiecesShow holds the rate against a device of a known speed, behind a start that takes a while:
// many small pieces leave it alone, and from far below and far above it comes near the truth.
func TestRateFollowsWhatPiecesShow(t *testing.T) {
	const speed, start = 1e12, 200 * time.Microsecond
	took := func(work float64) time.Duration {
		return start + time.Duration(work/speed*float64(time.Second))
	}
	for _, first := range []float64{slowest, 1e10, 1e15} {
		d := &Device{rate: first}
		for range 100 {
			d.learn(stepsOf(1, 1000), took(1000))
		}
		if d.rate != first {
			t.Errorf("from %g: small pieces move the rate to %g", first, d.rate)
		}
		steps := stepsOf(100000, 1e9)
		at := 0
		for range 30 {
			to := next(steps, at, d.rate)
			work := float64(to-at) * 1e9
			if to-at > 1 && work > d.rate*pieceSeconds {
				t.Fatalf("a piece of %g operations at a rate of %g", work, d.rate)
			}
			d.learn(steps[at:to], took(work))
			at = to % (len(steps) / 2)
		}
		if d.rate < speed/2 || d.rate > speed {
			t.Errorf("from %g the rate comes to %g, not %g", first, d.rate, speed)
		}
	}
}

// TestPiecesJoinAndPart joins pieces that were short and halves one that was long, and keeps every step once.
func TestPiecesJoinAndPart(t *testing.T) {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	p := pace{pieces: []work{
		{from: 0, to: 5, took: ms(50)}, {from: 5, to: 6, took: ms(60)}, {from: 6, to: 9, took: ms(150)},
		{from: 9, to: 19, took: ms(900)}, {from: 19, to: 20, took: ms(900)},
	}}
	p.adjust(nil)
	want := []work{
		{from: 0, to: 6, took: ms(110)}, {from: 6, to: 9, took: ms(150)},
		{from: 9, to: 14, took: ms(450)}, {from: 14, to: 19, took: ms(450)}, {from: 19, to: 20, took: ms(900)},
	}
	if len(p.pieces) != len(want) {
		t.Fatalf("pieces %v", p.pieces)
	}
	for i := range want {
		if p.pieces[i] != want[i] {
			t.Errorf("piece %d is %+v, not %+v", i, p.pieces[i], want[i])
		}
	}
}
