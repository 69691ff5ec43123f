package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// This file holds the arrows between the rooms of the house: who may import whom. It reads the imports with go
// list, so that nothing has to be built.

const (
	module     = "greenroom"
	fyneModule = "fyne.io/"
	// eitherWay is the module that calls drivers: with a C compiler through it, without one by itself.
	eitherWay = "github.com/ebitengine/purego"
)

// engineRooms are the rooms inside engine/ from the ground up: a room imports only rooms before it. The empty
// name is the package at engine/ itself.
var engineRooms = []string{
	"settings", "colour", "picture", "imageio/exr", "imageio", "hint", "matte", "tiling", "checkpoint", "program",
	"greenformer", "device", "", "truth", "bench",
}

// mayImport lists what each room outside engine/ may import of ours, "engine" standing for all of engine/.
var mayImport = map[string][]string{
	"main":    {"app"},
	"app":     {"app", "views", "presets", "engine", "assets"},
	"views":   {"views", "presets", "engine/settings", "engine/colour", "engine/picture", "engine/tiling"},
	"presets": {"presets", "engine/settings"},
	"assets":  {},
}

// listed is what go list says of a package.
type listed struct {
	ImportPath                         string
	Standard                           bool
	Imports, TestImports, XTestImports []string
	CgoFiles                           []string
}

// roomOf returns the room of one of our packages: "main", "app", ... or "engine/NAME"; false for other packages.
func roomOf(path string) (string, bool) {
	if path == module {
		return "main", true
	}
	inside, ours := strings.CutPrefix(path, module+"/")
	if !ours {
		return "", false
	}
	top, rest, _ := strings.Cut(inside, "/")
	if top != "engine" {
		return top, true
	}
	for _, r := range engineRooms {
		if r != "" && (rest == r || strings.HasPrefix(rest, r+"/")) {
			return "engine/" + r, true
		}
	}
	// A folder that the list does not know keeps its own name, which no arrow allows.
	return strings.TrimSuffix("engine/"+rest, "/"), true
}

// allowed reports whether a room may import another.
func allowed(from, to string) bool {
	if engine, ok := strings.CutPrefix(from, "engine"); ok {
		level := slices.Index(engineRooms, strings.TrimPrefix(engine, "/"))
		target, inside := strings.CutPrefix(to, "engine")
		at := slices.Index(engineRooms, strings.TrimPrefix(target, "/"))
		return inside && level >= 0 && at >= 0 && at <= level
	}
	for _, r := range mayImport[from] {
		if to == r || r == "engine" && strings.HasPrefix(to, "engine") {
			return true
		}
	}
	return false
}

// broken lists the imports that break an arrow.
func broken(packages []listed) []string {
	var faults []string
	for _, p := range packages {
		from, ours := roomOf(p.ImportPath)
		if !ours {
			continue
		}
		for _, path := range p.Imports {
			if to, ours := roomOf(path); ours && !allowed(from, to) {
				faults = append(faults, fmt.Sprintf("%s imports %s: %s may not import %s", p.ImportPath, path, from, to))
			}
		}
		if from == "app" && !strings.HasPrefix(p.ImportPath, module+"/app/mac") || from == "views" {
			continue
		}
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if strings.HasPrefix(path, fyneModule) {
				faults = append(faults, fmt.Sprintf("%s imports %s: only app and views know Fyne", p.ImportPath, path))
			}
		}
	}
	return faults
}

// windowless lists what a headless build may not depend on: Fyne, and packages of the module or of others that
// need a C compiler.
func windowless(deps []listed) []string {
	var faults []string
	for _, p := range deps {
		if strings.HasPrefix(p.ImportPath, fyneModule) {
			faults = append(faults, "the headless build depends on "+p.ImportPath)
		}
		if !p.Standard && len(p.CgoFiles) > 0 && !strings.HasPrefix(p.ImportPath, eitherWay) {
			faults = append(faults, "the headless build needs a C compiler for "+p.ImportPath)
		}
	}
	return faults
}

