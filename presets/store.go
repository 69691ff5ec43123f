package presets

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Errors of a Store, wrapped with the preset's name and what to do.
var (
	// ErrUnknown: no preset has that name.
	ErrUnknown = errors.New("there is no such preset")
	// ErrReadOnly: a built-in preset cannot be changed.
	ErrReadOnly = errors.New("it is built in and stays as it is")
	// ErrExists: another preset has that name.
	ErrExists = errors.New("there is a preset of that name")
)

// Auto stands, in place of a name, for the preset that fits a machine best: see Store.For.
const Auto = "auto"

// Store is a folder of preset files, beside the presets that are built in. Its methods may be called from any
// goroutine.
type Store struct {
	// Folder holds the files; it is made when the first one is saved.
	Folder string
}

// SettingsFolder is Greenroom's folder among the user's settings on this machine.
func SettingsFolder() (string, error) {
	folder, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("find the folder for settings: %w", err)
	}
	name := "greenroom"
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		name = "Greenroom"
	}
	return filepath.Join(folder, name), nil
}

// Folder is where the artist's presets lie on this machine.
func Folder() (string, error) {
	folder, err := SettingsFolder()
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, "presets"), nil
}

//go:embed builtin
var builtInFiles embed.FS

// readBuiltIn returns the presets that are part of the program, the least memory first.
var readBuiltIn = sync.OnceValues(func() ([]Preset, error) {
	files, err := fs.Glob(builtInFiles, "builtin/*.toml")
	if err != nil {
		return nil, err
	}
	var list []Preset
	for _, name := range files {
		text, err := builtInFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		p, err := parsePreset(string(text), name, "")
		if err != nil {
			return nil, fmt.Errorf("read the built-in presets: %w", err)
		}
		p.builtIn = true
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b Preset) int {
		return cmp.Or(
			cmp.Compare(min(len(a.Match.Chip), 1), min(len(b.Match.Chip), 1)),
			cmp.Compare(a.Match.MinMemoryGB, b.Match.MinMemoryGB),
			cmp.Compare(a.Name, b.Name),
		)
	})
	return list, nil
})

