package settings

import (
	"math"
	"strings"
	"testing"
)

func TestAHintEditNamesWhatCannotWork(t *testing.T) {
	for _, c := range []struct {
		edit HintEdit
		want string
	}{
		{HintEdit{}, ""},
		{HintEdit{Channel: ChannelRed, Strength: -1, Invert: true, Grow: -100, Soften: 100}, ""},
		{HintEdit{Strength: 1.01}, "hint strength"},
		{HintEdit{Strength: math.NaN()}, "hint strength"},
		{HintEdit{Grow: 100.5}, "hint shrink/grow"},
		{HintEdit{Soften: -1}, "hint soften"},
		{HintEdit{Soften: math.NaN()}, "hint soften"},
		{HintEdit{Channel: "purple"}, "alpha, grey, red, green, blue or luminance"},
	} {
		err := c.edit.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.edit, err, c.want)
		}
	}
}

func TestChoicesFollowTheirHintEdit(t *testing.T) {
	plain := Choices{Look: DefaultLook()}
	for _, edit := range []HintEdit{{Channel: ChannelRed}, {Strength: 0.1}, {Invert: true}, {Grow: 1}, {Soften: 1}} {
		edited := plain
		edited.Edit = edit
		if edited.Equal(plain) || edited.SameHint(plain) {
			t.Errorf("%+v makes no difference", edit)
		}
		if !edited.SameFinish(plain) {
			t.Errorf("%+v changes how a key is finished", edit)
		}
	}
	wrong := plain
	wrong.Edit.Grow = 1e9
	if wrong.Validate() == nil {
		t.Error("choices with a hint grown by 1e9 px are valid")
	}
}
