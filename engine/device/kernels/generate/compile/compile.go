// Package compile makes the kernels' SPIR-V, Metal Shading Language and description from their GLSL sources.
package compile

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"greenroom/engine/device/kernels"
)

// Versions that the committed kernels were made with. Others make other bytes.
const (
	glslcVersion = "shaderc 2023.2"
	// spirv-cross does not say its version; its package does.
	spirvCrossPackage = "spirv-cross"
	spirvCrossVersion = "2021.01.15+1.3.239.0-1"
)

// Tools returns an error unless glslc and spirv-cross are there in the versions that the committed kernels were
// made with.
func Tools() error {
	out, err := exec.Command("glslc", "--version").Output()
	if err != nil {
		return fmt.Errorf("glslc does not run (Debian 12 has it as package glslc): %w", err)
	}
	if first, _, _ := strings.Cut(string(out), "\n"); !strings.HasPrefix(first, glslcVersion) {
		return fmt.Errorf("glslc is %q, not %s", first, glslcVersion)
	}
	out, err = exec.Command("dpkg-query", "-W", "-f", "${Version}", spirvCrossPackage).Output()
	if err != nil {
		return fmt.Errorf("spirv-cross is not Debian's package: %w", err)
	}
	if v := strings.TrimSpace(string(out)); v != spirvCrossVersion {
		return fmt.Errorf("spirv-cross is %s, not %s", v, spirvCrossVersion)
	}
	return nil
}

// All compiles every variant of the sources in dir and returns the contents of kernels.zip by name.
func All(dir string) (map[string][]byte, error) {
	work, err := os.MkdirTemp("", "kernels")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	variants := kernels.Variants()
	made := make([]result, len(variants))
	var wait sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, v := range variants {
		wait.Add(1)
		go func() {
			defer wait.Done()
			slots <- struct{}{}
			defer func() { <-slots }()
			made[i] = compile(dir, filepath.Join(work, v.Name), v)
		}()
	}
	wait.Wait()

	files := make(map[string][]byte)
	var list []kernels.Kernel
	for i, r := range made {
		name := variants[i].Name
		if r.err != nil {
			return nil, fmt.Errorf("compile %s: %w", name, r.err)
		}
		if files[name+kernels.SPIRVSuffix] != nil {
			return nil, fmt.Errorf("two variants are named %s", name)
		}
		files[name+kernels.SPIRVSuffix], files[name+kernels.MSLSuffix] = r.spirv, r.msl
		list = append(list, r.kernel)
	}
	slices.SortFunc(list, func(a, b kernels.Kernel) int { return strings.Compare(a.Name, b.Name) })
	index, err := json.MarshalIndent(list, "", "\t")
	if err != nil {
		return nil, err
	}
	files[kernels.IndexFile] = append(index, '\n')
	return files, nil
}

// Zip packs files, by name; the same files make the same bytes.
func Zip(files map[string][]byte) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.Create(name)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(files[name]); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// result is one compiled variant.
type result struct {
	kernel     kernels.Kernel
	spirv, msl []byte
	err        error
}

// compile makes one variant; at is a path for its files to begin with.
func compile(dir, at string, v kernels.Variant) (r result) {
	optimised, plain := at+".spv", at+".plain.spv"
	flags := []string{"--target-env=vulkan1.1", "-I", dir}
	for _, name := range slices.Sorted(maps.Keys(v.Defines)) {
		flags = append(flags, fmt.Sprintf("-D%s=%d", name, v.Defines[name]))
	}
	source := filepath.Join(dir, v.Source)
	for _, c := range []struct{ level, out string }{{"-O", optimised}, {"-O0", plain}} {
		if _, r.err = tool("glslc", append(flags, c.level, "-o", c.out, source)...); r.err != nil {
			return r
		}
	}
	if r.spirv, r.err = os.ReadFile(optimised); r.err != nil {
		return r
	}
	// The module for Metal is not optimised: what the optimiser makes of loops reads worse as source.
	r.msl, r.err = tool("spirv-cross", "--msl", "--msl-version", "20300", "--msl-decoration-binding", "--msl-force-native-arrays", plain)
	if r.err != nil {
		return r
	}
	reflection, err := tool("spirv-cross", plain, "--reflect")
	if err != nil {
		r.err = err
		return r
	}
	r.kernel, r.err = describe(v.Name, reflection, r.msl)
	return r
}

// tool runs a program and returns what it prints.
func tool(name string, arguments ...string) ([]byte, error) {
	var out, problems bytes.Buffer
	cmd := exec.Command(name, arguments...)
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s%s", name, err, out.String(), problems.String())
	}
	return out.Bytes(), nil
}