// List returns every preset: the built-in ones, then the files in the order of their names. Files that are broken
// are left out and left alone; each has its error, a *FileError.
func (s Store) List() ([]Preset, []error) {
	list, err := readBuiltIn()
	if err != nil {
		return nil, []error{err}
	}
	list = slices.Clone(list)
	entries, err := os.ReadDir(s.Folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return list, []error{&FileError{Path: s.Folder, Err: err}}
	}
	var own []Preset
	var broken []error
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || strings.HasPrefix(name, ".") || !strings.EqualFold(filepath.Ext(name), ".toml") {
			continue
		}
		p, err := ReadFile(filepath.Join(s.Folder, name))
		if err != nil {
			broken = append(broken, err)
			continue
		}
		own = append(own, p)
	}
	slices.SortStableFunc(own, func(a, b Preset) int {
		return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return append(list, own...), broken
}

// Load returns the preset of a name, whatever its case. Of several with one name the artist's own comes first, then
// the file that is called so. An unknown name is ErrUnknown; where a broken file has it, the error is that file's.
func (s Store) Load(name string) (Preset, error) {
	list, broken := s.List()
	best := -1
	for i, p := range list {
		if strings.EqualFold(p.Name, name) && (best < 0 || list[best].BuiltIn() || strings.EqualFold(stem(p.Path), name)) {
			best = i
		}
	}
	if best >= 0 {
		return list[best], nil
	}
	var names []string
	for _, p := range list {
		names = append(names, p.Name)
	}
	for _, err := range broken {
		var file *FileError
		if errors.As(err, &file) && strings.EqualFold(stem(file.Path), name) {
			return Preset{}, err
		}
	}
	return Preset{}, fmt.Errorf("%q: %w (there are %s)", name, ErrUnknown, strings.Join(names, ", "))
}

// For returns the preset that fits a machine most specifically, the artist's own before the built-in ones.
func (s Store) For(m Machine) (Preset, bool) {
	list, _ := s.List()
	best := -1
	for i, p := range list {
		if !p.Match.Fits(m) {
			continue
		}
		// A preset of the artist's that says nothing of machines is for none in particular.
		if !p.BuiltIn() && p.Match == (Match{}) {
			continue
		}
		if best < 0 || list[best].BuiltIn() && !p.BuiltIn() || p.BuiltIn() == list[best].BuiltIn() && p.Match.specific(list[best].Match) > 0 {
			best = i
		}
	}
	if best < 0 {
		return Preset{}, false
	}
	return list[best], true
}

// Save writes a preset to its file in one step, or to a new one where it has no Path, and returns it as it then is.
// Keys that this Greenroom does not know stay in the file. A new preset needs a name that is free: see FreeName. A
// file that was broken meanwhile is left alone.
func (s Store) Save(p Preset) (Preset, error) {
	if p.BuiltIn() || s.builtInName(p.Name) {
		return p, fmt.Errorf("cannot save the preset %q: %w (save it under another name)", p.Name, ErrReadOnly)
	}
	if _, err := p.check(); err != nil {
		return p, fmt.Errorf("cannot save the preset %q: %w", p.Name, err)
	}
	fresh := p.Path == ""
	if fresh {
		if s.taken(p.Name) {
			return p, fmt.Errorf("cannot save the preset %q: %w (choose another name)", p.Name, ErrExists)
		}
		if err := os.MkdirAll(s.Folder, 0o755); err != nil {
			return p, fmt.Errorf("cannot save the preset %q: %w (check the folder)", p.Name, err)
		}
		p.Path = filepath.Join(s.Folder, p.Name+".toml")
	} else if s.otherFile(p) {
		return p, fmt.Errorf("cannot save the preset %q: %w (choose another name)", p.Name, ErrExists)
	} else if now, err := ReadFile(p.Path); err == nil {
		p.tree = now.tree
	} else if !errors.Is(err, fs.ErrNotExist) {
		return p, fmt.Errorf("cannot save the preset %q over a broken file: %w (mend or remove it)", p.Name, err)
	}
	text, err := p.encode()
	if err != nil {
		return p, fmt.Errorf("cannot save the preset %q: %w", p.Name, err)
	}
	saved, err := parsePreset(string(text), p.Path, p.Name)
	if err != nil {
		return p, fmt.Errorf("cannot save the preset %q: it could not be read again: %w", p.Name, err)
	}
	if err := replaceFile(p.Path, text, fresh); err != nil {
		if errors.Is(err, fs.ErrExist) {
			err = ErrExists
		}
		return p, fmt.Errorf("cannot save the preset %q: %w (check the folder %s)", p.Name, err, filepath.Dir(p.Path))
	}
	saved.Path = p.Path
	return saved, nil
}

// SaveAs writes a preset to a new file under another name, and never over a file.
func (s Store) SaveAs(p Preset, name string) (Preset, error) {
	p.Name, p.Path, p.builtIn = name, "", false
	return s.Save(p)
}

// Import reads a preset file from anywhere and writes a copy of it into the folder, under a name that is free.
func (s Store) Import(path string) (Preset, error) {
	p, err := ReadFile(path)
	if err != nil {
		return Preset{}, err
	}
	if p.tree["plate"] != nil && p.tree["tiles"] != nil {
		return Preset{}, &FileError{Path: path, Err: errors.New("it tells how a key was made and is no preset (preset save NAME --like takes one from it)")}
	}
	return s.SaveAs(p, s.FreeName(p.Name))
}

// FreeName returns the name if no preset has it, else the name with the first number that is free: "Night 2".
func (s Store) FreeName(name string) string {
	for free, n := name, 2; ; n++ {
		if !s.taken(free) {
			return free
		}
		free = fmt.Sprintf("%s %d", name, n)
	}
}

// taken reports whether a preset or a file has a name, whatever the case.
func (s Store) taken(name string) bool {
	list, _ := s.List()
	if slices.ContainsFunc(list, func(p Preset) bool { return strings.EqualFold(p.Name, name) }) {
		return true
	}
	entries, _ := os.ReadDir(s.Folder)
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.EqualFold(e.Name(), name+".toml") })
}

// otherFile reports whether another file than the preset's own has its name.
func (s Store) otherFile(p Preset) bool {
	list, _ := s.List()
	return slices.ContainsFunc(list, func(other Preset) bool {
		return !other.BuiltIn() && strings.EqualFold(other.Name, p.Name) && other.Path != p.Path
	})
}

func (s Store) builtInName(name string) bool {
	list, _ := readBuiltIn()
	return slices.ContainsFunc(list, func(p Preset) bool { return strings.EqualFold(p.Name, name) })
}

// stem is a file's name without its ending.
func stem(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// longestName is the most bytes of a preset's name, so that its file can be on any system.
const longestName = 100

// CheckName reports why a preset cannot have a name: its file must be allowed on every system.
func CheckName(name string) error {
	odd := strings.IndexFunc(name, func(r rune) bool {
		return !unicode.IsPrint(r) || strings.ContainsRune(`/\:*?"<>|`, r)
	})
	base, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("the name is empty: give the preset one")
	case strings.EqualFold(name, Auto):
		return fmt.Errorf("the name %q stands for the preset that fits a machine best", name)
	case len(name) > longestName:
		return fmt.Errorf("the name is %d bytes long and may have %d", len(name), longestName)
	case odd >= 0:
		return fmt.Errorf("the name %q has a character that file names cannot have on every system", name)
	case name != strings.TrimSpace(name) || strings.HasPrefix(name, ".") || strings.HasSuffix(name, "."):
		return fmt.Errorf("the name %q begins or ends with a space or a dot", name)
	case slices.Contains([]string{"con", "prn", "aux", "nul"}, base) ||
		len(base) == 4 && (strings.HasPrefix(base, "com") || strings.HasPrefix(base, "lpt")) && base[3] >= '0' && base[3] <= '9':
		return fmt.Errorf("the name %q is one that Windows keeps for itself", name)
	}
	return nil
}
