//go:build !headless

package app

import (
	"os"
	"path/filepath"

	"greenroom/app/keying"
	"greenroom/presets"
)

// memoryPath is the file of the window's memory; empty where the system has no place for such files.
func memoryPath() string {
	folder, err := presets.SettingsFolder()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "window.toml")
}

// cachePath is the window's folder for files that can be made again.
func cachePath() string {
	if folder := keying.CacheFolder(); folder != "" {
		return folder
	}
	return filepath.Join(os.TempDir(), "greenroom")
}
