package checkpoint

import (
	"errors"
	"strings"
	"testing"
)

func TestCatalogueHoldsTheKnownModels(t *testing.T) {
	models, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	screens := map[string]Screen{}
	for _, m := range models {
		screens[m.Name] = m.Screen
		// What is not ours needs consent before it is fetched.
		if m.Embedded == (m.Licence.Accept != "") {
			t.Errorf("%s: embedded %v, but what to accept is %q", m.Name, m.Embedded, m.Licence.Accept)
		}
	}
	for name, want := range map[string]Screen{"nano": BothScreens, "corridorkey-v1": GreenScreen, "corridorkey-blue-v1": BlueScreen} {
		if screens[name] != want {
			t.Errorf("%s is for %q, want %q", name, screens[name], want)
		}
	}
	if !models[0].Embedded {
		t.Errorf("%s comes first, not the embedded model", models[0].Name)
	}
}

func TestFind(t *testing.T) {
	m, err := Find("corridorkey-v1")
	if err != nil {
		t.Fatal(err)
	}
	first := m.Sources[0]
	if first.SHA256 != "0b6b202768725fda9f7953090a705262d9c9276e241360d15218357a27d95580" || first.Layout != "mlx" {
		t.Errorf("first source %+v", first)
	}
	_, err = Find("corridorkey")
	if !errors.Is(err, ErrUnknownModel) || !strings.Contains(err.Error(), "corridorkey-blue-v1") {
		t.Errorf("unknown model: %v", err)
	}
}

func TestIdentify(t *testing.T) {
	model, source, ok, err := Identify("43BC5F6A08A9E5EFFE5D633D0D84BB0AFF91037B35AB85D16CD812B38C5CAC23")
	if err != nil || !ok || model.Name != "corridorkey-blue-v1" || source.File != "CorridorKeyBlue_1.0.safetensors" {
		t.Errorf("got %s %s %v %v", model.Name, source.File, ok, err)
	}
	for _, hash := range []string{hashOfABC, ""} {
		if model, _, ok, err := Identify(hash); ok || err != nil {
			t.Errorf("%q is %s, %v", hash, model.Name, err)
		}
	}
}

func TestCatalogueRefuses(t *testing.T) {
	good := `[[model]]
name = "m"
title = "M"
about = "A model."
screen = "green"
[model.licence]
name = "L"
url = "https://example.org/licence"
text = "Text."
[[model.source]]
url = "https://example.org/m.safetensors"
file = "m.safetensors"
layout = "torch"
size = 12
sha256 = "0b6b202768725fda9f7953090a705262d9c9276e241360d15218357a27d95580"
`
	if _, err := parseCatalogue(good); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, says string }{
		{good, "", "no models"},
		{"[[model]]", "[[model", "expected"},
		{`title = "M"`, "", "title"},
		{`"green"`, `"grey"`, `"grey"`},
		{`text = "Text."`, "", "licence"},
		{`size = 12`, "embedded = 1", "embedded"},
		{`size = 12`, "colour = 1", "unknown key model.source.colour"},
		{`size = 12`, "size = -1", "negative"},
		{`screen = "green"`, "screen = \"green\"\nembedded = true", "either embedded"},
		{"https://example.org/m", "http://example.org/m", "https"},
		{`"m.safetensors"`, `"../m.safetensors"`, "plain file name"},
		{`"m.safetensors"`, `"C:m"`, "plain file name"},
		{`"m.safetensors"`, `".m"`, "plain file name"},
		{`"torch"`, `"caffe"`, `"caffe"`},
		{`sha256 = "0b`, `sha256 = "0B`, "hexadecimal"},
		{"d95580\"\n", "d95580\"\nsha256_url = \"https://example.org/x\"\n", "either sha256 or"},
		{`sha256 = "0b`, `sha256_url = "ftp://0b`, "https"},
		{good, good + good, "twice"},
		{good, good + strings.Replace(good, `name = "m"`, `name = "n"`, 1), "twice"},
	} {
		_, err := parseCatalogue(strings.Replace(good, c.old, c.new, 1))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q instead of %q: %v, want %q", c.new, c.old, err, c.says)
		}
	}
}
