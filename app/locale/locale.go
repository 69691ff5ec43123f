// Package locale keeps the window toolkit from complaining about the locale C.UTF-8, which servers and containers
// have: Fyne reads it before main begins, cannot parse it and prints three lines of error, on greenroom key too.
//
// Importing the package is enough. It must import nothing but os and strings: packages are initialised in the order
// of their import paths as soon as what they import is, and Fyne's languages wait for text/template.
package locale

import (
	"os"
	"strings"
)

var _ = plain(os.Getenv, os.Setenv)

// plain sets LC_ALL to C where the locale in effect is C with an encoding, which means the same to a program that
// only asks for a language. It reports whether it did.
func plain(get func(string) string, set func(name, value string) error) bool {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := get(name); value != "" {
			return strings.HasPrefix(value, "C.") && set("LC_ALL", "C") == nil
		}
	}
	return false
}
