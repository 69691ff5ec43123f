package presets

import (
	"errors"
	"strings"
	"testing"
)

func TestDeepNestingIsRefusedBeforeItIsParsed(t *testing.T) {
	many := strings.Repeat(".a", 400_000)
	for name, text := range map[string]string{
		"a dotted key":            "a" + many + " = 1",
		"behind a quoted part":    "\"=\"" + many + " = 1",
		"behind a literal part":   "'='" + many + " = 1",
		"in a header":             "[\"=\"" + many + "]",
		"brackets":                "a = " + strings.Repeat("[", 400_000),
		"brackets over lines":     strings.Repeat("[[[[[ #]]]]]\n", 40_000),
		"tables in a line":        "a = " + strings.Repeat("{a=", 100_000),
		"after a multi-line text": "a = \"\"\"\n\\\"\"\"\"\nb" + many + " = 1",
	} {
		_, err := parsePreset("schema = 1\n"+text, "x.toml", "x")
		var file *FileError
		if !errors.As(err, &file) || file.Line < 2 || !strings.Contains(err.Error(), "nested too deeply") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{
		"notes = \"" + strings.Repeat("[.", 1000) + "\"", "notes = '" + strings.Repeat("{", 1000) + "'",
		"notes = \"\"\"\n" + strings.Repeat("a.b.[\n", 1000) + "\"\"\"", "# " + strings.Repeat("[.", 1000),
		"x = [" + strings.Repeat("0.5, ", 1000) + "]",
	} {
		if _, err := parsePreset("schema = 1\n"+text, "x.toml", "x"); err != nil {
			t.Errorf("%.30q: %v", text, err)
		}
	}
}

func TestDecodeRefusesWhatNestsDeeply(t *testing.T) {
	var tree map[string]any
	if _, err := Decode("x = "+strings.Repeat("[", 100_000), &tree); err == nil || !strings.Contains(err.Error(), "nested too deeply") {
		t.Errorf("arrays: %v", err)
	}
	meta, err := Decode("[a.b.c]\nd = [[1, 2], [3, 4]]", &tree)
	if err != nil || !meta.IsDefined("a", "b", "c", "d") {
		t.Errorf("a sound text: %v", err)
	}
}
