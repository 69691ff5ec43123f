package imageio

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// passes are the words that our files carry behind a plate's name.
var passes = []string{"matte", "key", "fg", "comp"}

// VersionedName returns the name of a file of a version: from "plate" and "_matte.png", version 1 is
// "plate_matte.png" and version 2 is "plate_matte_v002.png".
func VersionedName(name, ending string, version int) string {
	if version <= 1 {
		return name + ending
	}
	ext := filepath.Ext(ending)
	return fmt.Sprintf("%s%s_v%03d%s", name, strings.TrimSuffix(ending, ext), version, ext)
}

// NextVersion returns the version that a run for the plate called name gets in folder: one more than the
// highest that any pass of it has there, whatever the format, so that the files of one run always bear one
// number and numbers are not used twice; 1 where there is none.
func NextVersion(folder, name string) int {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return 1 // what is wrong with the folder will show when it is written to
	}
	highest := 0
	for _, e := range entries {
		if v, ok := versionOf(e.Name(), name); ok {
			highest = max(highest, v)
		}
	}
	return highest + 1
}

// versionOf returns which version of the plate's passes a file is; false where it is none.
func versionOf(file, name string) (int, bool) {
	rest, ok := strings.CutPrefix(file, name+"_")
	if !ok {
		return 0, false
	}
	rest = strings.TrimSuffix(rest, filepath.Ext(rest))
	for _, pass := range passes {
		if rest == pass {
			return 1, true
		}
		digits, ok := strings.CutPrefix(rest, pass+"_v")
		if !ok || len(digits) < 3 || len(digits) > 6 {
			continue
		}
		if v, err := strconv.Atoi(digits); err == nil && v > 1 {
			return v, true
		}
	}
	return 0, false
}
