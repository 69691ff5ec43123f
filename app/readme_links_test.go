package app

import (
	"image"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// link is a link or a picture of Markdown: its mark, and where it leads.
var link = regexp.MustCompile(`(!?)\[[^\]]*\]\(([^)\s]*)\)`)

// deadLinks lists what leads nowhere in a text that lies in a folder: files that are not there, pictures that are none, and
// headings that the text does not have. It returns how many links it looked at.
func deadLinks(text, folder string) (dead []string, looked int) {
	headings := map[string]bool{}
	prose := ""
	code := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
		}
		if code {
			continue
		}
		prose += line
		if title := strings.TrimLeft(line, "#"); title != line {
			headings[anchor(title)] = true
		}
	}
	for _, found := range link.FindAllStringSubmatch(prose, -1) {
		picture, to := found[1] != "", found[2]
		if strings.Contains(to, "://") {
			continue
		}
		looked++
		path, heading, inside := strings.Cut(to, "#")
		switch {
		case path == "" && !(inside && headings[heading]):
			dead = append(dead, to+": there is no such heading")
		case path == "":
		case !isThere(filepath.Join(folder, path)):
			dead = append(dead, to+": there is no such file")
		case picture && !isPicture(filepath.Join(folder, path)):
			dead = append(dead, to+": it is no picture")
		}
	}
	return dead, looked
}

// anchor is how a link names a heading: small letters, digits and dashes for spaces.
func anchor(title string) string {
	kept := func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '-'
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r > 127:
			return r
		}
		return -1
	}
	return strings.Map(kept, strings.ToLower(strings.TrimSpace(title)))
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func isPicture(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	config, _, err := image.DecodeConfig(f)
	return err == nil && config.Width > 0 && config.Height > 0
}

func TestEveryLinkAndPictureOfTheReadmesIsThere(t *testing.T) {
	for _, path := range []string{"../README.md", "../engine/greenformer/training/README.md"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		dead, looked := deadLinks(string(text), filepath.Dir(path))
		for _, fault := range dead {
			t.Errorf("%s: %s", path, fault)
		}
		if path == "../README.md" && looked < 5 {
			t.Errorf("%s: only %d links were found", path, looked)
		}
	}
}

func TestDeadLinksAreFound(t *testing.T) {
	text := "# Of all, `Macs`\n[here](#of-all-macs) [nowhere](#macs) [me](readme_links_test.go) [gone](gone.go)\n" +
		"![no picture](arrows_test.go) [far](https://example.org/x)\n```\n[code](gone.go)\n```\n"
	dead, looked := deadLinks(text, ".")
	want := "#macs: there is no such heading; gone.go: there is no such file; arrows_test.go: it is no picture"
	if got := strings.Join(dead, "; "); got != want || looked != 5 {
		t.Errorf("of %d: %s", looked, got)
	}
}
