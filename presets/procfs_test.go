package presets

import (
	"testing"
	"testing/fstest"
)

// system is a Linux system made of a few files.
func system(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{
		"proc/cpuinfo":   {Data: []byte("processor\t: 0\nmodel name\t: AMD  EPYC 7B13\nprocessor\t: 1\nmodel name\t: other\n")},
		"proc/meminfo":   {Data: []byte("MemTotal:       25165824 kB\nMemFree: 1 kB\n")},
		"etc/os-release": {Data: []byte("NAME=Debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n")},
	}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
		if text == "" {
			delete(fsys, name)
		}
	}
	return fsys
}

func TestReadProcReadsALinuxSystem(t *testing.T) {
	const total = 24 << 30
	for _, c := range []struct {
		name  string
		files map[string]string
		want  facts
	}{
		{"plain", nil, facts{chip: "AMD  EPYC 7B13", memory: total, os: "Debian GNU/Linux 12 (bookworm)"}},
		{"no control group limit", map[string]string{
			"proc/self/cgroup":         "0::/\n",
			"sys/fs/cgroup/memory.max": "max\n",
		}, facts{chip: "AMD  EPYC 7B13", memory: total, os: "Debian GNU/Linux 12 (bookworm)"}},
		{"version 2, a parent is tighter", map[string]string{
			"proc/self/cgroup":                 "0::/pod/box\n",
			"sys/fs/cgroup/pod/box/memory.max": "8589934592\n",
			"sys/fs/cgroup/pod/memory.max":     "4294967296\n",
		}, facts{chip: "AMD  EPYC 7B13", memory: 4 << 30, os: "Debian GNU/Linux 12 (bookworm)"}},
		{"version 1", map[string]string{
			"proc/self/cgroup": "9:cpu,cpuacct:/x\n5:hugetlb,memory:/docker/a\n",
			"sys/fs/cgroup/memory/docker/a/memory.limit_in_bytes": "2147483648\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":          "9223372036854771712\n",
		}, facts{chip: "AMD  EPYC 7B13", memory: 2 << 30, os: "Debian GNU/Linux 12 (bookworm)"}},
		{"a limit above the memory", map[string]string{
			"proc/self/cgroup":         "0::/\n",
			"sys/fs/cgroup/memory.max": "99999999999999\n",
		}, facts{chip: "AMD  EPYC 7B13", memory: total, os: "Debian GNU/Linux 12 (bookworm)"}},
		{"an ARM board", map[string]string{
			"proc/cpuinfo":           "processor\t: 0\nCPU implementer\t: 0x41\n",
			"proc/device-tree/model": "Raspberry Pi 5\x00",
			"etc/os-release":         "",
		}, facts{chip: "Raspberry Pi 5", memory: total, os: "Linux"}},
		{"nothing told", map[string]string{"proc/cpuinfo": ""}, facts{chip: "unknown processor", memory: total, os: "Debian GNU/Linux 12 (bookworm)"}},
	} {
		got, err := readProc(system(c.files))
		if err != nil || got != c.want {
			t.Errorf("%s: got %+v, %v\nwant %+v", c.name, got, err, c.want)
		}
	}
	for name, text := range map[string]string{"missing": "", "nonsense": "MemTotal: many kB\n"} {
		if got, err := readProc(system(map[string]string{"proc/meminfo": text})); err == nil {
			t.Errorf("%s meminfo: got %+v, want an error", name, got)
		}
	}
}

func TestDetectFindsThisMachine(t *testing.T) {
	m, err := Detect([]GPU{{Name: "first"}, {Name: "second"}})
	if err != nil {
		t.Fatal(err)
	}
	if m.Chip == "" || m.MemoryGB <= 0 || m.OS == "" || m.GPU == nil || m.GPU.Name != "first" || m.GPU.MemoryGB != m.MemoryGB {
		t.Errorf("got %+v", m)
	}
	m, err = Detect([]GPU{{Name: "own", MemoryGB: 3, Discrete: true}})
	if err != nil || m.GPU.MemoryGB != 3 {
		t.Errorf("with memory of its own the GPU is %+v, %v", m.GPU, err)
	}
}
