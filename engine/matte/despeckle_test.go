package matte

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"greenroom/engine/bench/benchtest"
	"greenroom/engine/picture"
	"greenroom/engine/picture/picturetest"
	"pgregory.net/rapid"
)

// despeckled is DespeckleIslands.
func despeckled(t *testing.T, m picture.Image, area int) picture.Image {
	t.Helper()
	m, err := DespeckleIslands(t.Context(), m, area)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDespeckleIslands(t *testing.T) {
	type box struct {
		x, y, w, h int
		v          float32
	}
	tests := []struct {
		name string
		keep []box
		dust []box
	}{
		{name: "faint dust on the screen goes", dust: []box{{20, 20, 5, 5, 0.3}, {80, 90, 1, 1, 0.01}}},
		{name: "dust at the frame's corner goes", dust: []box{{0, 0, 3, 3, 0.4}, {117, 117, 3, 3, 0.4}}},
		{name: "a bright speck stays", keep: []box{{20, 20, 2, 2, 0.5}}},
		{name: "a wide veil stays", keep: []box{{20, 20, 25, 20, 0.1}}},
		{name: "just under the area goes", dust: []box{{20, 20, 21, 19, 0.1}}},
		{name: "at the area stays", keep: []box{{20, 20, 20, 20, 0.1}}},
		{name: "a veil that touches a subject by a corner stays", keep: []box{{40, 40, 30, 60, 1}, {30, 30, 10, 10, 0.2}}},
		{name: "a wisp 8 px from a subject stays", keep: []box{{40, 40, 30, 60, 1}, {77, 60, 4, 4, 0.2}}},
		{
			name: "a wisp 9 px from a subject goes",
			keep: []box{{40, 40, 30, 60, 1}}, dust: []box{{78, 60, 4, 4, 0.2}},
		},
		{
			name: "a strand in dashes belongs to its head",
			keep: []box{{40, 40, 30, 60, 1}, {75, 60, 4, 1, 0.2}, {85, 62, 4, 1, 0.2}, {95, 64, 4, 1, 0.2}},
		},
		{
			name: "a marker in crumbs goes as one",
			dust: []box{{40, 40, 3, 3, 0.2}, {48, 40, 3, 3, 0.3}, {40, 49, 3, 3, 0.1}},
		},
		{
			name: "a wide veil in patches stays",
			keep: []box{{40, 40, 12, 12, 0.2}, {57, 40, 12, 12, 0.3}, {40, 57, 12, 12, 0.1}},
		},
		{
			name: "haze under 0.02 protects nothing",
			keep: []box{{30, 30, 30, 30, 0.01}}, dust: []box{{62, 40, 3, 3, 0.3}},
		},
		{
			name: "a faint wisp near a subject stays",
			keep: []box{{40, 40, 30, 60, 1}, {75, 60, 4, 1, 0.01}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, want := picture.New(120, 120, 1), picture.New(120, 120, 1)
			for _, b := range tt.keep {
				picturetest.FillBox(m, b.x, b.y, b.w, b.h, b.v)
				picturetest.FillBox(want, b.x, b.y, b.w, b.h, b.v)
			}
			for _, b := range tt.dust {
				picturetest.FillBox(m, b.x, b.y, b.w, b.h, b.v)
			}
			m = despeckled(t, m, 400)
			if i := picturetest.FirstDifference(m.Pix, want.Pix); i >= 0 {
				t.Errorf("pixel %d,%d is %v, want %v", i%120, i/120, m.Pix[i], want.Pix[i])
			}
		})
	}
}

func TestDespeckleOff(t *testing.T) {
	m := picture.New(30, 30, 1)
	picturetest.FillBox(m, 10, 10, 2, 2, 0.3)
	want := m.Clone()
	m = despeckled(t, m, 0)
	if i := picturetest.FirstDifference(m.Pix, want.Pix); i >= 0 {
		t.Errorf("pixel %d is %v, want %v", i, m.Pix[i], want.Pix[i])
	}
	despeckled(t, picture.Image{C: 1}, 400)
}

func TestDespeckleFollowsItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 36).Draw(t, "w"), rapid.IntRange(1, 36).Draw(t, "h")
		area := rapid.IntRange(1, 30).Draw(t, "area")
		lit := rapid.Float64Range(0, 0.25).Draw(t, "lit")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		m := picture.New(w, h, 1)
		for i := range m.Pix {
			if random.Float64() < lit {
				m.Pix[i] = []float32{0.01, 0.02, 0.3, 0.3, 0.49, 0.5, 1}[random.IntN(7)]
			}
		}
		want := despeckleByDefinition(m, area)
		before := m.Clone()
		got, err := DespeckleIslands(context.Background(), m, area)
		if err != nil || picturetest.FirstDifference(m.Pix, before.Pix) >= 0 {
			t.Fatalf("the matte handed in changed, %v", err)
		}
		m = got
		if i := picturetest.FirstDifference(m.Pix, want.Pix); i >= 0 {
			t.Fatalf("pixel %d,%d is %v, want %v", i%w, i/w, m.Pix[i], want.Pix[i])
		}
	})
}

