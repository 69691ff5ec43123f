package presets

import (
	"fmt"
	"strings"
)

// Match says which machines a preset is for. What is empty or 0 fits any machine.
type Match struct {
	// Chip is the beginning of the chip's name in whole words, with or without "Apple": "M4" fits an M4, an M4 Pro
	// and an M4 Max, "M4 Pro" the M4 Pro alone.
	Chip string
	// MinMemoryGB and MaxMemoryGB bound the memory that the rules look at: a discrete GPU's own, else the machine's.
	MinMemoryGB, MaxMemoryGB int
	// GPUCores is the number of GPU cores of an Apple chip.
	GPUCores int
}

// Match returns what fits machines of this chip and this much memory, and of as many GPU cores where they are known.
func (m Machine) Match() Match {
	memory := m.memoryForRules()
	return Match{Chip: m.Chip, MinMemoryGB: memory, MaxMemoryGB: memory, GPUCores: m.GPUCores}
}

// chipWords are the words of a chip's name that are compared.
func chipWords(chip string) []string {
	words := strings.Fields(strings.ToLower(chip))
	if len(words) > 1 && words[0] == "apple" {
		words = words[1:]
	}
	return words
}

// Fits reports whether the machine is one of those that are meant.
func (m Match) Fits(machine Machine) bool { return m.Misfit(machine) == "" }

// Misfit says in words what does not fit; "" where all does.
func (m Match) Misfit(machine Machine) string {
	want, have := chipWords(m.Chip), chipWords(machine.Chip)
	memory := machine.memoryForRules()
	switch {
	case m.Chip != "" && !(strings.EqualFold(m.Chip, "Apple") && machine.Apple()) && !beginsWith(have, want):
		return fmt.Sprintf("it is for %s, and this is %s", m.Chip, machine.Chip)
	case memory < m.MinMemoryGB:
		return fmt.Sprintf("it is for %d GB or more, and this machine has %d", m.MinMemoryGB, memory)
	case m.MaxMemoryGB > 0 && memory > m.MaxMemoryGB:
		return fmt.Sprintf("it is for %d GB or less, and this machine has %d", m.MaxMemoryGB, memory)
	case m.GPUCores > 0 && m.GPUCores != machine.GPUCores:
		return fmt.Sprintf("it is for %d GPU cores, and this machine has %s", m.GPUCores, coresWord(machine.GPUCores))
	}
	return ""
}

func coresWord(n int) string {
	if n == 0 {
		return "an unknown number"
	}
	return fmt.Sprint(n)
}

func beginsWith(words, start []string) bool {
	if len(start) > len(words) {
		return false
	}
	for i := range start {
		if words[i] != start[i] {
			return false
		}
	}
	return true
}

// specific compares how narrowly two matches choose: positive where m is the narrower one. A longer chip counts
// first, then GPU cores, then the smaller range of memory.
func (m Match) specific(other Match) int {
	if d := m.chipDetail() - other.chipDetail(); d != 0 {
		return d
	}
	if (m.GPUCores > 0) != (other.GPUCores > 0) {
		if m.GPUCores > 0 {
			return 1
		}
		return -1
	}
	return other.memoryRange() - m.memoryRange()
}

// chipDetail is how many words of the chip's name are given; "Apple" alone is less than any chip.
func (m Match) chipDetail() int {
	if m.Chip == "" {
		return 0
	}
	if strings.EqualFold(strings.TrimSpace(m.Chip), "apple") {
		return 1
	}
	return 1 + len(chipWords(m.Chip))
}

// mostMemory stands for no upper bound, in GB.
const mostMemory = 1 << 20

func (m Match) memoryRange() int {
	high := m.MaxMemoryGB
	if high == 0 {
		high = mostMemory
	}
	return high - m.MinMemoryGB
}

// String is the match in a few words: "M4 Pro, 20 to 28 GB"; "any machine" where it is empty.
func (m Match) String() string {
	var parts []string
	if m.Chip != "" {
		parts = append(parts, m.Chip)
	}
	switch {
	case m.MinMemoryGB > 0 && m.MinMemoryGB == m.MaxMemoryGB:
		parts = append(parts, fmt.Sprintf("%d GB", m.MinMemoryGB))
	case m.MinMemoryGB > 0 && m.MaxMemoryGB > 0:
		parts = append(parts, fmt.Sprintf("%d to %d GB", m.MinMemoryGB, m.MaxMemoryGB))
	case m.MinMemoryGB > 0:
		parts = append(parts, fmt.Sprintf("%d GB or more", m.MinMemoryGB))
	case m.MaxMemoryGB > 0:
		parts = append(parts, fmt.Sprintf("up to %d GB", m.MaxMemoryGB))
	}
	if m.GPUCores > 0 {
		parts = append(parts, fmt.Sprintf("%d GPU cores", m.GPUCores))
	}
	if len(parts) == 0 {
		return "any machine"
	}
	return strings.Join(parts, ", ")
}

// check reports a match that no machine can fit, and the key that says so.
func (m Match) check() (key string, err error) {
	switch {
	case m.MinMemoryGB < 0 || m.MinMemoryGB > mostMemory:
		return "min_memory_gb", fmt.Errorf("min_memory_gb is %d: give GB, or leave it out", m.MinMemoryGB)
	case m.MaxMemoryGB < 0 || m.MaxMemoryGB > mostMemory:
		return "max_memory_gb", fmt.Errorf("max_memory_gb is %d: give GB, or leave it out", m.MaxMemoryGB)
	case m.MaxMemoryGB > 0 && m.MaxMemoryGB < m.MinMemoryGB:
		return "max_memory_gb", fmt.Errorf("max_memory_gb is %d and min_memory_gb %d: no machine has both", m.MaxMemoryGB, m.MinMemoryGB)
	case m.GPUCores < 0 || m.GPUCores > 10_000:
		return "gpu_cores", fmt.Errorf("gpu_cores is %d: give a number of cores, or leave it out", m.GPUCores)
	}
	return "", nil
}
