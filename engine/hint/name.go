package hint

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// IsHintName reports whether a file is a hint by its name: the last token of the name without its ending,
// split at _ - . and space, is hint, alphahint, mask or roto in any case. The file must also look like one
// (LooksLikeHint), and must not be written by Greenroom.
func IsHintName(name string) bool {
	return slices.Contains([]string{"hint", "alphahint", "mask", "roto"}, lastToken(name))
}

// AsksName reports whether a file may be a hint by its name, but only the artist knows: matte and alpha are
// the names of results too.
func AsksName(name string) bool {
	return slices.Contains([]string{"matte", "alpha"}, lastToken(name))
}

// lastToken returns the last token of a file's name in lower case.
func lastToken(name string) string {
	base := filepath.Base(name)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	return strings.ToLower(base[strings.LastIndexAny(base, "_-. ")+1:])
}

// endings are the endings of pictures that Beside looks for.
func endings() []string {
	return []string{".png", ".exr", ".tif", ".tiff", ".jpg", ".jpeg", ".dpx"}
}

// Beside returns the hint that lies beside a plate: NAME-hint with a picture's ending, where NAME is the
// plate's name without its own. Files for which ours reports true, because Greenroom wrote them, are passed
// over; ours may be nil. It returns "" where there is none, and an error that names them where there are
// several.
func Beside(plate string, ours func(path string) bool) (string, error) {
	stem := strings.TrimSuffix(plate, filepath.Ext(plate)) + "-hint"
	var found []string
	var infos []os.FileInfo
	for _, ending := range endings() {
		// The file system matches the name: some fold case, some accents, and the one that does neither is
		// asked for the ending in capitals too.
		for _, path := range []string{stem + ending, stem + strings.ToUpper(ending)} {
			info, err := os.Stat(path)
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			known := slices.ContainsFunc(infos, func(o os.FileInfo) bool { return os.SameFile(info, o) })
			if known || (ours != nil && ours(path)) {
				continue
			}
			found, infos = append(found, path), append(infos, info)
		}
	}
	switch len(found) {
	case 0:
		return "", nil
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("several hints lie beside %s: %s (choose one with --hint)", plate, strings.Join(found, ", "))
}
