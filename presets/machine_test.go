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
		// An Apple chip of another name is one all the same.
		"Apple A18 Pro, 8 GB": {Chip: "Apple A18 Pro", MemoryGB: 8, OS: "macOS", GPU: &GPU{Name: "Apple A18 Pro", MemoryGB: 8}},
		"Apple M4 Pro, 24 GB, GPU Apple M4 Pro 24 GB": {
			Chip: "Apple M4 Pro", Generation: "M4", Tier: "Pro", MemoryGB: 24, OS: "macOS",
			GPU: &GPU{Name: "Apple M4 Pro", MemoryGB: 24},
		},
		"Apple M2 Ultra, 192 GB, 76-core GPU, GPU Radeon Pro 32 GB": {
			Chip: "Apple M2 Ultra", Generation: "M2", Tier: "Ultra", MemoryGB: 192, GPUCores: 76, OS: "macOS",
			GPU: &GPU{Name: "Radeon Pro", MemoryGB: 32, Discrete: true},
		},
		"Pine, the box, 16 GB, GPU Card, the second 8 GB": {
			Chip: "Pine, the box", MemoryGB: 16, GPU: &GPU{Name: "Card, the second", MemoryGB: 8, Discrete: true},
		},
		"Appleton 3, 24 GB": {Chip: "Appleton 3", MemoryGB: 24},
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
	for _, text := range []string{"", "M4", "M4, ", ", 24 GB", "M4, 0 GB", "M4, lots", "PC, 8 GB, card", "PC, 8 GB, GPU 8 GB, more", "8 GB", "PC, 8 GB, GPU Card 0 GB", "P\nC, 8 GB", "PC, 8 GB, 10-core GPU"} {
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

// FuzzParse: a machine that can be read is the same when its own words are read.
func FuzzParse(f *testing.F) {
	f.Add("Apple M4 Pro, 24 GB")
	f.Add("AMD EPYC, 64 GB, GPU NVIDIA H200 141 GB")
	f.Add("m1,8GiB,8-core GPU")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(m.String())
		again.GPUCores = m.GPUCores
		if diff := cmp.Diff(m, again); err != nil || diff != "" {
			t.Fatalf("%q is %q, which is another: %v\n%s", text, m, err, diff)
		}
	})
}
