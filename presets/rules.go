package presets

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"greenroom/engine/settings"
)

//go:embed rules.toml
var rulesText string

// rule is one entry of rules.toml.
type rule struct {
	Name     string            `toml:"name"`
	Why      string            `toml:"why"`
	When     condition         `toml:"when"`
	Set      map[string]string `toml:"set"`
	Required []string          `toml:"required"`
	// Show names a setting that the rule speaks about without choosing it.
	Show     string     `toml:"show"`
	Evidence []citation `toml:"evidence"`

	// texts is the evidence in words.
	texts []string
}

// condition holds when everything that is named in it does.
type condition struct {
	Apple         *bool    `toml:"apple"`
	GPU           *bool    `toml:"gpu"`
	FullFrame     *bool    `toml:"full_frame"`
	ModelTiles    *bool    `toml:"model_tiles"`
	Generations   []string `toml:"generations"`
	MinGeneration string   `toml:"min_generation"`
	MaxMemoryGB   int      `toml:"max_memory_gb"`
	OverMemoryGB  int      `toml:"over_memory_gb"`
	MinSize       float64  `toml:"min_size"`
	OverSize      float64  `toml:"over_size"`
	MaxSize       float64  `toml:"max_size"`
}

// rulebook is rules.toml.
type rulebook struct {
	KnownGenerations []string `toml:"known_generations"`
	Rules            []rule   `toml:"rule"`
}

// readRules returns the built-in rules, read once.
var readRules = sync.OnceValues(func() (rulebook, error) { return parseRules(rulesText) })

// parseRules reads rules and refuses unknown keys, unknown settings and values that settings do not take.
func parseRules(text string) (rulebook, error) {
	var book rulebook
	meta, err := toml.Decode(text, &book)
	if err != nil {
		return book, fmt.Errorf("read the built-in rules: %w", err)
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		return book, fmt.Errorf("read the built-in rules: unknown key %q", extra[0].String())
	}
	if len(book.KnownGenerations) == 0 {
		return book, fmt.Errorf("read the built-in rules: no known generations")
	}
	for _, g := range book.KnownGenerations {
		if generation(g) == 0 {
			return book, fmt.Errorf("read the built-in rules: %q is no generation", g)
		}
	}
	facts, err := readEvidence()
	if err != nil {
		return book, err
	}
	for i := range book.Rules {
		r := &book.Rules[i]
		if err := r.check(); err != nil {
			return book, fmt.Errorf("read the built-in rules: rule %q: %w", r.Name, err)
		}
		for _, c := range r.Evidence {
			text, err := c.text(facts)
			if err != nil {
				return book, fmt.Errorf("read the built-in rules: rule %q: %w", r.Name, err)
			}
			r.texts = append(r.texts, text)
		}
	}
	return book, nil
}

func (r rule) check() error {
	if r.Name == "" || r.Why == "" || len(r.Evidence) == 0 {
		return fmt.Errorf("it needs a name, a reason and evidence")
	}
	s := settings.Default()
	for _, name := range r.names() {
		if err := s.Set(name, r.Set[name]); err != nil {
			return err
		}
	}
	if err := s.Validate(); err != nil {
		return err
	}
	if _, ok := s.Get(r.Show); r.Show != "" && !ok {
		return fmt.Errorf("no setting is called %q", r.Show)
	}
	for _, name := range r.Required {
		if _, ok := r.Set[name]; !ok {
			return fmt.Errorf("it requires %q but does not set it", name)
		}
	}
	return nil
}

// names lists the settings that the rule chooses, in the order of settings.Names; unknown ones at the end.
func (r rule) names() []string {
	var names, unknown []string
	for _, n := range settings.Names() {
		if _, ok := r.Set[n]; ok {
			names = append(names, n)
		}
	}
	for n := range r.Set {
		if !slices.Contains(names, n) {
			unknown = append(unknown, n)
		}
	}
	slices.Sort(unknown)
	return append(names, unknown...)
}

// holds reports whether the condition is met with the settings chosen so far.
func (c condition) holds(q Request, newest int, s settings.Settings) bool {
	is := func(want *bool, have bool) bool { return want == nil || *want == have }
	gen := min(generation(q.Machine.Generation), newest)
	if gen == 0 && q.Machine.Apple() {
		gen = newest // a chip of another name
	}
	memory := q.Machine.memoryForRules()
	return is(c.Apple, q.Machine.Apple()) &&
		is(c.GPU, q.Machine.GPU != nil) &&
		is(c.FullFrame, wholeFrame(s.Tile, q.Size)) &&
		is(c.ModelTiles, q.TileFrom > 0 && q.Size >= q.TileFrom) &&
		(len(c.Generations) == 0 || slices.ContainsFunc(c.Generations, func(g string) bool { return gen == generation(g) })) &&
		(c.MinGeneration == "" || gen >= generation(c.MinGeneration)) &&
		(c.MaxMemoryGB == 0 || memory <= c.MaxMemoryGB) &&
		(c.OverMemoryGB == 0 || memory > c.OverMemoryGB) &&
		(c.MinSize == 0 || q.Size >= c.MinSize) &&
		(c.OverSize == 0 || q.Size > c.OverSize) &&
		(c.MaxSize == 0 || q.Size <= c.MaxSize)
}

// generation returns 4 for "M4", and 0 for what is no generation.
func generation(name string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(name, "M"))
	if err != nil || !strings.HasPrefix(name, "M") || n < 1 {
		return 0
	}
	return n
}

// wholeFrame reports whether a tile setting keys a picture of that size in one call.
func wholeFrame(tile int, size float64) bool { return tile == 0 || float64(tile) >= size }
