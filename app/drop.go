package app

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"greenroom/app/keying"
	"greenroom/engine/hint"
	"greenroom/engine/imageio"
	"greenroom/engine/picture"
	"greenroom/views"
)

// Drop takes files that were dropped on the window: a plate, a hint, both, or a folder that holds both. Where they
// fell never matters.
func (w *Workspace) Drop(paths []string) {
	if len(paths) == 0 {
		return
	}
	var turn int
	var opened chan struct{}
	w.change(func(s *State) {
		w.dropTurn++
		turn, opened = w.dropTurn, w.opened
		s.Problem, s.Question = nil, nil
	})
	w.reading.Go(func() {
		// A hint may be dropped while its plate is still being read.
		<-opened
		open := w.State().Plate
		d := sortOut(paths, open != nil)
		current := false
		w.change(func(s *State) {
			if current = turn == w.dropTurn; current && len(d.plates) == 0 {
				s.Problem = d.problem
			}
		})
		switch {
		case !current:
		case len(d.plates) > 0:
			w.OpenAll(d.plates, d.problem)
		case d.sidecar != "":
			w.openSidecar(d.sidecar, d.plate)
		case d.model != "":
			w.ChooseModel(d.model)
		case d.ask != nil:
			w.ask(*d.ask, open)
		case d.plate != "":
			w.OpenBoth(d.plate, d.hint)
		case d.hint != "":
			w.UseHint(d.hint)
		}
	})
}

// sorted is what dropped files are.
type sorted struct {
	plate, hint string
	// sidecar is a sidecar, of plate where that was dropped with it; model is a checkpoint.
	sidecar, model string
	// plates are several, for the strip.
	plates []pair
	// ask is a file of which only the artist knows.
	ask *droppedFile
	// problem says why nothing can be done with them, or with some of them.
	problem *Problem
}

// droppedFile is what a file shows of itself.
type droppedFile struct {
	path string
	// named says that it is a hint by its name and looks like one; ours that Greenroom wrote it, and pass as what.
	named, ours bool
	pass        string
	// grey says that it looks like a hint, whatever its name; colour is how colourful it is: 0 is grey.
	grey   bool
	colour float64
}

// sortOut finds out what dropped files are.
func sortOut(paths []string, plateOpen bool) sorted {
	if len(paths) == 1 && isFolder(paths[0]) {
		return sortFolder(paths[0])
	}
	if len(paths) == 1 && isSidecarName(paths[0]) {
		return sorted{sidecar: paths[0]}
	}
	if len(paths) == 2 && isSidecarName(paths[0]) != isSidecarName(paths[1]) {
		side, plate := paths[0], paths[1]
		if isSidecarName(plate) {
			side, plate = plate, side
		}
		return sorted{sidecar: side, plate: plate}
	}
	if len(paths) == 1 && keying.IsCheckpointName(paths[0]) {
		return sorted{model: paths[0]}
	}
	if len(paths) > 2 || slices.ContainsFunc(paths, isFolder) {
		return sortMany(paths)
	}
	var files []droppedFile
	for _, path := range paths {
		file, err := look(path, len(paths) == 1 && !plateOpen)
		if err != nil {
			return sorted{problem: problem(err, remedyOpenPlate, path)}
		}
		files = append(files, file)
	}
	if len(files) == 1 {
		return sortOne(files[0], plateOpen)
	}
	return sortTwo(files[0], files[1])
}

// sortOne decides about a single file.
func sortOne(f droppedFile, plateOpen bool) sorted {
	switch {
	case f.ours:
		return sorted{ask: &f}
	case !plateOpen:
		return sorted{plate: f.path}
	case f.named:
		return sorted{hint: f.path}
	}
	return sorted{ask: &f}
}

// alike is the difference in colour under which no file is the greyer one.
const alike = 0.002