// despeckleByDefinition is the definition of DespeckleIslands pixel by pixel.
func despeckleByDefinition(m picture.Image, area int) picture.Image {
	var lit []int
	for i, v := range m.Pix {
		if v > 0 {
			lit = append(lit, i)
		}
	}
	apart := func(i, j int) int {
		dx, dy := i%m.W-j%m.W, i/m.W-j/m.W
		return max(dx, -dx, dy, -dy)
	}
	island := make(map[int]int)
	for _, i := range lit {
		if _, done := island[i]; done {
			continue
		}
		island[i] = i
		for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
			p := queue[0]
			for _, q := range lit {
				joined := apart(p, q) <= 1 || (apart(p, q) <= 8 && m.Pix[p] > 0.02 && m.Pix[q] > 0.02)
				if _, done := island[q]; !done && joined {
					island[q] = i
					queue = append(queue, q)
				}
			}
		}
	}
	size, peak := map[int]int{}, map[int]float32{}
	for _, i := range lit {
		size[island[i]]++
		peak[island[i]] = max(peak[island[i]], m.Pix[i])
	}
	dust := func(i int) bool { return size[island[i]] < area && peak[island[i]] < 0.5 }
	protected := map[int]bool{}
	for _, i := range lit {
		for _, j := range lit {
			if dust(i) && !dust(j) && m.Pix[j] > 0.02 && apart(i, j) <= 8 {
				protected[island[i]] = true
			}
		}
	}
	out := m.Clone()
	for _, i := range lit {
		if dust(i) && !protected[island[i]] {
			out.Pix[i] = 0
		}
	}
	return out
}

func TestDespeckleNeverTouchesTheRest(t *testing.T) {
	m := picturetest.Matte(640, 360)
	want := m.Clone()
	m = despeckled(t, m, 400)
	if i := picturetest.FirstDifference(m.Pix, want.Pix); i >= 0 {
		t.Fatalf("pixel %d,%d was %v and is %v", i%m.W, i/m.W, want.Pix[i], m.Pix[i])
	}
	// The same with dust far from everything comes back to what it was.
	picturetest.FillBox(m, 600, 20, 6, 6, 0.4)
	picturetest.FillBox(m, 20, 20, 1, 9, 0.1)
	m = despeckled(t, m, 400)
	if i := picturetest.FirstDifference(m.Pix, want.Pix); i >= 0 {
		t.Fatalf("dust at %d,%d stayed: %v", i%m.W, i/m.W, m.Pix[i])
	}
}

func BenchmarkDespeckle(b *testing.B) {
	noise := picture.New(1920, 1080, 1)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = max(random.Float32()-0.6, 0)
	}
	for name, m := range map[string]picture.Image{
		"1920x1080": picturetest.Matte(1920, 1080), "4096x2160": picturetest.Matte(4096, 2160), "1920x1080 of noise": noise,
	} {
		for i := 20; i < m.H; i += 97 {
			picturetest.FillBox(m, 30, i, 5, 5, 0.3)
		}
		b.Run(name, func(b *testing.B) {
			benchtest.Measure(b, func() {
				if _, err := DespeckleIslands(b.Context(), m, 400); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

func TestRunsOfARow(t *testing.T) {
	m := picture.New(9, 2, 1)
	copy(m.Row(1), []float32{1, 0.5, 0, 0.01, 0, 0, 1, 1, 1})
	lit, strong := findRuns(m)
	if want := []run{{0, 2, 0, 1}, {3, 4, 1, 0.01}, {6, 9, 2, 1}}; len(lit[0]) != 0 || !slices.Equal(lit[1], want) {
		t.Fatalf("runs are %v and %v, want none and %v", lit[0], lit[1], want)
	}
	if want := []run{{0, 2, 0, 1}, {6, 9, 2, 1}}; !slices.Equal(strong[1], want) {
		t.Fatalf("strong runs are %v, want %v", strong[1], want)
	}
}
