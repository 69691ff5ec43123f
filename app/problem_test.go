package app

import (
	"errors"
	"fmt"
	"testing"

	"greenroom/engine"
	"greenroom/engine/hint"
	"greenroom/engine/imageio"
)

func TestProblemsSayWhatWhyAndWhatToDo(t *testing.T) {
	file := &imageio.Error{What: "cannot read shot.png", Why: "it is cut short", Fix: "copy it again", Err: imageio.ErrDamaged}
	for name, c := range map[string]struct {
		err  error
		want Problem
	}{
		"a file": {fmt.Errorf("reading: %w", file), Problem{What: "Cannot read shot.png", Why: "it is cut short", Fix: "copy it again"}},
		"what, why and advice": {
			errors.New("cannot key shot.png: the key would need 20 GB and this machine has 14 GB for it (free memory)"),
			Problem{What: "Cannot key shot.png", Why: "the key would need 20 GB and this machine has 14 GB for it", Fix: "free memory"},
		},
		"advice for the command line": {
			errors.New("cannot use /jobs/two words/x.png: it is empty (give another with --hint)"),
			Problem{What: "Cannot use x.png", Why: "it is empty", Details: "cannot use /jobs/two words/x.png: it is empty (give another with --hint)"},
		},
		"a job": {
			fmt.Errorf("cannot key a.png: %w", &engine.JobError{Problem: "the hint is empty", Remedy: "give a hint"}),
			Problem{What: "Cannot key a.png", Why: "the hint is empty", Fix: "give a hint"},
		},
		"a bare error": {errors.New("closed"), Problem{What: "Closed"}},
	} {
		if got := *problem(c.err, remedyNone, "", "/jobs/two words/x.png"); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	p := noHint(&Plate{Path: "/jobs/shot.png"}, "", fmt.Errorf("cannot key: %w", hint.ErrNoScreen))
	if p.What != "shot.png has no hint yet" || p.remedy.label() == "" {
		t.Errorf("%+v", p)
	}
	if got := withoutFlags("the matte is black (give another with --hint) everywhere (really)"); got != "the matte is black everywhere (really)" {
		t.Errorf("%q", got)
	}
}
