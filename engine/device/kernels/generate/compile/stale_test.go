package compile

import (
	"archive/zip"
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestCommittedKernelsAreFresh compiles every source anew and compares with what is committed.
func TestCommittedKernelsAreFresh(t *testing.T) {
	if testing.Short() {
		t.Skip("compiling every kernel takes its time")
	}
	if err := Tools(); err != nil {
		t.Skip("cannot compile the kernels here: ", err)
	}
	want, err := All(filepath.Join("..", "..", "glsl"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join("..", "..", "kernels.zip"))
	if err != nil {
		t.Fatal(err)
	}
	got := unzip(t, data)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !bytes.Equal(got[name], want[name]) {
			t.Errorf("%s in kernels.zip is not what the sources make: run go generate ./engine/device/kernels", name)
		}
		delete(got, name)
	}
	for name := range got {
		t.Errorf("%s in kernels.zip has no source: run go generate ./engine/device/kernels", name)
	}
}

func unzip(t *testing.T, data []byte) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string][]byte)
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func TestZipIsTheSameEveryTime(t *testing.T) {
	files := map[string][]byte{"b": []byte("two"), "a": bytes.Repeat([]byte("one"), 100)}
	first, err := Zip(files)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Zip(files)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Error("the same files make different archives")
	}
	if got := unzip(t, first); !bytes.Equal(got["a"], files["a"]) || len(got) != 2 {
		t.Errorf("the archive holds %q", got)
	}
}

func TestReflectionOfRulesThatKernelsMustKeep(t *testing.T) {
	const head = `{"entryPoints":[{"name":"main","mode":"comp","workgroup_size":[64,1,1]}],
		"types":{"_1":{"name":"Push","members":[{"type":"uint","offset":0},{"type":"_2","offset":4}]},
		"_2":{"members":[{"type":"uint","offset":0},{"type":"float","offset":4}]},
		"_3":{"members":[{"type":"uint","offset":128}]}},`
	const good = head + `"ssbos":[{"name":"X","set":0,"binding":1},{"name":"Y","set":0,"binding":2}],"push_constants":[{"type":"_1"}]}`
	msl := []byte("    threadgroup float4 a[64];\n    threadgroup float b[3];\n")
	k, err := describe("name", []byte(good), msl)
	if err != nil {
		t.Fatal(err)
	}
	if k.Push != 12 || k.Bindings != 2 || k.Workgroup != [3]uint32{64, 1, 1} || k.Shared != 64*16+12 || k.Entry != entryPoint {
		t.Errorf("described as %+v", k)
	}
	for _, c := range []struct{ name, data, msl string }{
		{"binding 0", head + `"ssbos":[{"name":"X","set":0,"binding":0}],"push_constants":[{"type":"_1"}]}`, ""},
		{"set 1", head + `"ssbos":[{"name":"X","set":1,"binding":1}],"push_constants":[{"type":"_1"}]}`, ""},
		{"a gap", head + `"ssbos":[{"name":"X","set":0,"binding":1},{"name":"Y","set":0,"binding":3}],"push_constants":[{"type":"_1"}]}`, ""},
		{"no push constants", head + `"ssbos":[]}`, ""},
		{"too many push constants", head + `"ssbos":[],"push_constants":[{"type":"_3"}]}`, ""},
		{"too much shared memory", good, "    threadgroup float4 a[2049];\n"},
		{"shared memory of another type", good, "    threadgroup int4 a[4];\n"},
	} {
		if _, err := describe("name", []byte(c.data), []byte(c.msl)); err == nil {
			t.Errorf("%s: no error", c.name)
		}
	}
}
