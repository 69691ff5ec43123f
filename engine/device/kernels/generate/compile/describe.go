package compile

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	"greenroom/engine/device/kernels"
)

// entryPoint is what spirv-cross calls a kernel's main in Metal Shading Language.
const entryPoint = "main0"

// reflection is what spirv-cross --reflect prints, as far as it is needed.
type reflection struct {
	EntryPoints []struct {
		Mode string
		Size [3]uint32 `json:"workgroup_size"`
	} `json:"entryPoints"`
	Types   map[string]structure
	Buffers []struct {
		Name         string
		Set, Binding int
	} `json:"ssbos"`
	Push []struct{ Type string } `json:"push_constants"`
}

type structure struct {
	Members []struct {
		Type   string
		Offset int
	}
}

// describe returns the kernel's description, from the reflection of its module and its source for Metal.
func describe(name string, data, msl []byte) (kernels.Kernel, error) {
	var r reflection
	if err := json.Unmarshal(data, &r); err != nil {
		return kernels.Kernel{}, fmt.Errorf("read the reflection: %w", err)
	}
	if len(r.EntryPoints) != 1 || r.EntryPoints[0].Mode != "comp" || len(r.Push) != 1 {
		return kernels.Kernel{}, fmt.Errorf("not one compute kernel with one block of push constants")
	}
	k := kernels.Kernel{Name: name, Entry: entryPoint, Workgroup: r.EntryPoints[0].Size, Bindings: len(r.Buffers)}
	seen := make(map[int]bool)
	for _, b := range r.Buffers {
		if b.Set != 0 || b.Binding < 1 || b.Binding > len(r.Buffers) || seen[b.Binding] {
			return k, fmt.Errorf("buffer %s is binding %d of set %d: bindings must be 1 to %d of set 0", b.Name, b.Binding, b.Set, len(r.Buffers))
		}
		seen[b.Binding] = true
	}
	var err error
	if k.Push, err = r.size(r.Push[0].Type); err != nil {
		return k, err
	}
	if k.Push > kernels.MaxPush {
		return k, fmt.Errorf("%d bytes of push constants, of %d", k.Push, kernels.MaxPush)
	}
	k.Shared, err = shared(msl)
	return k, err
}

// size returns the bytes of a type of scalars of four bytes and structures of them.
func (r *reflection) size(name string) (int, error) {
	switch name {
	case "uint", "int", "float":
		return 4, nil
	}
	end := 0
	members := r.Types[name].Members
	if len(members) == 0 {
		return 0, fmt.Errorf("push constants of type %s: only scalars of four bytes are allowed", name)
	}
	for _, m := range members {
		n, err := r.size(m.Type)
		if err != nil {
			return 0, err
		}
		end = max(end, m.Offset+n)
	}
	return end, nil
}

var sharedArray = regexp.MustCompile(`(?m)^\s*threadgroup (\w+) \w+\[(\d+)\];`)

// maxShared is the most shared memory that every device has.
const maxShared = 32 << 10

// shared returns the bytes of the arrays that a workgroup shares.
func shared(msl []byte) (int, error) {
	sizes := map[string]int{"float": 4, "uint": 4, "float2": 8, "float4": 16, "half4": 8, "half": 2}
	sum := 0
	for _, m := range sharedArray.FindAllSubmatch(msl, -1) {
		n, err := strconv.Atoi(string(m[2]))
		if err != nil || sizes[string(m[1])] == 0 {
			return 0, fmt.Errorf("shared memory of %s x %s", m[1], m[2])
		}
		sum += n * sizes[string(m[1])]
	}
	if sum > maxShared {
		return 0, fmt.Errorf("%d bytes of shared memory, of %d", sum, maxShared)
	}
	return sum, nil
}
