package app

import (
	"errors"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// errNoDisplay says what to do where a window cannot open.
var errNoDisplay = errors.New("there is no display to open a window on (use greenroom key PLATE, or set DISPLAY)")

// checkDisplay reports whether a window can open, so that the toolkit need not find out by failing. Systems other
// than the Unixes with X11 always have a display. getenv reads the environment.
func checkDisplay(system string, getenv func(string) string) error {
	switch system {
	case "darwin", "windows":
		return nil
	}
	display := getenv("DISPLAY")
	if display == "" {
		return errNoDisplay
	}
	network, address, err := displaySocket(display)
	if err != nil {
		return err
	}
	conn, err := net.DialTimeout(network, address, 3*time.Second)
	if err != nil {
		return errors.New("the display " + display + " does not answer (start it, set DISPLAY, or use greenroom key PLATE)")
	}
	return conn.Close()
}

// displaySocket returns the socket of an X11 display name, host:number[.screen] with an empty host for this machine.
func displaySocket(display string) (network, address string, err error) {
	host, rest, ok := cutLast(display, ":")
	number, _, _ := strings.Cut(rest, ".")
	n, convErr := strconv.ParseUint(number, 10, 16)
	if !ok || convErr != nil {
		return "", "", errors.New("DISPLAY is " + strconv.Quote(display) + ", which names no display (set it like :0, or use greenroom key PLATE)")
	}
	switch {
	case filepath.IsAbs(host):
		// XQuartz names its socket by a path.
		return "unix", display, nil
	case host == "" || host == "unix":
		return "unix", "/tmp/.X11-unix/X" + number, nil
	}
	return "tcp", net.JoinHostPort(host, strconv.FormatUint(6000+n, 10)), nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
