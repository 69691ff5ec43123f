package hint

import (
	"errors"
	"math"
	"strings"
	"testing"

	"greenroom/engine/colour"
	"greenroom/engine/picture"
	"pgregory.net/rapid"
)

// shape is the matte that the files below hold: 0 on the left, a ramp, 1 on the right.
func shape(x, w int) float32 { return unit(float32(x-w/4) / float32(w/2)) }

// file makes a picture of 40 x 20 pixels from the value of shape at each.
func file(colour, alpha func(v float32) []float32) picture.Picture {
	p := picture.Picture{RGB: picture.New(40, 20, 3)}
	if alpha != nil {
		p.Alpha = picture.New(40, 20, 1)
	}
	for y := range 20 {
		for x := range 40 {
			v := shape(x, 40)
			copy(p.RGB.Row(y)[3*x:], colour(v))
			if alpha != nil {
				p.Alpha.Row(y)[x] = alpha(v)[0]
			}
		}
	}
	return p
}

func TestFromPictureFindsTheChannel(t *testing.T) {
	grey := func(v float32) []float32 { return []float32{v, v, v} }
	white := func(float32) []float32 { return []float32{1, 1, 1} }
	same := func(v float32) []float32 { return []float32{v} }
	one := func(float32) []float32 { return []float32{1} }
	tests := []struct {
		name string
		p    picture.Picture
		want Channel
	}{
		{"grey", file(grey, nil), ChannelGrey},
		{"grey with a full alpha", file(grey, one), ChannelGrey},
		{"grey in all four channels", file(grey, same), ChannelGrey},
		{"near grey, as JPEG leaves it", file(func(v float32) []float32 { return []float32{v + 0.01, v, v - 0.005} }, nil), ChannelGrey},
		{"alpha of a white shape", file(white, same), ChannelAlpha},
		{"alpha of a shape that is black where it is clear", file(func(v float32) []float32 {
			if v == 0 {
				return []float32{0, 0, 0}
			}
			return []float32{1, 0.2, 0.2}
		}, same), ChannelAlpha},
		{"alpha of a picture in colour", file(func(v float32) []float32 { return []float32{1 - v, v * v, 0.3} }, same), ChannelAlpha},
		{"red", file(func(v float32) []float32 { return []float32{v, 0, 0} }, nil), ChannelRed},
		{"green over a flat blue", file(func(v float32) []float32 { return []float32{0, v, 0.5} }, nil), ChannelGreen},
		{"blue with a full alpha", file(func(v float32) []float32 { return []float32{0, 0, v} }, one), ChannelBlue},
		{"red with the same alpha", file(func(v float32) []float32 { return []float32{v, 0, 0} }, same), ChannelRed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h, err := FromPicture(tt.p, 40, 20)
			if err != nil {
				t.Fatal(err)
			}
			if h.Channel != tt.want {
				t.Fatalf("the channel is %s, want %s: %v", h.Channel, tt.want, h.Notices)
			}
			if n := h.Notices[0]; n.Kind != KindChannel || n.Warning || !strings.Contains(n.Text, string(tt.want)) {
				t.Errorf("the first notice is %v", n)
			}
			for i, v := range h.Matte.Pix {
				if want := shape(i%40, 40); math.Abs(float64(v-want)) > 0.006 {
					t.Fatalf("pixel %d is %v, want %v", i, v, want)
				}
			}
		})
	}
}

func TestFromPictureOfAColourPictureTakesItsLuminance(t *testing.T) {
	p := file(func(v float32) []float32 { return []float32{v, v / 2, 1 - v} }, nil)
	h, err := FromPicture(p, 40, 20)
	if err != nil || h.Channel != ChannelLuminance {
		t.Fatalf("channel %s, error %v", h.Channel, err)
	}
	if want := 0.2126 + 0.7152/2; math.Abs(float64(h.Matte.Pix[39])-want) > 1e-6 {
		t.Errorf("the luminance of 1, 0.5, 0 is %v, want %v", h.Matte.Pix[39], want)
	}
}

func TestFromPictureTakesValuesAsStored(t *testing.T) {
	// The same numbers make the same matte, whether a file calls them encoded or linear.
	grey := func(v float32) []float32 { return []float32{v, v, v} }
	for _, space := range []colour.Space{colour.SRGB, colour.LinearRec709} {
		p := file(grey, nil)
		p.Space = space
		h, err := FromPicture(p, 40, 20)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range h.Matte.Pix {
			if v != shape(i%40, 40) {
				t.Fatalf("%s: pixel %d is %v, want %v", space, i, v, shape(i%40, 40))
			}
		}
	}
}

func TestFromChannelReadsTheChosenOne(t *testing.T) {
	p := file(func(v float32) []float32 { return []float32{0.1, v, 0.7} }, nil)
	h, err := FromChannel(p, ChannelBlue, 40, 20)
	if err != nil || h.Matte.Pix[5] != 0.7 {
		t.Fatalf("blue is %v, error %v", h.Matte.Pix, err)
	}
	if _, err := FromChannel(p, ChannelAlpha, 40, 20); err == nil {
		t.Error("alpha of a picture without one: no error")
	}
	if _, err := FromChannel(p, "depth", 40, 20); err == nil {
		t.Error("an unknown channel: no error")
	}
}

