package app

import (
	"errors"
	"path/filepath"
	"regexp"
	"strings"

	"greenroom/engine/hint"
	"greenroom/engine/imageio"
)

// remedy is what the button of a problem does.
type remedy int

const (
	remedyNone remedy = iota
	remedyOpenPlate
	remedyOpenHint
	remedyFolder
	remedyKey
	remedyExport
	remedyReadAgain
	remedyOpenCore
	remedyOpenGarbage
	remedyOpenBackdrop
	remedyReadFileAgain
	remedyModel
	remedyFetch
	remedyPlateOf
	remedyRecommended
	remedyMeasure
	remedyCheckSeams
	remedySave
	remedyPresets
	remedyKeyFirst
)

// label is what the button says.
func (r remedy) label() string {
	return [...]string{
		remedyNone:          "",
		remedyOpenPlate:     "Open a plate…",
		remedyOpenHint:      "Open a hint…",
		remedyFolder:        "Choose another folder…",
		remedyKey:           "Key again",
		remedyExport:        "Export again",
		remedyReadAgain:     "Read again",
		remedyOpenCore:      "Open another core matte…",
		remedyOpenGarbage:   "Open another garbage matte…",
		remedyOpenBackdrop:  "Open another picture…",
		remedyReadFileAgain: "Read again",
		remedyModel:         "Open a checkpoint…",
		remedyFetch:         "Try again",
		remedyPlateOf:       "Open the plate…",
		remedyRecommended:   "Use the recommended settings",
		remedyMeasure:       "Measure again",
		remedyCheckSeams:    "Check again",
		remedySave:          "Save beside the exports",
		remedyPresets:       "Show the presets",
		remedyKeyFirst:      "Key",
	}[r]
}

// Problem is something that went wrong: what, why, and what to do, in words; a button may do it.
type Problem struct {
	What, Why, Fix string
	// Details are the whole of what was told; empty where the rest says it all.
	Details string
	remedy  remedy
	// subject is what the remedy is for: the name of a model.
	subject string
	// file is the path that remedyReadFileAgain reads, or the sidecar whose plate remedyPlateOf asks for.
	file string
}

// words are what went wrong and why, in a line.
func (p *Problem) words() string { return strings.TrimSuffix(p.What+": "+p.Why, ": ") }

// problem puts an error into words. Errors read WHAT: WHY (what to do). Of the paths that it may speak of only the
// names are left, which are what an artist looks for.
func problem(err error, r remedy, paths ...string) *Problem {
	var file *imageio.Error
	if errors.As(err, &file) {
		p := &Problem{What: sentence(file.What), Why: file.Why, Fix: file.Fix, remedy: r}
		return p.told(file)
	}
	text := err.Error()
	for _, path := range paths {
		if path != "" {
			text = strings.ReplaceAll(text, path, filepath.Base(path))
		}
	}
	p := &Problem{remedy: r}
	if before, advice, ok := cutLast(text, " ("); ok && strings.HasSuffix(advice, ")") {
		text, p.Fix = before, strings.TrimSuffix(advice, ")")
	}
	if strings.Contains(p.Fix, "--") {
		// Advice for the command line: the button says it better.
		p.Fix = ""
	}
	what, why, _ := strings.Cut(text, ": ")
	p.What, p.Why = sentence(what), why
	return p.told(err)
}

// told keeps the whole of an error where the words of the problem leave something out: paths, places that were tried,
// advice for the command line.
func (p *Problem) told(err error) *Problem {
	said := p.What
	if p.Why != "" {
		said += ": " + p.Why
	}
	if p.Fix != "" {
		said += " (" + p.Fix + ")"
	}
	if full := err.Error(); !strings.EqualFold(full, said) {
		p.Details = full
	}
	return p
}

// noHint is the problem of a plate without a hint.
func noHint(p *Plate, hintPath string, err error) *Problem {
	if errors.Is(err, hint.ErrNoScreen) {
		return &Problem{
			What: p.Name() + " has no hint yet", Why: "no green or blue screen was found in it to make one from",
			Fix: "open a hint: a rough mask, bright over the subject and dark over the rest", remedy: remedyOpenHint,
		}
	}
	told := problem(err, remedyOpenHint, hintPath, p.Path)
	if hintPath == "" {
		// Nothing was to be keyed.
		told.What = strings.Replace(told.What, "Cannot key", "Cannot make a hint for", 1)
		told.Why = strings.TrimPrefix(told.Why, "making a chroma hint: ")
	}
	return told
}

// sentence begins with a capital letter, unless it begins with a name.
func sentence(text string) string {
	if word, _, _ := strings.Cut(text, " "); strings.ContainsAny(word, "./\\_") {
		return text
	}
	if text != "" && text[0] >= 'a' && text[0] <= 'z' {
		return string(text[0]-'a'+'A') + text[1:]
	}
	return text
}

// flags finds advice in brackets that speaks of flags, which a window has not.
var flags = regexp.MustCompile(` \([^()]*--[^()]*\)`)

// withoutFlags takes advice for the command line out of a sentence.
func withoutFlags(text string) string { return flags.ReplaceAllString(text, "") }
