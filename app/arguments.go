package app

import (
	"fmt"
	"io"
	"os"
)

// Window opens the window with the plate that arguments name, if any, and returns the exit code: 0 when it was
// closed, 1 when it could not open, 2 on bad usage. Problems are told to errors.
func Window(arguments []string, errors io.Writer) int {
	plate := ""
	switch {
	case len(arguments) > 1:
		fmt.Fprintln(errors, "greenroom: bad usage: the window opens one plate (see greenroom --help)")
		return 2
	case len(arguments) == 1:
		plate = fromURI(arguments[0])
		// A mistyped command looks like a plate that is not there: both are told at once, without a window.
		if _, err := os.Stat(plate); os.IsNotExist(err) {
			fmt.Fprintf(errors, "greenroom: bad usage: %s is no file and no command (see greenroom --help)\n", plate)
			return 2
		}
	}
	if err := OpenWindow(plate); err != nil {
		fmt.Fprintf(errors, "greenroom: %v\n", err)
		return 1
	}
	return 0
}
