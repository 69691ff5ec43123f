package kernels

import (
	"archive/zip"
	"bytes"
	_ "embed" // for kernels.zip
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Kernel is one compiled kernel.
type Kernel struct {
	Name string
	// SPIRV is the module for Vulkan 1.1, its entry point "main".
	SPIRV []byte `json:"-"`
	// MSL is the source for Metal 2.3, its entry point Entry.
	MSL   string `json:"-"`
	Entry string
	// Workgroup is the number of threads along each axis; the source in MSL does not say it.
	Workgroup [3]uint32
	// Bindings is the number of storage buffers: bindings 1 to Bindings of set 0, Metal's buffers 1 to Bindings.
	Bindings int
	// Push is the size of the push constants in bytes, Metal's buffer 0.
	Push int
	// Shared is the workgroup's own memory in bytes.
	Shared int
}

// Set is the set of all kernels.
type Set struct {
	kernels map[string]Kernel
	names   []string
}

//go:embed kernels.zip
var archive []byte

// Open reads the embedded kernels.
func Open() (*Set, error) { return open(archive) }

func open(data []byte) (*Set, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("open the embedded kernels: %w", err)
	}
	files := make(map[string][]byte)
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("open the embedded kernel file %s: %w", f.Name, err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return nil, fmt.Errorf("read the embedded kernel file %s: %w", f.Name, err)
		}
		files[f.Name] = data
	}
	var list []Kernel
	if err := json.Unmarshal(files[IndexFile], &list); err != nil {
		return nil, fmt.Errorf("read the list of embedded kernels: %w", err)
	}
	s := &Set{kernels: make(map[string]Kernel)}
	for _, k := range list {
		k.SPIRV, k.MSL = files[k.Name+SPIRVSuffix], string(files[k.Name+MSLSuffix])
		if len(k.SPIRV) == 0 || k.MSL == "" {
			return nil, fmt.Errorf("the embedded kernel %s is incomplete", k.Name)
		}
		s.kernels[k.Name] = k
		s.names = append(s.names, k.Name)
	}
	slices.SortFunc(s.names, strings.Compare)
	return s, nil
}

// Lookup returns the kernel of that name.
func (s *Set) Lookup(name string) (Kernel, bool) {
	k, ok := s.kernels[name]
	return k, ok
}

// All returns every kernel, by name.
func (s *Set) All() []Kernel {
	all := make([]Kernel, len(s.names))
	for i, n := range s.names {
		all[i] = s.kernels[n]
	}
	return all
}
