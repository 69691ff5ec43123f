package keying

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"greenroom/engine/checkpoint"
)

// Shelf is where models come from: those known by name, and the folder in which fetched ones lie.
type Shelf struct {
	Models []checkpoint.Model
	Folder string
}

// ThisShelf returns the catalogue with this machine's folder.
func ThisShelf() (Shelf, error) {
	models, err := checkpoint.Catalogue()
	if err != nil {
		return Shelf{}, err
	}
	folder, err := ModelFolder()
	return Shelf{models, folder}, err
}

// Open is OpenModel for the models of a shelf.
func (s Shelf) Open(ctx context.Context, name string) (*Model, error) {
	entry, ok := s.Find(name)
	switch {
	case ok && entry.Embedded:
		return openEmbedded(entry)
	case ok:
		return openInstalled(ctx, entry, s.Folder)
	}
	if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("cannot open the model %s: it is not there any more (open its file again, or choose another model)", name)
	}
	return openFile(ctx, name)
}

// Find returns the model of a name.
func (s Shelf) Find(name string) (checkpoint.Model, bool) {
	for _, m := range s.Models {
		if m.Name == name {
			return m, true
		}
	}
	return checkpoint.Model{}, false
}

// Here reports whether a model can be opened without being fetched. It looks into the folder, at names only.
func (s Shelf) Here(m checkpoint.Model) bool {
	if m.Embedded {
		return true
	}
	_, ok, err := checkpoint.FindInstalled(m, s.Folder)
	return ok && err == nil
}

// Files returns the paths of the checkpoints in the folder that belong to no model of a name. It looks at names only.
func (s Shelf) Files() []string {
	entries, err := os.ReadDir(s.Folder)
	if err != nil {
		return nil // there is none before the first model is fetched
	}
	ours := map[string]bool{}
	for _, m := range s.Models {
		for _, source := range m.Sources {
			ours[source.File] = true
		}
	}
	var paths []string
	for _, e := range entries {
		if e.Type().IsRegular() && !ours[e.Name()] && IsCheckpointName(e.Name()) {
			paths = append(paths, filepath.Join(s.Folder, e.Name()))
		}
	}
	return paths
}

// IsCheckpointName reports whether a name ends like a checkpoint's.
func IsCheckpointName(name string) bool {
	return slices.Contains([]string{".safetensors", ".pth", ".pt", ".ckpt"}, strings.ToLower(filepath.Ext(name)))
}
