package matte

import (
	"math/rand/v2"
	"testing"

	"greenroom/engine/bench/benchtest"
	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
)

// sourceDetail puts the plate into the foreground where the matte is solid.
func sourceDetail(t testing.TB, fg, plate, matte picture.Image) {
	t.Helper()
	share, err := SourceShare(t.Context(), matte)
	if err != nil {
		t.Fatal(err)
	}
	if err := SourceDetail(t.Context(), fg, plate, share); err != nil {
		t.Fatal(err)
	}
}

func TestSourceDetailIsThePlateInTheCoreAndTheNetworkAtTheEdge(t *testing.T) {
	// At a long edge of 1920 the plate starts 3 px inside the solid area and is alone from 10 px on.
	const w, h = 1920, 40
	random := rand.New(rand.NewPCG(3, 4))
	plate, fg, matte := picture.New(w, h, 3), picture.New(w, h, 3), picture.New(w, h, 1)
	for i := range plate.Pix {
		plate.Pix[i], fg.Pix[i] = random.Float32()*3-0.5, random.Float32()
	}
	// Solid from x = 100 on, nearly solid before.
	picturetest.FillBox(matte, 0, 0, 100, h, 0.97)
	picturetest.FillBox(matte, 100, 0, w-100, h, 0.98)
	network := fg.Clone()
	sourceDetail(t, fg, plate, matte)
	for y := range h {
		for x := range w {
			for i := 3 * x; i < 3*x+3; i++ {
				got, net, own := fg.Row(y)[i], network.Row(y)[i], plate.Row(y)[i]
				// The first solid pixel, at 100, is 1 px from the area's edge.
				switch d := x - 99; {
				case d <= 3 && got != net:
					t.Fatalf("%d px inside: %v, want the network's %v", d, got, net)
				case d >= 10 && got != own:
					t.Fatalf("%d px inside: %v, want the plate's %v", d, got, own)
				case d > 3 && d < 10 && (got < min(net, own) || got > max(net, own)):
					t.Fatalf("%d px inside: %v is not between %v and %v", d, got, net, own)
				}
			}
		}
	}
}

func TestSourceDetailScalesWithTheFrame(t *testing.T) {
	const w, h = 960, 8
	plate, fg, matte := picture.New(w, h, 3), picture.New(w, h, 3), picture.New(w, h, 1)
	picturetest.FillBox(matte, 100, 0, w-100, h, 1)
	for i := range plate.Pix {
		plate.Pix[i] = 1
	}
	sourceDetail(t, fg, plate, matte)
	row := fg.Row(4)
	if row[3*100] != 0 || row[3*102] == 0 || row[3*104] != 1 {
		t.Fatalf("1, 3 and 5 px inside the plate's share is %v, %v, %v", row[3*100], row[3*102], row[3*104])
	}
}

func TestSourceDetailOfASubjectCutByTheFrame(t *testing.T) {
	plate, fg, matte := picture.New(64, 32, 3), picture.New(64, 32, 3), picture.New(64, 32, 1)
	for i := range plate.Pix {
		plate.Pix[i] = 0.5
	}
	picturetest.FillBox(matte, 0, 0, 64, 32, 1)
	sourceDetail(t, fg, plate, matte)
	if i := picturetest.FirstDifference(fg.Pix, plate.Pix); i >= 0 {
		t.Fatalf("sample %d is %v: the frame's edge is no edge of the subject", i, fg.Pix[i])
	}
}

func BenchmarkSourceDetail(b *testing.B) {
	fg, plate, matte := drawnForeground(1920, 1080), drawnForeground(1920, 1080), picturetest.Matte(1920, 1080)
	benchtest.Measure(b, func() { sourceDetail(b, fg, plate, matte) })
}
