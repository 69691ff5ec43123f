package checkpoint

import (
	_ "embed" // for catalogue.toml
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"
)

//go:embed catalogue.toml
var catalogueText string

// Screen is the colour of screen that a model was trained on.
type Screen string

// The screens a model may know.
const (
	GreenScreen Screen = "green"
	BlueScreen  Screen = "blue"
	BothScreens Screen = "both"
)

// Model is a catalogue entry: a published model and where it comes from.
type Model struct {
	Name        string   `toml:"name"`  // as typed: corridorkey-v1
	Title       string   `toml:"title"` // as shown: CorridorKey 1.0
	About       string   `toml:"about"` // one or two sentences
	Screen      Screen   `toml:"screen"`
	Embedded    bool     `toml:"embedded"`     // part of the program; has no sources
	PreferTiled bool     `toml:"prefer_tiled"` // keys better in tiles than with a whole frame of about 1024 pixels
	Licence     Licence  `toml:"licence"`
	Sources     []Source `toml:"source"` // in the order to try
}

// Licence says what a model may be used for.
type Licence struct {
	Name   string `toml:"name"`
	URL    string `toml:"url"`    // of the publisher's text
	Text   string `toml:"text"`   // a summary, to be shown
	Accept string `toml:"accept"` // the sentence to agree to before a download; empty: nothing to accept
}

// Source is one file that holds a model's weights.
type Source struct {
	URL       string `toml:"url"`
	File      string `toml:"file"`       // name on this machine, and what marks the file as this source's
	Layout    string `toml:"layout"`     // a hint: "torch" or "mlx"
	Size      int64  `toml:"size"`       // bytes; 0 where not known
	SHA256    string `toml:"sha256"`     // 64 hexadecimal digits; empty where SHA256URL says where to ask
	SHA256URL string `toml:"sha256_url"` // the publisher's statement of the hash
}

// Catalogue returns the models known by name, the embedded one first.
func Catalogue() ([]Model, error) {
	models, err := parseCatalogue(catalogueText)
	if err != nil {
		return nil, fmt.Errorf("read the model catalogue: %w", err)
	}
	return models, nil
}

// ErrUnknownModel is what Find's error wraps for a name that no model has.
var ErrUnknownModel = errors.New("unknown model")

// Find returns the model of the given name. For an unknown name the error
// satisfies errors.Is(err, ErrUnknownModel) and lists the known names.
func Find(name string) (Model, error) {
	models, err := Catalogue()
	if err != nil {
		return Model{}, err
	}
	var names []string
	for _, m := range models {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Model{}, fmt.Errorf("%w %s (known are %s; a file is named by its path)", ErrUnknownModel, quoted(name), strings.Join(names, ", "))
}

// Identify returns the model that a file of the given SHA-256 is a source of;
// ok is false where the catalogue knows none.
func Identify(hash string) (model Model, source Source, ok bool, err error) {
	models, err := Catalogue()
	if err != nil {
		return Model{}, Source{}, false, err
	}
	for _, m := range models {
		for _, s := range m.Sources {
			if s.SHA256 != "" && s.SHA256 == strings.ToLower(hash) {
				return m, s, true, nil
			}
		}
	}
	return Model{}, Source{}, false, nil
}

func parseCatalogue(text string) ([]Model, error) {
	var file struct {
		Models []Model `toml:"model"`
	}
	read, err := toml.Decode(text, &file)
	if err != nil {
		return nil, err
	}
	if unknown := read.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("unknown key %s", unknown[0])
	}
	seen := map[string]bool{}
	for _, m := range file.Models {
		if seen[m.Name] {
			return nil, fmt.Errorf("model %s is there twice", quoted(m.Name))
		}
		seen[m.Name] = true
		if err := m.validate(seen); err != nil {
			return nil, fmt.Errorf("model %s: %w", quoted(m.Name), err)
		}
	}
	if len(file.Models) == 0 {
		return nil, errors.New("no models")
	}
	return file.Models, nil
}

// validate checks an entry. Seen holds the names and files of all entries so
// far: all files may lie in one folder.
func (m Model) validate(seen map[string]bool) error {
	switch {
	case m.Name == "" || m.Title == "" || m.About == "":
		return errors.New("name, title or about is missing")
	case m.Screen != GreenScreen && m.Screen != BlueScreen && m.Screen != BothScreens:
		return fmt.Errorf("unknown screen %s", quoted(string(m.Screen)))
	case m.Licence.Name == "" || m.Licence.Text == "" || m.Licence.URL == "":
		return errors.New("the licence lacks name, text or url")
	case m.Embedded != (len(m.Sources) == 0):
		return errors.New("a model is either embedded or has sources")
	}
	for _, s := range m.Sources {
		if seen[s.File] {
			return fmt.Errorf("file %s is there twice", quoted(s.File))
		}
		seen[s.File] = true
		if err := s.validate(); err != nil {
			return fmt.Errorf("source %s: %w", quoted(s.URL), err)
		}
	}
	return nil
}

func (s Source) validate() error {
	for _, link := range []string{s.URL, s.SHA256URL} {
		if link == "" {
			continue
		}
		// Without TLS the hash of the sidecar would be anyone's.
		if u, err := url.Parse(link); err != nil || u.Scheme != "https" || u.Host == "" {
			return fmt.Errorf("%s is not an https address", quoted(link))
		}
	}
	switch {
	case s.URL == "":
		return errors.New("no url")
	case s.File == "" || s.File != filepath.Base(s.File) || strings.ContainsAny(s.File, `/\:`) || strings.HasPrefix(s.File, "."):
		return fmt.Errorf("%s is not a plain file name", quoted(s.File))
	case s.Layout != "torch" && s.Layout != "mlx":
		return fmt.Errorf("unknown layout %s", quoted(s.Layout))
	case s.Size < 0:
		return errors.New("a negative size")
	case (s.SHA256 == "") == (s.SHA256URL == ""):
		return errors.New("either sha256 or sha256_url has to be given")
	case s.SHA256 != "" && !isSHA256(s.SHA256):
		return errors.New("sha256 is not 64 lower-case hexadecimal digits")
	}
	return nil
}
