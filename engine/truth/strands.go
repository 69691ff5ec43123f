package truth

import "math"

// strand is a hair: a curve in pixels that starts at (x, y), tapers from width to nothing, and covers each
// pixel by the part of it that lies under the hair.
type strand struct {
	x, y    float64
	angle   float64 // direction at the root, radians
	length  float64
	bend    float64 // turn over the whole length, radians
	fall    float64 // pull downwards, radians over the whole length
	wave    noise
	phase   float64
	width   float64 // at the root
	opacity float64
	colour  rgb
	spill   float64
}

// strands puts hairs over what is there, in order.
func (st *stack) strands(all []strand) {
	cover := make([]float32, st.size*st.size)
	var touched []int
	for _, h := range all {
		touched = h.cover(cover, st.size, touched[:0])
		for _, i := range touched {
			st.put(i%st.size, i/st.size, sample{
				cover: float64(cover[i]) * h.opacity, colour: h.colour, spill: h.spill,
			})
			cover[i] = 0
		}
	}
}

// cover walks along the hair in steps of about a pixel, writes how much of each pixel it covers to dst
// [size, size], which is 0 before, and appends the pixels it touched. Where the hair meets a pixel more than
// once the larger coverage counts.
func (h strand) cover(dst []float32, size int, touched []int) []int {
	steps := max(int(h.length/1.2), 2)
	stride := h.length / float64(steps)
	x, y, angle := h.x, h.y, h.angle
	for i := range steps {
		t := float64(i) / float64(steps)
		angle += (h.bend + 2.2*h.wave.at(h.phase, 3*t+0.1*h.phase)) / float64(steps)
		// Gravity turns a hair towards straight down, fastest where it is level.
		angle += h.fall * math.Cos(angle) / float64(steps)
		nx, ny := x+stride*math.Cos(angle), y+stride*math.Sin(angle)
		touched = segment(dst, size, touched, x, y, nx, ny, h.width*math.Sqrt(1-t))
		x, y = nx, ny
	}
	return touched
}

// segment covers the pixels around a straight piece of the given width.
func segment(dst []float32, size int, touched []int, ax, ay, bx, by, width float64) []int {
	reach := width/2 + 1
	x0, x1 := int(math.Floor(min(ax, bx)-reach)), int(math.Ceil(max(ax, bx)+reach))
	y0, y1 := int(math.Floor(min(ay, by)-reach)), int(math.Ceil(max(ay, by)+reach))
	for y := max(y0, 0); y < min(y1, size); y++ {
		for x := max(x0, 0); x < min(x1, size); x++ {
			d := capsule(float64(x)+0.5, float64(y)+0.5, ax, ay, bx, by, 0)
			c := float32(across(d, width))
			if i := y*size + x; c > dst[i] {
				if dst[i] == 0 {
					touched = append(touched, i)
				}
				dst[i] = c
			}
		}
	}
	return touched
}

// across is the part of a pixel that a long band of the given width covers when its centre line passes at
// distance d: the band's profile averaged over one pixel, exact for level and upright bands, within a few
// percent for slanted ones.
func across(d, width float64) float64 {
	return max(0, min(d+0.5, width/2)-max(d-0.5, -width/2))
}
