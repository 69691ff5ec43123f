package keying

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"greenroom/engine/imageio"
)

// checkInputs refuses an order that would overwrite a file that its run reads, by whatever name. It looks into the folder;
// the format must be known. The error is *imageio.Error.
func (o Order) checkInputs() error {
	if !o.Overwrite {
		return nil
	}
	inputs := []struct{ as, path string }{
		{"the plate", o.Plate}, {"the hint", o.Hint}, {"the core matte", o.Core}, {"the garbage matte", o.Garbage}, {"the background picture", o.Backdrop},
	}
	for _, path := range o.Inputs {
		inputs = append(inputs, struct{ as, path string }{"read in this run", path})
	}
	for _, target := range o.targets() {
		there, err := os.Stat(target)
		if err != nil {
			continue // nothing that could be lost
		}
		for _, in := range inputs {
			if info, err := os.Stat(in.path); in.path != "" && err == nil && os.SameFile(info, there) {
				return &imageio.Error{
					Path: target, What: "cannot overwrite " + target, Why: "it is " + in.as,
					Fix: "write into another folder with --out, or the next version without --overwrite",
				}
			}
		}
	}
	return nil
}

// targets are the paths that the order writes over.
func (o Order) targets() []string {
	endings := []string{sidecarEnding}
	for _, pass := range o.Passes {
		endings = append(endings, pass.ending(o.Format))
	}
	if o.Seams {
		endings = append(endings, PassSeams.ending(FormatPNG))
	}
	var paths []string
	for _, ending := range endings {
		paths = append(paths, filepath.Join(o.Folder(), imageio.VersionedName(o.Name(), ending, 1)))
	}
	return paths
}

// dropOldSeams removes the picture of the seams of the key that was written over, where none was written now: it would
// pass for that of the new key. A file that Greenroom did not write as such stays, and so does one that the run reads.
func (r *Report) dropOldSeams(o Order) {
	if !o.Overwrite || r.heat.W > 0 {
		return
	}
	old := o
	old.Seams, old.Passes = true, nil
	path := filepath.Join(o.Folder(), imageio.VersionedName(o.Name(), PassSeams.ending(FormatPNG), 1))
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return
	}
	header, err := imageio.ReadHeader(path, imageio.Limits{})
	ours := err == nil && header.WrittenByGreenroom && header.Pass == string(PassSeams)
	if ours && old.checkInputs() == nil {
		if err = os.Remove(path); err == nil || errors.Is(err, fs.ErrNotExist) {
			r.Notes = append(r.Notes, fmt.Sprintf("%s was of the key before and is removed (--seams draws a new one)", filepath.Base(path)))
			return
		}
	}
	r.Warnings = append(r.Warnings, fmt.Sprintf("%s is not of this key (--seams draws a new one)", filepath.Base(path)))
}

// reading returns the order with another file that its run reads; empty is none.
func (o Order) reading(path string) Order {
	if path != "" {
		o.Inputs = append(slices.Clip(o.Inputs), path)
	}
	return o
}
