//go:build !headless

package dialogs

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Reveal shows a file in the system's file manager, or its folder where the file manager cannot be told to select it.
// It does not wait for the file manager.
func Reveal(path string) error {
	name, arguments := revealer(runtime.GOOS, path)
	cmd := exec.Command(name, arguments...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("cannot show %s: no file manager could be started, %w (open the folder %s yourself)", filepath.Base(path), err, filepath.Dir(path))
	}
	go cmd.Wait()
	return nil
}

// revealer returns the program that shows a file.
func revealer(system, path string) (name string, arguments []string) {
	switch system {
	case "darwin":
		return "open", []string{"-R", path}
	case "windows":
		return "explorer", []string{"/select," + path}
	}
	return "xdg-open", []string{filepath.Dir(path)}
}
