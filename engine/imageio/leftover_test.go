package imageio

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// killedFolder is the variable that names the folder into which a child of the tests writes until it is killed.
const killedFolder = "GREENROOM_TEST_KILLED_IN"

// TestWriteUntilKilled is the child: it says a word when its files are begun, and then stands still.
func TestWriteUntilKilled(t *testing.T) {
	folder := os.Getenv(killedFolder)
	if folder == "" {
		t.Skip("this is for another test's child")
	}
	b, err := NewBatch(folder, "plate", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Write(context.Background(), "_matte.png", say("whole")); err != nil {
		t.Fatal(err)
	}
	b.Write(context.Background(), "_key.png", func(w io.WriteSeeker) error {
		w.Write([]byte("half"))
		fmt.Println("begun")
		time.Sleep(time.Hour)
		return nil
	})
}

// killed runs the child in folder and kills it: what it had begun lies there.
func killed(t *testing.T, folder string) (left []string) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run", "^TestWriteUntilKilled$")
	c.Env = append(os.Environ(), killedFolder+"="+folder)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	word := make([]byte, 5)
	if _, err := io.ReadFull(out, word); err != nil || string(word) != "begun" {
		t.Errorf("the child says %q, %v", word, err)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	c.Wait() // that it was killed is no news
	left, err = filepath.Glob(filepath.Join(folder, ".greenroom-*"))
	if err != nil || len(left) != 2 {
		t.Fatalf("the child left %q", left)
	}
	return left
}

// age makes files as old as that.
func age(t *testing.T, old time.Duration, paths ...string) {
	t.Helper()
	then := time.Now().Add(-old)
	for _, path := range paths {
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhatAKilledProgramLeftGoesWithTheNextExport(t *testing.T) {
	for name, export := range map[string]func(dir string) error{
		"a batch":       func(dir string) error { _, err := run(t, dir, "new", false); return err },
		"a single file": func(dir string) error { return Replace(t.Context(), filepath.Join(dir, "x.toml"), say("new")) },
	} {
		dir := t.TempDir()
		left := killed(t, dir)
		if err := export(dir); err != nil {
			t.Fatal(err)
		}
		if now, _ := filepath.Glob(filepath.Join(dir, ".greenroom-*")); len(now) != 2 {
			t.Errorf("%s: files of a moment ago may belong to another machine, and %q are left", name, now)
		}
		age(t, leftoverAge+time.Minute, left...)
		if err := export(dir); err != nil {
			t.Fatal(err)
		}
		if now, _ := filepath.Glob(filepath.Join(dir, ".greenroom-*")); len(now) != 0 {
			t.Errorf("%s: %q are left", name, now)
		}
	}
}

// TestOnlyWhatIsSurelyLeftOverGoes holds what else may lie in a folder.
func TestOnlyWhatIsSurelyLeftOverGoes(t *testing.T) {
	dir := t.TempDir()
	ended := filepath.Base(killed(t, t.TempDir())[0])
	number := temporaryNames.FindStringSubmatch(ended)[1]
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	name := func(process, ending string) string { return ".greenroom-" + process + "-0123456789abcdef." + ending }
	gone := put(ended, "left")
	own := put(name(fmt.Sprint(os.Getpid()), "tmp"), "of this program")
	alone := put(name(number, "old"), "the only one")
	foreign := put(".greenroom-"+number+".tmp", "of a preset")
	other := put("greenroom-"+number+"-0123456789abcdef.tmp", "not hidden")
	age(t, 48*time.Hour, gone, own, alone, foreign, other)
	if err := os.Mkdir(filepath.Join(dir, ".greenroom-"+number+"-fedcba9876543210.tmp"), 0o777); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		filepath.Base(own): "of this program", filepath.Base(alone): "the only one", filepath.Base(foreign): "of a preset",
		filepath.Base(other): "not hidden", ".greenroom-" + number + "-fedcba9876543210.tmp": "folder",
	}
	// What was set aside while its first name stays is only a second name.
	first, second := put("plate_matte.png", "old"), filepath.Join(dir, ".greenroom-"+number+"-00000000000000ff.old")
	want["plate_matte.png"] = "old"
	if os.Link(first, second) == nil {
		age(t, 48*time.Hour, second)
	}
	// A link may lead to anything.
	if target := put("linked.txt", "elsewhere"); os.Symlink(target, filepath.Join(dir, ".greenroom-"+number+"-00000000000000aa.tmp")) == nil {
		want[".greenroom-"+number+"-00000000000000aa.tmp"] = "elsewhere"
	}
	want["linked.txt"] = "elsewhere"
	removeLeftovers(dir, time.Now())
	removeLeftovers(dir, time.Now().Add(100*time.Hour)) // the link's own age
	expect(t, dir, want)
	removeLeftovers(filepath.Join(dir, "nowhere"), time.Now())
}

func TestProcessesAreKnownToRun(t *testing.T) {
	for number, want := range map[string]bool{fmt.Sprint(os.Getpid()): true, "0": false, "9999999999": false, "x": false} {
		if got := running(number); got != want {
			t.Errorf("%s: %v", number, got)
		}
	}
}
