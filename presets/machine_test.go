package presets

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseReadsMachines(t *testing.T) {
	for text, want := range map[string]Machine{
		"Apple M4 Pro, 24 GB": {
			Chip: "Apple M4 Pro", Generation: "M4", Tier: "Pro", MemoryGB: 24, OS: "macOS",
			GPU: &GPU{Name: "Apple M4 Pro", MemoryGB: 24},
		},
		"m1, 8GB": {
			Chip: "Apple M1", Generation: "M1", Tier: "base", MemoryGB: 8, OS: "macOS",
			GPU: &GPU{Name: "Apple M1", MemoryGB: 8},
		},
		"Apple M1 Ultra, 128 GB, 64-core GPU": {
			Chip: "Apple M1 Ultra", Generation: "M1", Tier: "Ultra", MemoryGB: 128, GPUCores: 64, OS: "macOS",
			GPU: &GPU{Name: "Apple M1 Ultra", MemoryGB: 128},
		},
		"Linux PC, 24 GB": {Chip: "Linux PC", MemoryGB: 24},
		"AMD EPYC 7B13, 64 GB, GPU NVIDIA H200 141 GB": {
			Chip: "AMD EPYC 7B13", MemoryGB: 64,
			GPU: &GPU{Name: "NVIDIA H200", MemoryGB: 141, Discrete: true},
		},
		"AMD EPYC 7B13,64 GiB,NVIDIA H200 141 GB": {
			Chip: "AMD EPYC 7B13", MemoryGB: 64,
			GPU: &GPU{Name: "NVIDIA H200", MemoryGB: 141, Discrete: true},
		},
		// A name that only begins like an Apple chip is not one.
		"Apple M4 Prototype, 24 GB": {Chip: "Apple M4 Prototype", MemoryGB: 24},
	} {
		got, err := Parse(text)
		if err != nil {
			t.Errorf("Parse(%q): %v", text, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Parse(%q) (-want +got):\n%s", text, diff)
		}
	}
}

func TestParseSaysWhatToWrite(t *testing.T) {
	for _, text := range []string{"", "M4", "M4, ", ", 24 GB", "M4, 0 GB", "M4, lots", "PC, 8 GB, card", "PC, 8 GB, GPU 8 GB, more"} {
		if m, err := Parse(text); err == nil {
			t.Errorf("Parse(%q) = %v, want an error", text, m)
		} else if !strings.Contains(err.Error(), "N GB") {
			t.Errorf("Parse(%q): %q does not say what to write", text, err)
		}
	}
}

func TestMachineJSONHasTheDocumentedKeys(t *testing.T) {
	m, _ := Parse("Linux PC, 24 GB")
	got, err := json.Marshal(m)
	want := `{"chip":"Linux PC","generation":"","tier":"","memory_gb":24,"gpu_cores":0,"os":"","gpu":null}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
}

func TestLimitIsWhatAKeyMayPlanFor(t *testing.T) {
	for _, c := range []struct {
		name string
		m    Machine
		want int64
	}{
		{"unknown", Machine{}, 0},
		{"memory", Machine{MemoryGB: 10}, 6 * GiB},
		{"integrated", Machine{MemoryGB: 10, GPU: &GPU{MemoryGB: 10}}, 6 * GiB},
		{"discrete", Machine{MemoryGB: 10, GPU: &GPU{MemoryGB: 8, Discrete: true}}, 8 * GiB},
		{"working set", Machine{MemoryGB: 16, GPU: &GPU{MemoryGB: 16, WorkingSet: 12345}}, 12345},
	} {
		if got := c.m.Limit(); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
