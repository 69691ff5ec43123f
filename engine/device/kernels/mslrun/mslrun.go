//go:build linux && (amd64 || arm64)

// Package mslrun runs kernels that are written in Metal's shading language on a processor, so that their text can be
// held against a reference on machines without Metal. It is for tests. A kernel is compiled by clang as C++, against
// a standard library of this package's own, and its threads run one at a time. That shows whether the text is legal,
// as far as C++ can tell, whether it computes what it should, stays within its buffers, and keeps its threads in step;
// it does not show what Apple's compiler makes of it.
package mslrun

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ebitengine/purego"
)

// compilerName is the compiler that the library is written for, by the name that Debian gives it.
const compilerName = "clang-19"

//go:embed shim
var sources embed.FS

// Compiler compiles kernels. It may be used from several goroutines.
type Compiler struct{ clang, dir string }

// ErrNoCompiler says that the machine has no compiler to run kernels with.
var ErrNoCompiler = errors.New("kernels cannot be run here: " + compilerName + " is not installed")

// New returns a compiler that keeps its files in dir, which the caller removes. It returns ErrNoCompiler where clang
// is missing.
func New(dir string) (*Compiler, error) {
	clang, err := exec.LookPath(compilerName)
	if err != nil {
		return nil, ErrNoCompiler
	}
	c := &Compiler{clang, dir}
	if err := fs.WalkDir(sources, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if d.IsDir() {
			return os.MkdirAll(path, 0o777)
		}
		text, err := sources.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(path, text, 0o666)
	}); err != nil {
		return nil, fmt.Errorf("write the runner: %w", err)
	}
	if err := c.run("-c", "-fPIC", "-O1", "-fvisibility=hidden", "-std=c++17", "-o", c.path("runner.o"), c.path("shim/runner.cpp")); err != nil {
		return nil, fmt.Errorf("compile the runner: %w", err)
	}
	return c, nil
}

func (c *Compiler) path(name string) string { return filepath.Join(c.dir, name) }

func (c *Compiler) run(arguments ...string) error {
	if out, err := exec.Command(c.clang, arguments...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// flags compile a kernel: what the shading language promises of float arithmetic with fast math off,
// and no complaints about its attributes.
var flags = []string{
	"-shared", "-fPIC", "-O1", "-std=c++17", "-nostdinc++", "-fvisibility=hidden", "-ffp-contract=off", "-fno-math-errno",
	"-Werror", "-Wno-unknown-attributes", "-Wno-ignored-attributes", "-Wno-unused", "-Wno-missing-prototypes",
}

// Compile compiles a kernel and loads it. Each name may be used once. The error holds what clang says.
func (c *Compiler) Compile(name, msl, entry string) (*Kernel, error) {
	call, bindings, err := wrapper(msl, entry)
	if err != nil {
		return nil, fmt.Errorf("read kernel %s: %w", name, err)
	}
	source, shared := c.path(name+".cpp"), c.path(name+".so")
	if err := os.WriteFile(source, []byte(shareable(msl)+call), 0o666); err != nil {
		return nil, fmt.Errorf("write kernel %s: %w", name, err)
	}
	arguments := append(append([]string{"-isystem", c.path("shim")}, flags...), "-o", shared, source, c.path("runner.o"), "-lm")
	if err := c.run(arguments...); err != nil {
		return nil, fmt.Errorf("compile kernel %s: %w", name, err)
	}
	handle, err := purego.Dlopen(shared, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("load kernel %s: %w", name, err)
	}
	k := &Kernel{name: name, bindings: bindings}
	symbol, err := purego.Dlsym(handle, "mslrun_run")
	if err != nil {
		return nil, fmt.Errorf("load kernel %s: %w", name, err)
	}
	purego.RegisterFunc(&k.run, symbol)
	return k, nil
}

// shareable makes the arrays that a kernel's threads share outlive a thread's stack: in C++ a variable of a
// function is shared if it is static. Generated kernels declare them at the top of the kernel function.
func shareable(msl string) string {
	lines := strings.Split(msl, "\n")
	for i, line := range lines {
		if rest, ok := strings.CutPrefix(line, "    threadgroup "); ok && strings.HasSuffix(line, ";") {
			lines[i] = `    static __attribute__((section("mslrun_shared"))) threadgroup ` + rest
		}
	}
	return strings.Join(lines, "\n")
}