// goList runs go list in the module's root.
func goList(t *testing.T, arguments ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Standard,Imports,TestImports,XTestImports,CgoFiles"}, arguments...)...)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v\n%s", arguments, err, problems.String())
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); err == io.EOF {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

func TestArrowsHold(t *testing.T) {
	for _, tags := range []string{"", "headless"} {
		packages := goList(t, "-tags", tags, "./...")
		if len(packages) < 10 {
			t.Fatalf("go list -tags %q found only %d packages", tags, len(packages))
		}
		for _, fault := range broken(packages) {
			t.Errorf("tags %q: %s", tags, fault)
		}
	}
}

func TestHeadlessBuildNeedsNoWindowAndNoCompiler(t *testing.T) {
	for _, fault := range windowless(goList(t, "-deps", "-tags", "headless", ".")) {
		t.Error(fault)
	}
	// The same list with a window must show Fyne, or the check above sees nothing.
	if len(windowless(goList(t, "-deps", "."))) == 0 {
		t.Error("the window build does not depend on Fyne")
	}
}

func TestBrokenArrowsAreFound(t *testing.T) {
	for _, c := range []struct {
		from, to string
		fault    bool
	}{
		{"greenroom", "greenroom/app", false},
		{"greenroom", "greenroom/app/command", false},
		{"greenroom", "greenroom/engine", true},
		{"greenroom/app", "greenroom/assets", false},
		{"greenroom/app/command", "greenroom/engine/device/cpu", false},
		{"greenroom/views", "greenroom/app", true},
		{"greenroom/views", "greenroom/engine", true},
		{"greenroom/views", "greenroom/engine/picture", false},
		{"greenroom/views", "greenroom/engine/greenformer", true},
		{"greenroom/presets", "greenroom/engine/settings", false},
		{"greenroom/presets", "greenroom/engine/picture", true},
		{"greenroom/assets", "greenroom/engine/settings", true},
		{"greenroom/engine/matte", "greenroom/engine/picture", false},
		{"greenroom/engine/picture", "greenroom/engine/matte", true},
		{"greenroom/engine/imageio/exr", "greenroom/engine/imageio", true},
		{"greenroom/engine/imageio", "greenroom/engine/imageio/exr", false},
		{"greenroom/engine/device/cpu", "greenroom/engine/device", false},
		{"greenroom/engine/greenformer", "greenroom/engine/device/cpu", true},
		{"greenroom/engine", "greenroom/engine/device/cpu", false},
		{"greenroom/engine/truth", "greenroom/engine", false},
		{"greenroom/engine/tiling", "greenroom/engine", true},
		{"greenroom/engine/matte", "greenroom/presets", true},
		{"greenroom/engine/matte", "greenroom/assets", true},
		{"greenroom/engine/helpers", "greenroom/engine/settings", true},
		{"greenroom/engine", "greenroom/engine/helpers", true},
		{"greenroom/tools", "greenroom/engine", true},
		{"greenroom/engine/matte", "fyne.io/fyne/v2", true},
		{"greenroom/app/mac", "fyne.io/fyne/v2", true},
		{"greenroom/app", "fyne.io/fyne/v2", false},
		{"greenroom/views", "fyne.io/fyne/v2/canvas", false},
		{"example.org/other", "greenroom/engine", false},
	} {
		faults := broken([]listed{{ImportPath: c.from, Imports: []string{"fmt", c.to}}})
		if (len(faults) > 0) != c.fault {
			t.Errorf("%s -> %s: faults %q, want a fault: %v", c.from, c.to, faults, c.fault)
		}
	}
	if len(broken([]listed{{ImportPath: "greenroom/presets", TestImports: []string{"fyne.io/fyne/v2/test"}}})) != 1 {
		t.Error("Fyne in a test of presets passes")
	}
	if got := windowless([]listed{
		{ImportPath: "fyne.io/fyne/v2"},
		{ImportPath: "example.org/c", CgoFiles: []string{"a.go"}},
		{ImportPath: "net", Standard: true, CgoFiles: []string{"cgo.go"}},
		{ImportPath: eitherWay + "/internal/cgo", CgoFiles: []string{"cgo.go"}},
	}); len(got) != 2 {
		t.Errorf("windowless found %q", got)
	}
}