// sortTwo decides which of two files is the hint: by name, else the greyer one. Two that are both in colour are plates.
func sortTwo(a, b droppedFile) sorted {
	for _, f := range []droppedFile{a, b} {
		if f.ours {
			return sorted{problem: &Problem{
				What: fmt.Sprintf("%s is the %s of an earlier key", filepath.Base(f.path), f.pass),
				Why:  "Greenroom wrote it", Fix: "drop the plate and its hint, or this file alone to use it all the same", remedy: remedyOpenPlate,
			}}
		}
	}
	switch {
	case a.named && !b.named:
		return sorted{plate: b.path, hint: a.path}
	case b.named && !a.named:
		return sorted{plate: a.path, hint: b.path}
	case !a.grey && !b.grey:
		return sorted{plates: []pair{{plate: a.path}, {plate: b.path}}}
	case math.Abs(a.colour-b.colour) < alike:
		return sorted{problem: &Problem{
			What: fmt.Sprintf("Which is the plate, %s or %s?", filepath.Base(a.path), filepath.Base(b.path)),
			Why:  "no name ends in hint, and neither file is greyer than the other",
			Fix:  "drop the plate first, then its hint", remedy: remedyOpenPlate,
		}}
	case a.colour < b.colour:
		return sorted{plate: b.path, hint: a.path}
	}
	return sorted{plate: a.path, hint: b.path}
}

// sortFolder looks for the first plate in a folder that has its hint beside it.
func sortFolder(folder string) sorted {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return sorted{problem: problem(fmt.Errorf("cannot read the folder %s: %w", folder, errors.Unwrap(err)), remedyOpenPlate, folder)}
	}
	var pictures []string
	for _, e := range entries {
		if !e.IsDir() && isPictureName(e.Name()) && !hint.IsHintName(e.Name()) {
			pictures = append(pictures, filepath.Join(folder, e.Name()))
		}
	}
	for _, path := range pictures {
		if keying.WrittenByUs(path) {
			continue
		}
		if found, err := hint.Beside(path, keying.WrittenByUs); err == nil && found != "" {
			return sorted{plate: path, hint: found}
		}
	}
	why := "no plate in it has a hint beside it"
	if len(pictures) == 0 {
		why = "there is no picture in it"
	}
	return sorted{problem: &Problem{
		What: "Nothing to open in " + filepath.Base(folder), Why: why,
		Fix: "name the hint of shot.png shot-hint.png, or drop the plate itself", remedy: remedyOpenPlate,
	}}
}

// isPictureName reports whether a name ends like a picture's.
func isPictureName(name string) bool {
	return slices.Contains([]string{".png", ".jpg", ".jpeg", ".tif", ".tiff", ".exr", ".dpx"}, strings.ToLower(filepath.Ext(name)))
}

// look finds out what a file shows of itself. The header alone is enough for a file that can only be the plate.
func look(path string, headerOnly bool) (droppedFile, error) {
	f := droppedFile{path: path}
	if headerOnly {
		header, err := imageio.ReadHeader(path, imageio.Limits{})
		if err != nil {
			return f, err
		}
		f.ours, f.pass = header.WrittenByGreenroom, header.Pass
		return f, nil
	}
	file, err := imageio.Open(path, imageio.Limits{})
	if err != nil {
		return f, err
	}
	f.ours, f.pass = file.WrittenByGreenroom, file.Pass
	f.grey = hint.LooksLikeHint(file.Picture)
	f.named = f.grey && hint.IsHintName(filepath.Base(path))
	f.colour = colourfulness(file.Picture.RGB)
	return f, nil
}

// colourfulness is the mean difference between the greatest and the least of red, green and blue, of some pixels
// spread over the picture, within 0..1.
func colourfulness(m picture.Image) float64 {
	const samples = 1 << 16
	n := m.W * m.H
	step := max(1, n/samples)
	sum, count := 0.0, 0
	for i := 0; i < n; i += step {
		p := m.Pix[3*i : 3*i+3]
		if d := float64(max(p[0], p[1], p[2]) - min(p[0], p[1], p[2])); d <= 1 {
			sum += d
		} else {
			sum++ // over-range, or not a number
		}
		count++
	}
	return sum / float64(count)
}

// ask lets the artist say what a file is.
func (w *Workspace) ask(f droppedFile, open *Plate) {
	name := filepath.Base(f.path)
	q := &Question{Question: views.Question{Title: "What is " + name + "?"}}
	add := func(label, detail string, do func()) {
		q.Answers = append(q.Answers, views.Answer{Label: label, Detail: detail})
		q.do = append(q.do, do)
	}
	if f.ours {
		q.Detail = "Greenroom wrote this file: it is the " + f.pass + " of an earlier key."
	}
	if open == nil {
		add("A plate", "Open it", func() { w.Open(f.path) })
	} else {
		add("A new plate", "Beside the open one, in the strip", func() { w.Open(f.path) })
		add("The hint", "For the open plate", func() { w.UseHint(f.path) })
	}
	w.change(func(s *State) { s.Question = q })
}
