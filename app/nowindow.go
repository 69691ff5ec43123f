//go:build headless

package app

import "errors"

// OpenWindow says what to do instead: this build has no window.
func OpenWindow(string) error {
	return errors.New("this build has no window (use greenroom key PLATE, or build without -tags headless)")
}
