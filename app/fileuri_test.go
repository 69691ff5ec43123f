package app

import (
	"runtime"
	"strings"
	"testing"
)

func TestFileURIsAreDecodedOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths have other slashes here")
	}
	for argument, want := range map[string]string{
		"file:///shots/a%20b.png":                "/shots/a b.png",
		"file:///shots/a%2520b.png":              "/shots/a%20b.png",
		"file:///shots/%E6%BC%A2%23%F0%9F%A6%8E": "/shots/漢#🦎",
		"file://localhost/shots/e%CC%81.png":     "/shots/e\u0301.png",
		"FILE:///shots/end%20":                   "/shots/end ",
		"/shots/a%20b.png":                       "/shots/a%20b.png",
		"file.png":                               "file.png",
		"file:relative.png":                      "file:relative.png",
		"file://server/share/a.png":              "file://server/share/a.png",
		"file:///shots/100%.png":                 "file:///shots/100%.png",
		"https://example.org/shots/a.png":        "https://example.org/shots/a.png",
		"":                                       "",
	} {
		if got := fromURI(argument); got != want {
			t.Errorf("%q is %q, want %q", argument, got, want)
		}
	}
}

// TestAURIThatNamesNoFileIsToldDecoded: the decoded name of a URI is looked for, and told of.
func TestAURIThatNamesNoFileIsToldDecoded(t *testing.T) {
	var errs strings.Builder
	if code := Window([]string{"file:///nowhere/a%20b.png"}, &errs); code != 2 || !strings.Contains(errs.String(), "/nowhere/a b.png is no file") {
		t.Errorf("exit %d, %q", code, errs.String())
	}
}
