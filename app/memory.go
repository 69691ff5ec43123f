package app

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/BurntSushi/toml"

	"greenroom/engine/imageio"
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
	// Viewer is how the artist likes the viewer.
	Viewer views.Preferences `toml:"viewer,omitempty"`
}

// memoryLimit is the most bytes that the file may have.
const memoryLimit = 1 << 20

// memoryPath is where the file lies on this machine; empty where the system has no place for such files.
func memoryPath() string {
	folder, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	name := "greenroom"
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		name = "Greenroom"
	}
	return filepath.Join(folder, name, "window.toml")
}

// load reads what was remembered: nothing where nothing was, or where the file cannot be read.
func (m *memory) load() remembered {
	var r remembered
	if m.path == "" {
		return r
	}
	f, err := os.Open(m.path)
	if err != nil {
		return r
	}
	defer f.Close()
	if _, err := toml.NewDecoder(io.LimitReader(f, memoryLimit)).Decode(&r); err != nil {
		return remembered{}
	}
	return r
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
	return imageio.Replace(ctx, m.path, func(w io.WriteSeeker) error { return toml.NewEncoder(w).Encode(m.next) })
}
