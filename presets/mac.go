package presets

import (
	"regexp"
	"strconv"
	"strings"
)

// macChip returns the name of a Mac's processor: its brand, else its model, such as VirtualMac2,1. What is an ARM
// processor in a Mac is Apple's own, whatever it is called.
func macChip(brand, model string, arm bool) string {
	chip := strings.TrimSpace(brand)
	if chip == "" {
		chip = strings.ReplaceAll(strings.TrimSpace(model), ",", ".")
	}
	if arm && !(Machine{Chip: chip}).Apple() {
		chip = "Apple " + chip
	}
	return chip
}

var gpuCoresText = regexp.MustCompile(`"gpu-core-count" = (\d{1,4})\b`)

// gpuCores finds the number of GPU cores in what ioreg says of the accelerator; 0 where it is not there.
func gpuCores(text string) int {
	m := gpuCoresText.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}
