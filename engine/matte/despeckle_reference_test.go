package matte

import (
	"context"
	"errors"
	"math"
	"testing"

	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
)

func TestReferenceDespeckleRemovesSpecksAndCutsVeils(t *testing.T) {
	m := picture.New(300, 200, 1)
	picturetest.FillBox(m, 100, 60, 60, 80, 1)     // a subject
	picturetest.FillBox(m, 160, 90, 120, 20, 0.4)  // a veil that leaves it
	picturetest.FillBox(m, 20, 20, 19, 20, 1)      // 380 solid pixels: a speck to it
	picturetest.FillBox(m, 20, 150, 20, 20, 1)     // 400: none
	picturetest.FillBox(m, 141, 40, 10, 20, 0.501) // touches the subject by a corner: one island with it
	before := m
	m, err := DespeckleReference(t.Context(), m, 400)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		x, y int
		want float32
	}{
		"subject": {130, 100, 1}, "its corner": {100, 60, 1}, "speck": {30, 30, 0}, "400 pixels": {30, 160, 1},
		"near the subject": {165, 100, 0.4}, "veil 40 px away": {200, 100, 0}, "corner piece": {145, 45, 0.501},
	} {
		if v := m.Row(c.y)[c.x]; v != c.want {
			t.Errorf("%s: %v, want %v", name, v, c.want)
		}
	}
	// 25 px from the subject the widened mask ends, and its blur is at half there.
	for x, want := range map[int]float64{183: 0.68, 184: 0.6, 185: 0.4, 186: 0.32} {
		if v := float64(m.Row(100)[x]) / float64(before.Row(100)[x]); math.Abs(v-want) > 0.1 {
			t.Errorf("at %d px the veil is multiplied by %v, want about %v", x-160, v, want)
		}
	}
}

func TestReferenceDespeckleOff(t *testing.T) {
	m := picturetest.Matte(60, 40)
	if got, err := DespeckleReference(t.Context(), m, 0); err != nil || picturetest.FirstDifference(m.Pix, got.Pix) >= 0 {
		t.Fatalf("something changed, %v", err)
	}
	if _, err := DespeckleReference(t.Context(), picture.Image{C: 1}, 400); err != nil {
		t.Fatal(err)
	}
}

func TestReferenceDespeckleDilatesByTheEllipse(t *testing.T) {
	m := picture.New(31, 31, 1)
	m.Row(15)[15] = 1
	got, err := dilateEllipse(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	for y := range 31 {
		for x := range 31 {
			dx, dy := max(x-15, 15-x), max(y-15, 15-y)
			want := float32(0)
			if dy <= 5 && dx <= referenceEllipse()[dy] {
				want = 1
			}
			if got.Row(y)[x] != want {
				t.Fatalf("at %d,%d is %v, want %v", x-15, y-15, got.Row(y)[x], want)
			}
		}
	}
}

func TestMirroredDoesNotRepeatTheOutermost(t *testing.T) {
	for _, c := range [][3]int{{-1, 5, 1}, {-5, 5, 3}, {5, 5, 3}, {4, 5, 4}, {9, 5, 1}, {3, 1, 0}, {-2, 2, 0}} {
		if got := mirrored(c[0], c[1]); got != c[2] {
			t.Errorf("%d of %d is %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

func TestReferenceDespeckleStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := DespeckleReference(ctx, picturetest.Matte(60, 40), 400); !errors.Is(err, context.Canceled) {
		t.Fatalf("error is %v", err)
	}
}
