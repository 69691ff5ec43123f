package matte

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"greenroom/engine/picture"
	"pgregory.net/rapid"
)

// fill sets a rectangle of a one-channel image.
func fill(m picture.Image, x, y, w, h int, v float32) {
	for j := y; j < y+h; j++ {
		for i := x; i < x+w; i++ {
			m.Row(j)[i] = v
		}
	}
}

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
				fill(m, b.x, b.y, b.w, b.h, b.v)
				fill(want, b.x, b.y, b.w, b.h, b.v)
			}
			for _, b := range tt.dust {
				fill(m, b.x, b.y, b.w, b.h, b.v)
			}
			m = despeckled(t, m, 400)
			if i := firstDifference(m.Pix, want.Pix); i >= 0 {
				t.Errorf("pixel %d,%d is %v, want %v", i%120, i/120, m.Pix[i], want.Pix[i])
			}
		})
	}
}

func TestDespeckleOff(t *testing.T) {
	m := picture.New(30, 30, 1)
	fill(m, 10, 10, 2, 2, 0.3)
	want := m.Clone()
	m = despeckled(t, m, 0)
	if i := firstDifference(m.Pix, want.Pix); i >= 0 {
		t.Errorf("pixel %d is %v, want %v", i, m.Pix[i], want.Pix[i])
	}
	despeckled(t, picture.Image{C: 1}, 400)
}

// firstDifference returns the first index at which the bits of a and b differ, or -1.
func firstDifference(a, b []float32) int {
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			return i
		}
	}
	return -1
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
		if err != nil || firstDifference(m.Pix, before.Pix) >= 0 {
			t.Fatalf("the matte handed in changed, %v", err)
		}
		m = got
		if i := firstDifference(m.Pix, want.Pix); i >= 0 {
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
	m := drawnMatte(640, 360)
	want := m.Clone()
	m = despeckled(t, m, 400)
	if i := firstDifference(m.Pix, want.Pix); i >= 0 {
		t.Fatalf("pixel %d,%d was %v and is %v", i%m.W, i/m.W, want.Pix[i], m.Pix[i])
	}
	// The same with dust far from everything comes back to what it was.
	fill(m, 600, 20, 6, 6, 0.4)
	fill(m, 20, 20, 1, 9, 0.1)
	m = despeckled(t, m, 400)
	if i := firstDifference(m.Pix, want.Pix); i >= 0 {
		t.Fatalf("dust at %d,%d stayed: %v", i%m.W, i/m.W, m.Pix[i])
	}
}

// drawnMatte is a subject with a soft edge, strands that leave it, and a veil of 0.1 to 0.5 beside it.
func drawnMatte(w, h int) picture.Image {
	m := picture.New(w, h, 1)
	cx, cy, r := float64(w)/2, float64(h)*0.6, float64(h)*0.35
	for y := range h {
		for x := range w {
			d := math.Hypot(float64(x)-cx, float64(y)-cy)
			v := min(max((r-d)/6+0.5, 0), 1)
			angle := math.Atan2(float64(y)-cy, float64(x)-cx)
			if d >= r && d < r*1.3 && math.Abs(math.Sin(angle*60)) > 0.95 {
				v = max(v, 0.6*(r*1.3-d)/(r*0.3))
			}
			if x > w*3/4 && x < w*3/4+w/12 && y > h/3 && y < h*2/3 {
				v = max(v, 0.1+0.4*float64(y-h/3)/float64(h/3))
			}
			m.Row(y)[x] = float32(v)
		}
	}
	return m
}

func BenchmarkDespeckle(b *testing.B) {
	noise := picture.New(1920, 1080, 1)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = max(random.Float32()-0.6, 0)
	}
	for name, m := range map[string]picture.Image{
		"1920x1080": drawnMatte(1920, 1080), "4096x2160": drawnMatte(4096, 2160), "1920x1080 of noise": noise,
	} {
		for i := 20; i < m.H; i += 97 {
			fill(m, 30, i, 5, 5, 0.3)
		}
		b.Run(name, func(b *testing.B) {
			measured(b, func() {
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
