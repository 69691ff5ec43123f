package keying

import (
	"image"
	"image/color"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"greenroom/engine/hint"
	"greenroom/engine/settings"
)

// edited returns the source of a drawn plate with its hint made by an order that alter has changed.
func edited(t *testing.T, alter func(*Order)) Source {
	t.Helper()
	dir := t.TempDir()
	o := Order{Plate: filepath.Join(dir, "shot.png"), Look: settings.DefaultLook()}
	save(t, o.Plate, drawn(160, 120, 0))
	alter(&o)
	s, err := OpenPlate(o)
	if err == nil {
		s, err = s.WithHint(o)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// brightness is the mean of a hint.
func brightness(s Source) float64 {
	sum := 0.0
	for _, v := range s.Hint.Pix {
		sum += float64(v)
	}
	return sum / float64(len(s.Hint.Pix))
}

func TestEveryControlOfAHintChangesIt(t *testing.T) {
	plain := brightness(edited(t, func(*Order) {}))
	for _, c := range []struct {
		edit     settings.HintEdit
		brighter bool
	}{
		{settings.HintEdit{Strength: -1}, true}, {settings.HintEdit{Strength: 1}, false},
		{settings.HintEdit{Grow: 4.5}, true}, {settings.HintEdit{Grow: -4.5}, false},
	} {
		s := edited(t, func(o *Order) { o.Edit = c.edit })
		if got := brightness(s); (got > plain) != c.brighter || got == plain {
			t.Errorf("%+v: a brightness of %.4f, before %.4f", c.edit, got, plain)
		}
		if s.Edit != c.edit {
			t.Errorf("the source says %+v", s.Edit)
		}
	}
	before := edited(t, func(*Order) {})
	soft := edited(t, func(o *Order) { o.Edit.Soften = 6 })
	if slices.Equal(before.Hint.Pix, soft.Hint.Pix) {
		t.Error("softened, it is the same")
	}
	inverted := edited(t, func(o *Order) { o.Edit.Invert = true })
	if got := brightness(inverted); got < 1-plain-1e-4 || got > 1-plain+1e-4 {
		t.Errorf("inverted it has a brightness of %v, before %v", got, plain)
	}
}

func TestStrokesArePaintedOverTheEditedHint(t *testing.T) {
	dab := settings.Stroke{Points: []settings.Point{{X: 80, Y: 60}}, Size: 20, Value: settings.PaintSubject}
	s := edited(t, func(o *Order) {
		o.Edit.Invert, o.Marks.Hint = true, []settings.Stroke{dab}
	})
	if v := s.Hint.Row(60)[80]; v != 1 {
		t.Errorf("under the stroke is %v: it was inverted", v)
	}
}

func TestPaintingGoesOnWhereItEnded(t *testing.T) {
	dir := t.TempDir()
	o := Order{Plate: filepath.Join(dir, "shot.png"), Look: settings.DefaultLook()}
	save(t, o.Plate, drawn(160, 120, 0))
	plate, err := OpenPlate(o)
	if err != nil {
		t.Fatal(err)
	}
	base, err := plate.HintBase(o)
	if err != nil {
		t.Fatal(err)
	}
	e, err := base.Edited(t.Context(), settings.HintEdit{Grow: 2})
	if err != nil || e.Base() != base {
		t.Fatal(err)
	}
	dab := func(x, value float64) settings.Stroke {
		return settings.Stroke{Points: []settings.Point{{X: x, Y: 30}, {X: x + 9, Y: 35}}, Size: 12, Softness: 0.7, Value: value}
	}
	strokes := []settings.Stroke{dab(20, 1), dab(24, 0.5), dab(60, 0), dab(62, 1)}
	whole, err := e.Painted(t.Context(), strokes, nil)
	if err != nil {
		t.Fatal(err)
	}
	var before *Source
	for n := range len(strokes) + 1 {
		s, err := e.Painted(t.Context(), strokes[:n], before)
		if err != nil {
			t.Fatal(err)
		}
		if before != nil && slices.Equal(before.Hint.Pix, s.Hint.Pix) {
			t.Errorf("stroke %d changes nothing", n)
		}
		before = &s
	}
	if !slices.Equal(before.Hint.Pix, whole.Hint.Pix) {
		t.Error("stroke by stroke the hint is another than in one go")
	}
	// A stroke that was taken back is gone.
	fewer, err := e.Painted(t.Context(), strokes[:2], before)
	if err != nil || slices.Equal(fewer.Hint.Pix, whole.Hint.Pix) {
		t.Errorf("two strokes less make the same hint (%v)", err)
	}
	none, err := e.Painted(t.Context(), nil, before)
	if err != nil || none.Hint.Row(30)[24] == whole.Hint.Row(30)[24] {
		t.Errorf("without strokes they are still there (%v)", err)
	}
}

func TestFaultsOfAHintAreWarnings(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "mask.png")
	// A grey picture whose alpha is the matte, but for its colour.
	m := image.NewNRGBA(image.Rect(0, 0, 160, 120))
	for y := range 120 {
		for x := range 160 {
			a := uint8(0)
			if (x-80)*(x-80)+(y-60)*(y-60) < 1000 {
				a = 255
			}
			m.SetNRGBA(x, y, color.NRGBA{uint8(x), uint8(x), uint8(x), a})
		}
	}
	save(t, path, m)
	s := edited(t, func(o *Order) { o.Hint = path })
	at := slices.IndexFunc(s.Faults, func(n hint.Notice) bool { return n.Kind == hint.KindAlpha })
	if at < 0 || s.Faults[at].Channel != hint.ChannelAlpha || !s.HintAlpha || s.Channel != hint.ChannelGrey {
		t.Fatalf("faults %v of the %s", s.Faults, s.Channel)
	}
	if !slices.ContainsFunc(s.Warnings, func(w string) bool { return strings.HasPrefix(w, "mask.png: ") && strings.Contains(w, "alpha") }) {
		t.Errorf("warnings %q", s.Warnings)
	}
	s = edited(t, func(o *Order) { o.Hint, o.Edit.Channel = path, hint.ChannelAlpha })
	if len(s.Faults) > 0 || s.Channel != hint.ChannelAlpha || s.Hint.Row(60)[80] != 1 || s.Hint.Row(5)[5] != 0 {
		t.Errorf("read from its alpha: faults %v, the middle is %v", s.Faults, s.Hint.Row(60)[80])
	}
}
