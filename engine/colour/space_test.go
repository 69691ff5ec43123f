package colour

import (
	"math"
	"strings"
	"testing"
)

func TestEverySpaceIsKnownByItsName(t *testing.T) {
	titles := map[string]bool{}
	for _, s := range Spaces() {
		if err := s.Validate(); err != nil {
			t.Error(err)
		}
		if titles[s.Title()] {
			t.Errorf("two spaces are called %s", s.Title())
		}
		titles[s.Title()] = true
	}
	if len(titles) != 13 {
		t.Errorf("there are %d spaces", len(titles))
	}
	err := Space("teal").Validate()
	if err == nil || !strings.Contains(err.Error(), "teal") || !strings.Contains(err.Error(), "log3g10, cineon") {
		t.Errorf("error %v", err)
	}
	if got := Space("teal").Title(); got != "teal" {
		t.Errorf("an unknown space is called %s", got)
	}
}

func TestLinearLightIsNamedByItsPrimaries(t *testing.T) {
	single := func(p Primaries) Primaries {
		for i, v := range p {
			p[i] = float64(float32(v))
		}
		return p
	}
	for _, c := range []struct {
		p    Primaries
		want Space
	}{
		{single(primariesRec709), LinearRec709},
		{Primaries{0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.31271, 0.32902}, LinearRec709},
		{single(primariesAP1), ACEScg},
		{single(primariesAP0), ACES},
		{single(primariesP3), "linear:0.68,0.32,0.265,0.69,0.15,0.06,0.3127,0.329"},
	} {
		got, err := LinearLight(c.p)
		if err != nil || got != c.want {
			t.Errorf("%v is %s, want %s (%v)", c.p, got, c.want, err)
		}
		if back, err := got.Primaries(); err != nil || !back.near(c.p) {
			t.Errorf("%s has the primaries %v (%v)", got, back, err)
		}
		if curve, err := NewCurve(got); err != nil || !curve.Linear() {
			t.Errorf("%s is not linear (%v)", got, err)
		}
	}
}

func TestPrimariesThatSpanNothingAreRefused(t *testing.T) {
	nan := math.NaN()
	for name, change := range map[string]func(*Primaries){
		"not a number": func(p *Primaries) { p[3] = nan }, "huge": func(p *Primaries) { p[0] = 1e9 },
		"dark white": func(p *Primaries) { p[7] = 0 }, "on a line": func(p *Primaries) { p[4], p[5] = (p[0]+p[2])/2, (p[1]+p[3])/2 },
		"white outside": func(p *Primaries) { p[6], p[7] = 0.7, 0.3 }, "nothing": func(p *Primaries) { *p = Primaries{} },
	} {
		p := primariesRec709
		change(&p)
		if s, err := LinearLight(p); err == nil {
			t.Errorf("%s is %s", name, s)
		}
	}
	for _, s := range []Space{"linear:", "linear:1,2,3", "linear:a,b,c,d,e,f,g,h", "linear:0,0,0,0,0,0,0,0"} {
		if s.Validate() == nil {
			t.Errorf("%q is a space", s)
		}
	}
}
