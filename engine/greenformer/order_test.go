package greenformer

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestUnitOrderKeepsGroupsAndWindowsTogether: every four consecutive tokens are a 2x2 group, pooling them gives
// the order of the next stage, and every unit*unit consecutive tokens are one square window.
func TestUnitOrderKeepsGroupsAndWindowsTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := 1 << rapid.IntRange(1, 3).Draw(t, "unit")
		h, w := unit*rapid.IntRange(1, 5).Draw(t, "h"), unit*rapid.IntRange(1, 5).Draw(t, "w")
		order := unitOrder(h, w, unit)
		next := unitOrder(h/2, w/2, unit/2)
		seen := make([]bool, h*w)
		for i, token := range order {
			if seen[token] {
				t.Fatalf("token %d is in twice", token)
			}
			seen[token] = true
			y, x := int(token)/w, int(token)%w
			if pooled := int32(y/2*(w/2) + x/2); next[i/4] != pooled {
				t.Fatalf("place %d belongs to group %d, not %d", i, pooled, next[i/4])
			}
			first := order[i/(unit*unit)*unit*unit]
			if fy, fx := int(first)/w, int(first)%w; fy/unit != y/unit || fx/unit != x/unit {
				t.Fatalf("place %d is in another window than its neighbours", i)
			}
		}
		for token, place := range inverse(order) {
			if order[place] != int32(token) {
				t.Fatal("the inverse does not undo the order")
			}
		}
	})
}

// TestResizeGridFollowsTheCubicKernel holds resizing against the kernel's definition, evaluated directly in float64.
func TestResizeGridFollowsTheCubicKernel(t *testing.T) {
	kernel := func(x float64) float64 {
		const a = -0.75
		switch x = math.Abs(x); {
		case x <= 1:
			return (a+2)*x*x*x - (a+3)*x*x + 1
		case x < 2:
			return a*x*x*x - 5*a*x*x + 8*a*x - 4*a
		}
		return 0
	}
	const rows, cols, c = 5, 7, 2
	src := make([]float32, rows*cols*c)
	for i := range src {
		src[i] = float32(math.Sin(float64(i * i)))
	}
	for _, size := range [][2]int{{5, 7}, {10, 14}, {3, 4}, {11, 2}} {
		h, w := size[0], size[1]
		got := resizeGrid(src, rows, cols, c, h, w)
		for y := range h {
			for x := range w {
				cy := (float64(y)+0.5)*rows/float64(h) - 0.5
				cx := (float64(x)+0.5)*cols/float64(w) - 0.5
				for ch := range c {
					var want float64
					for i := int(math.Floor(cy)) - 1; i <= int(math.Floor(cy))+2; i++ {
						for j := int(math.Floor(cx)) - 1; j <= int(math.Floor(cx))+2; j++ {
							row, col := min(max(i, 0), rows-1), min(max(j, 0), cols-1)
							want += kernel(cy-float64(i)) * kernel(cx-float64(j)) * float64(src[(row*cols+col)*c+ch])
						}
					}
					if d := math.Abs(want - float64(got[(y*w+x)*c+ch])); d > 1e-5 {
						t.Fatalf("%dx%d at %d,%d: off by %g", w, h, x, y, d)
					}
				}
			}
		}
	}
}

// TestGlobalAttentionStartsOneBlockAfterStageThree holds the published pattern: blocks 0 to 5 windowed, the rest global.
func TestGlobalAttentionStartsOneBlockAfterStageThree(t *testing.T) {
	c := Config{Embed: 112, Heads: 2, Stages: [4]int{2, 3, 16, 3}}
	for _, b := range c.blocks() {
		if b.windowed != (b.index <= 5) {
			t.Errorf("block %d: windowed is %v", b.index, b.windowed)
		}
		if pools := b.index == 2 || b.index == 5 || b.index == 21; b.pools != pools {
			t.Errorf("block %d: pools is %v", b.index, b.pools)
		}
	}
}
