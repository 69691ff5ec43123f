// Package presets knows machines and what suits them: it reads what this machine is, holds the rules that
// choose settings together with the measurements they rest on, lets what was measured on the machine itself outrank
// them, adjusts what an artist asks for to what the machine can hold, and keeps the artist's presets in files. It runs
// no network itself.
package presets

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// GiB is the unit in which memory is shown: memory_gb is bytes / GiB, rounded to the nearest.
const GiB = 1 << 30

// GPU is a graphics processor as a machine has it.
type GPU struct {
	// Name is the maker's name.
	Name string `json:"name" toml:"name"`
	// MemoryGB is its own memory, or the memory that it shares with the CPU when it is not discrete.
	MemoryGB int `json:"memory_gb" toml:"memory_gb"`
	// Discrete says that its memory is its own.
	Discrete bool `json:"discrete" toml:"discrete"`
	// WorkingSet is how much memory its driver advises to use at most, in bytes; 0 when unknown.
	WorkingSet int64 `json:"-" toml:"-"`
}

// Machine is what the rules look at. The JSON and TOML names are the same everywhere.
type Machine struct {
	// Chip is the processor's name as its maker writes it: "Apple M4 Pro".
	Chip string `json:"chip" toml:"chip"`
	// Generation is M1, M2, ... for Apple's own chips; empty elsewhere.
	Generation string `json:"generation" toml:"generation"`
	// Tier is base, Pro, Max or Ultra for Apple's own chips; empty elsewhere.
	Tier string `json:"tier" toml:"tier"`
	// MemoryGB is what a program can use at most: the machine's memory, or less inside a container.
	MemoryGB int `json:"memory_gb" toml:"memory_gb"`
	// GPUCores is the number of GPU cores of an Apple chip; 0 when unknown.
	GPUCores int `json:"gpu_cores" toml:"gpu_cores"`
	// OS names the system and its version; empty when unknown.
	OS string `json:"os" toml:"os"`
	// GPU is the graphics processor that keys run on; nil where keys run on the CPU.
	GPU *GPU `json:"gpu" toml:"gpu,omitempty"`
}

var appleChip = regexp.MustCompile(`^(?i:Apple )?[Mm](\d{1,3})(?: (?i:(Pro|Max|Ultra)))?$`)

// named returns a machine with its chip, and for Apple's own chips the generation and tier read from the name.
func named(chip string) Machine {
	chip = strings.Join(strings.Fields(chip), " ")
	m := appleChip.FindStringSubmatch(chip)
	if m == nil {
		return Machine{Chip: chip}
	}
	tier := "base"
	if m[2] != "" {
		tier = strings.ToUpper(m[2][:1]) + strings.ToLower(m[2][1:])
	}
	r := Machine{Generation: "M" + m[1], Tier: tier}
	r.Chip = "Apple " + r.Generation
	if tier != "base" {
		r.Chip += " " + tier
	}
	return r
}

// Apple reports whether the chip is one of Apple's own, known to the rules or not.
func (m Machine) Apple() bool {
	return m.Generation != "" || len(m.Chip) > 6 && strings.EqualFold(m.Chip[:6], "Apple ")
}

// String is the machine in a few words: "Apple M4 Pro, 24 GB".
func (m Machine) String() string {
	s := fmt.Sprintf("%s, %d GB", m.Chip, m.MemoryGB)
	if m.GPU != nil && m.GPU.Discrete {
		s += fmt.Sprintf(", %s %d GB", m.GPU.Name, m.GPU.MemoryGB)
	}
	return s
}

// memoryForRules is the memory in GB that rules compare: a discrete GPU's own, else the machine's.
func (m Machine) memoryForRules() int {
	if m.GPU != nil && m.GPU.Discrete {
		return m.GPU.MemoryGB
	}
	return m.MemoryGB
}

// Limit is the memory in bytes that a key may plan for: the working set that the GPU's driver advises, else
// a discrete GPU's memory, else 60 % of the machine's memory; 0 when nothing is known.
func (m Machine) Limit() int64 {
	switch {
	case m.GPU != nil && m.GPU.WorkingSet > 0:
		return m.GPU.WorkingSet
	case m.GPU != nil && m.GPU.Discrete:
		return int64(m.GPU.MemoryGB) * GiB
	}
	return int64(m.MemoryGB) * GiB * 6 / 10
}

// gigabytes rounds bytes to the nearest GB.
func gigabytes(bytes uint64) int { return int(math.Round(float64(bytes) / GiB)) }

var (
	memoryText = regexp.MustCompile(`^(\d{1,6}) ?(?i:GB|GiB)$`)
	gpuText    = regexp.MustCompile(`^(?:GPU )?(.*\S) (\d{1,6}) ?(?i:GB|GiB)$`)
	coresText  = regexp.MustCompile(`^(\d{1,4})-core GPU$`)
)

// Parse reads a machine from words, "CHIP, N GB[, GPU NAME N GB]": the GPU is a discrete one, but on an Apple chip
// that has its own. An Apple chip always has its GPU, and may be given "N-core GPU" too. Names may hold commas.
func Parse(text string) (Machine, error) {
	bad := fmt.Errorf("%q is not a machine: write CHIP, N GB or CHIP, N GB, GPU NAME N GB, such as \"Apple M4 Pro, 24 GB\"", text)
	parts := strings.Split(text, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	at := slices.IndexFunc(parts, memoryText.MatchString)
	if at < 1 || strings.ContainsFunc(text, unicode.IsControl) || len(text) > 1000 {
		return Machine{}, bad
	}
	m := named(strings.Join(parts[:at], ", "))
	if m.MemoryGB, _ = strconv.Atoi(memoryText.FindStringSubmatch(parts[at])[1]); m.MemoryGB == 0 || parts[0] == "" {
		return Machine{}, bad
	}
	if m.Apple() {
		m.OS = "macOS"
		m.GPU = &GPU{Name: m.Chip, MemoryGB: m.MemoryGB}
	}
	rest := parts[at+1:]
	if len(rest) > 0 && m.Apple() {
		if cores := coresText.FindStringSubmatch(rest[0]); cores != nil {
			m.GPUCores, _ = strconv.Atoi(cores[1])
			rest = rest[1:]
		}
	}
	if len(rest) > 0 && !m.addGPU(strings.Join(rest, ", ")) {
		return Machine{}, bad
	}
	return m, nil
}

// addGPU reads "GPU NAME N GB" and reports whether it is that. On an Apple chip its own name means its own GPU.
func (m *Machine) addGPU(text string) bool {
	gpu := gpuText.FindStringSubmatch(text)
	if gpu == nil {
		return false
	}
	memory, _ := strconv.Atoi(gpu[2])
	if !m.Apple() || !strings.EqualFold(gpu[1], m.GPU.Name) {
		m.GPU = &GPU{Name: gpu[1], MemoryGB: memory, Discrete: true}
	}
	return memory > 0
}

// unknown says that the rules do not know the chip, and what it gets; "" where they do.
func (m Machine) unknown(newest int) string {
	switch {
	case !m.Apple() || m.Generation != "" && generation(m.Generation) <= newest:
		return ""
	case m.Generation == "":
		return fmt.Sprintf("the rules do not know the chip %s: it gets those of the M%d", m.Chip, newest)
	}
	return fmt.Sprintf("%s is newer than the rules: it gets those of the M%d", m.Chip, newest)
}
