package imageio

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"time"
)

// leftoverAge is how long a temporary file must have been left alone before it may be one that nobody comes back to. The
// program that made it may run on another machine that shares the folder, where its process cannot be seen from here.
const leftoverAge = time.Hour

// Endings of temporary files: one that is being written, and one that holds what is about to be replaced.
const (
	writtenEnding = "tmp"
	asideEnding   = "old"
)

// temporaryNames matches the names of temporary files: the process that made it, a random number, an ending.
var temporaryNames = regexp.MustCompile(`^\.greenroom-(\d{1,10})-[0-9a-f]{16}\.(tmp|old)$`)

// temporaryName returns a hidden name in folder that nothing else has.
func temporaryName(folder, ending string) string {
	return filepath.Join(folder, fmt.Sprintf(".greenroom-%d-%016x.%s", os.Getpid(), rand.Uint64(), ending))
}

// removeLeftovers removes the temporary files in folder that a killed program or a power failure left: regular files of
// our names that were not touched for leftoverAge before now and whose process has ended. One that was set aside goes only
// where it has a second name in the folder: else it may be all that is left of the artist's file. Faults are nobody's
// concern: what stays is in nobody's way.
func removeLeftovers(folder string, now time.Time) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		name := temporaryNames.FindStringSubmatch(e.Name())
		if name == nil || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err != nil || now.Sub(info.ModTime()) < leftoverAge || running(name[1]) {
			continue
		}
		if name[2] == writtenEnding || hasSecondName(info, entries) {
			os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}

// hasSecondName reports whether a file stands in its folder under a name that is no temporary one as well.
func hasSecondName(file fs.FileInfo, entries []fs.DirEntry) bool {
	for _, e := range entries {
		if temporaryNames.MatchString(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		if other, err := e.Info(); err == nil && os.SameFile(file, other) {
			return true
		}
	}
	return false
}

// running reports whether the process of a number may be running.
func running(number string) bool {
	pid, err := strconv.Atoi(number)
	if err != nil || pid < 1 {
		return false
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	// Signal 0 asks and does nothing. Windows cannot be asked so, and does not find processes that have ended.
	return !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
