package app

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
)

// fromURI returns the path that a file URI of this machine names, as desktops hand it over: decoded once, so that
// a%2520b is the file a%20b. Anything else, a path with a percent sign in it too, is returned as it is.
func fromURI(argument string) string {
	const scheme = "file:"
	if len(argument) < len(scheme) || !strings.EqualFold(argument[:len(scheme)], scheme) {
		return argument
	}
	u, err := url.Parse(argument)
	if err != nil || !filepath.IsAbs(filepath.FromSlash(u.Path)) && runtime.GOOS != "windows" || u.Host != "" && u.Host != "localhost" {
		return argument
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // /C:/shots
	}
	return filepath.FromSlash(path)
}