func TestFromPictureOfAnotherSize(t *testing.T) {
	p := file(func(v float32) []float32 { return []float32{v, v, v} }, nil)
	h, err := FromPicture(p, 160, 80)
	if err != nil {
		t.Fatal(err)
	}
	if h.Matte.W != 160 || h.Matte.H != 80 {
		t.Fatalf("the hint is %s", sized(h.Matte))
	}
	found := false
	for _, n := range h.Notices {
		found = found || (n.Kind == KindResized && strings.Contains(n.Text, "40x20") && strings.Contains(n.Text, "160x80"))
	}
	if !found {
		t.Errorf("no notice names both sizes: %v", h.Notices)
	}
	for i, v := range h.Matte.Pix {
		if v < 0 || v > 1 {
			t.Fatalf("pixel %d is %v", i, v)
		}
	}
}

func TestFromPictureOfAnotherShape(t *testing.T) {
	p := picture.Picture{RGB: picture.New(64, 48, 3)}
	_, err := FromPicture(p, 192, 108)
	var shape *ShapeError
	if !errors.As(err, &shape) {
		t.Fatalf("error is %v", err)
	}
	for _, part := range []string{"64x48", "192x108", "give a hint"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error does not say %q: %v", part, err)
		}
	}
}

func TestSameShape(t *testing.T) {
	tests := []struct {
		hint, plate [2]int
		want        bool
	}{
		{[2]int{1920, 1080}, [2]int{1920, 1080}, true},
		{[2]int{960, 540}, [2]int{1921, 1081}, true},
		{[2]int{4096, 2160}, [2]int{2048, 1080}, true},
		{[2]int{1920, 1088}, [2]int{1920, 1080}, true},
		{[2]int{16, 4}, [2]int{31, 7}, true},
		{[2]int{10000, 20}, [2]int{20000, 40}, true},
		{[2]int{1920, 1080}, [2]int{1998, 1080}, false},
		{[2]int{1080, 1920}, [2]int{1920, 1080}, false},
		{[2]int{1920, 1012}, [2]int{1920, 1080}, false},
	}
	for _, tt := range tests {
		if got := sameShape(tt.hint[0], tt.hint[1], tt.plate[0], tt.plate[1]); got != tt.want {
			t.Errorf("%v on %v: %v, want %v", tt.hint, tt.plate, got, tt.want)
		}
	}
}

func TestFromPictureReplacesWhatIsNotANumber(t *testing.T) {
	p := file(func(v float32) []float32 { return []float32{v, v, v} }, nil)
	for i, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for c := range 3 {
			p.RGB.Pix[3*i+c] = float32(v)
		}
	}
	h, err := FromPicture(p, 40, 20)
	if err != nil {
		t.Fatal(err)
	}
	warned := false
	for _, n := range h.Notices {
		warned = warned || (n.Kind == KindNonFinite && n.Warning && strings.HasPrefix(n.Text, "3 pixels"))
	}
	if !warned {
		t.Errorf("notices are %v", h.Notices)
	}
	if got := [3]float32(h.Matte.Pix); got != [3]float32{0, 1, 0} {
		t.Errorf("NaN and both infinities became %v", got)
	}
}

func TestFromPictureIsAlwaysWithinRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 12).Draw(t, "w"), rapid.IntRange(1, 12).Draw(t, "h")
		p := picture.Picture{RGB: picture.New(w, h, 3)}
		if rapid.Bool().Draw(t, "alpha") {
			p.Alpha = picture.New(w, h, 1)
		}
		value := rapid.OneOf(rapid.Float32(), rapid.Float32Range(0, 1), rapid.Just(float32(math.NaN())))
		for _, pix := range [][]float32{p.RGB.Pix, p.Alpha.Pix} {
			for i := range pix {
				pix[i] = value.Draw(t, "value")
			}
		}
		k := rapid.IntRange(1, 3).Draw(t, "factor")
		hint, err := FromPicture(p, w*k, h*k)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range hint.Matte.Pix {
			if !(v >= 0 && v <= 1) {
				t.Fatalf("the hint holds %v", v)
			}
		}
	})
}

func TestLooksLikeHint(t *testing.T) {
	grey := func(v float32) []float32 { return []float32{v, v, v} }
	mixed := func(v float32) []float32 { return []float32{v, 0.3, 1 - v} }
	one := func(float32) []float32 { return []float32{1} }
	same := func(v float32) []float32 { return []float32{v} }
	for name, tt := range map[string]struct {
		p    picture.Picture
		want bool
	}{
		"grey": {file(grey, nil), true}, "colour": {file(mixed, nil), false},
		"colour with a full alpha": {file(mixed, one), false}, "colour with alpha": {file(mixed, same), true},
	} {
		if got := LooksLikeHint(tt.p); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
