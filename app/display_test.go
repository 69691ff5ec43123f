package app

import (
	"strings"
	"testing"
)

func TestDisplayNamesAreUnderstood(t *testing.T) {
	for display, want := range map[string]string{
		":0":                           "unix /tmp/.X11-unix/X0",
		"unix:3.1":                     "unix /tmp/.X11-unix/X3",
		":99.0":                        "unix /tmp/.X11-unix/X99",
		"far.example.org:2":            "tcp far.example.org:6002",
		"localhost:10.0":               "tcp localhost:6010",
		"::1:1":                        "tcp [::1]:6001",
		"/private/tmp/x/org.xquartz:0": "unix /private/tmp/x/org.xquartz:0",
	} {
		network, address, err := displaySocket(display)
		if got := network + " " + address; err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", display, got, err, want)
		}
	}
	for _, display := range []string{"none", ":", ":x", ":99999999"} {
		if network, address, err := displaySocket(display); err == nil {
			t.Errorf("%q: %s %s, want an error", display, network, address)
		}
	}
}

func TestMissingDisplaySaysWhatToDo(t *testing.T) {
	for _, display := range []string{"", ":60000", "nonsense"} {
		err := checkDisplay("linux", func(string) string { return display })
		if err == nil || !strings.Contains(err.Error(), "greenroom key PLATE") {
			t.Errorf("DISPLAY=%q: %v", display, err)
		}
	}
	for _, system := range []string{"darwin", "windows"} {
		if err := checkDisplay(system, func(string) string { return "" }); err != nil {
			t.Errorf("%s: %v", system, err)
		}
	}
}
