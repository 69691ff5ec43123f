package app

import (
	"fmt"
	"path/filepath"
	"strings"

	"greenroom/engine/hint"
)

// sortMany makes plates for the strip of many files, in their order, each with its hint where that is among them: the
// hint of shot.png is shot-hint.png, by the rule of names. Files that are of no use are left out, and told of.
func sortMany(paths []string) sorted {
	var d sorted
	var hints []string
	var left []string
	leave := func(path, why string) { left = append(left, filepath.Base(path)+" "+why) }
	files := "files"
	for _, path := range paths {
		if isFolder(path) {
			// The words begin a sentence, and a name must not change by that.
			left = append(left, "the folder "+filepath.Base(path)+" can only be opened by itself")
			files = "files and folders"
			continue
		}
		// Only what may be a hint by its name has to be looked at in full.
		f, err := look(path, !hint.IsHintName(filepath.Base(path)))
		switch {
		case err != nil:
			leave(path, "cannot be read: "+problem(err, remedyNone, path).Why)
		case f.ours:
			leave(path, "is the "+f.pass+" of an earlier key")
		case f.named:
			hints = append(hints, path)
		case hint.AsksName(filepath.Base(path)):
			leave(path, "may be a hint or a plate")
		default:
			d.plates = append(d.plates, pair{plate: path})
		}
	}
	for _, path := range hints {
		found := false
		for i, p := range d.plates {
			if p.hint == "" && strings.EqualFold(hintOf(path), stem(p.plate)) {
				d.plates[i].hint, found = path, true
				break
			}
		}
		if !found {
			leave(path, "is a hint for none of the plates")
		}
	}
	if len(left) > 0 {
		what := fmt.Sprintf("%d of %d %s were left out", len(left), len(paths), files)
		if len(left) == 1 {
			what = fmt.Sprintf("1 of %d %s was left out", len(paths), files)
		}
		d.problem = &Problem{
			What: what, Why: strings.Join(left[:min(len(left), 3)], "; "),
			Fix: "drop them one at a time to use them all the same",
		}
		if len(left) > 3 {
			d.problem.Why += "; …"
		}
	}
	return d
}

// stem is a file's name without its ending.
func stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// hintOf is the name, without its ending, of the plate that a hint is for by its own.
func hintOf(path string) string {
	name := stem(path)
	if i := strings.LastIndexAny(name, "_-. "); i > 0 {
		return name[:i]
	}
	return name
}
