package app

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"greenroom/app/keying"
	"greenroom/engine/imageio"
	"greenroom/engine/settings"
	"greenroom/presets"
	"greenroom/views"
)

// memory is the file in which the window remembers things from one time to the next. The toolkit's own preferences
// are not used: it reads their file while it is writing it, and complains.
type memory struct {
	// path is the file; empty remembers nothing.
	path string

	mu   sync.Mutex
	next remembered
}

// remembered is what the file holds.
type remembered struct {
	// Recents are the paths of plates that were open lately, the last first.
	Recents []string `toml:"recents"`
	// Preset is the name of the preset in use.
	Preset string `toml:"preset,omitempty"`
	// Model is the model that the artist chose; empty leaves it to the preset.
	Model string `toml:"model,omitempty"`
	// Width and Height are the window's size in units; 0 is the usual one.
	Width  float32 `toml:"width,omitempty"`
	Height float32 `toml:"height,omitempty"`
	// Viewer is how the artist likes the viewer.
	Viewer views.Preferences `toml:"viewer,omitempty"`
	// Folds are the parts of the panel that were folded away, or opened, by their names.
	Folds map[string]bool `toml:"folds,omitempty"`
	// Folder is where exports go; empty is the usual folder of each plate. Export is what they write.
	Folder string              `toml:"export_folder,omitempty"`
	Export *views.ExportChoice `toml:"export,omitempty"`
	// Look is the look of the last plate.
	Look *settings.Look `toml:"look,omitempty"`
}

// The sizes that a window may come back with, in units.
const (
	leastWindow, mostWindow = 200, 20000
)

// sound leaves out what cannot be: a file may hold anything.
func (r remembered) sound() remembered {
	within := func(v float32) bool { return v >= leastWindow && v <= mostWindow }
	if !within(r.Width) || !within(r.Height) {
		r.Width, r.Height = 0, 0
	}
	r.Recents = slices.DeleteFunc(r.Recents, func(path string) bool { return path == "" })
	if r.Look != nil && r.Look.Validate() != nil {
		r.Look = nil
	}
	if r.Export != nil && !r.Export.Format.Known() {
		r.Export = nil
	}
	return r
}

// paths returns a copy in which every path is another form of itself.
func (r remembered) paths(form func(path string) string) remembered {
	recents := make([]string, len(r.Recents))
	for i, path := range r.Recents {
		recents[i] = form(path)
	}
	r.Recents, r.Model, r.Folder = recents, form(r.Model), form(r.Folder)
	return r
}

// inTOML is a path as the file says it. TOML knows UTF-8 only, a file's name may hold any bytes: such a path stands in
// quotes of its own, with escapes for them.
func inTOML(path string) string {
	if utf8.ValidString(path) && !strings.HasPrefix(path, `"`) {
		return path
	}
	return strconv.Quote(path)
}

// fromTOML undoes inTOML.
func fromTOML(text string) string {
	if path, err := strconv.Unquote(text); err == nil && strings.HasPrefix(text, `"`) {
		return path
	}
	return text
}

// memoryLimit is the most bytes that the file may have.
const memoryLimit = 1 << 20

// load reads what was remembered: nothing where nothing was, or where the file cannot be read.
func (m *memory) load() remembered {
	r := remembered{}
	if m.path == "" {
		return r
	}
	f, err := keying.OpenRegular(m.path)
	if err != nil {
		return r
	}
	defer f.Close()
	look := settings.DefaultLook()
	r.Look = &look
	text, err := io.ReadAll(io.LimitReader(f, memoryLimit))
	if err != nil {
		return remembered{}
	}
	meta, err := presets.Decode(string(text), &r)
	if err != nil {
		return remembered{}
	}
	if !meta.IsDefined("look") {
		r.Look = nil
	}
	return r.paths(fromTOML).sound()
}

// set notes what to remember; save writes it.
func (m *memory) set(r remembered) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.next = r
}

// save writes what was set last. It may be called on any goroutine, and the last word stays whoever comes last.
func (m *memory) save(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(m.path), 0o777); err != nil {
		return fmt.Errorf("cannot remember the recent plates: %w", err)
	}
	return imageio.Replace(ctx, m.path, func(w io.WriteSeeker) error { return toml.NewEncoder(w).Encode(m.next.paths(inTOML)) })
}
