package picturetest

import (
	"os"
	"path/filepath"
	"testing"
)

// Shared returns the path of a file or folder within the folder named shared beside the repository, which has test
// pictures and expected values. The test is skipped where it is absent.
func Shared(t testing.TB, elements ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(elements...)
	for {
		path := filepath.Join(dir, "shared", name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
		if dir == filepath.Dir(dir) {
			t.Skipf("%s is not beside the repository", name)
		}
		dir = filepath.Dir(dir)
	}
}
