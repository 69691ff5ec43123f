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
	return start(path, filepath.Dir(path), name, arguments)
}

// RevealFolder opens a folder in the system's file manager. It does not wait for the file manager.
func RevealFolder(folder string) error {
	name, arguments := opener(runtime.GOOS, folder)
	return start(folder, folder, name, arguments)
}

// start runs a file manager.
func start(path, folder, name string, arguments []string) error {
	cmd := exec.Command(name, arguments...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("cannot show %s: no file manager could be started, %w (open the folder %s yourself)", filepath.Base(path), err, folder)
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

// opener returns the program that shows what is in a folder.
func opener(system, folder string) (name string, arguments []string) {
	switch system {
	case "darwin":
		return "open", []string{folder}
	case "windows":
		return "explorer", []string{folder}
	}
	return "xdg-open", []string{folder}
}
