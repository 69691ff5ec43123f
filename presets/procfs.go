package presets

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// readProc reads the facts of a Linux system whose root is fsys: the processor from /proc/cpuinfo, the memory
// from /proc/meminfo or the tightest control group around this process, the system from /etc/os-release.
func readProc(fsys fs.FS) (facts, error) {
	f := facts{chip: procChip(fsys), os: procOS(fsys)}
	total, err := procMemory(fsys)
	if err != nil {
		return f, err
	}
	f.memory = total
	if limit := controlGroupLimit(fsys); limit > 0 {
		f.memory = min(total, limit)
	}
	return f, nil
}

// fields yields the "key : value" or "key=value" lines of a file.
func fields(fsys fs.FS, name, separator string, use func(key, value string) (more bool)) error {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		key, value, ok := strings.Cut(lines.Text(), separator)
		if ok && !use(strings.TrimSpace(key), strings.TrimSpace(value)) {
			break
		}
	}
	return lines.Err()
}

// procChip names the processor. ARM systems have no "model name"; their device tree names the board.
func procChip(fsys fs.FS) string {
	chip := ""
	_ = fields(fsys, "proc/cpuinfo", ":", func(key, value string) bool {
		if key == "model name" {
			chip = value
		}
		return chip == ""
	})
	if chip == "" {
		board, _ := fs.ReadFile(fsys, "proc/device-tree/model")
		chip = strings.Trim(string(board), "\x00\n ")
	}
	if chip == "" {
		chip = "unknown processor"
	}
	return chip
}

func procOS(fsys fs.FS) string {
	name := ""
	_ = fields(fsys, "etc/os-release", "=", func(key, value string) bool {
		if key == "PRETTY_NAME" {
			name = strings.Trim(value, `"'`)
		}
		return name == ""
	})
	if name == "" {
		return "Linux"
	}
	return name
}

func procMemory(fsys fs.FS) (uint64, error) {
	var total uint64
	err := fields(fsys, "proc/meminfo", ":", func(key, value string) bool {
		if key == "MemTotal" {
			kb, _ := strconv.ParseUint(strings.TrimSpace(strings.TrimSuffix(value, "kB")), 10, 53)
			total = kb << 10
		}
		return total == 0
	})
	if err != nil {
		return 0, fmt.Errorf("read the memory size: %w", err)
	}
	if total == 0 {
		return 0, fmt.Errorf("read the memory size: /proc/meminfo has no MemTotal")
	}
	return total, nil
}

// controlGroupLimit returns the tightest memory limit of the control groups that this process is in, version
// 1 and 2, or 0 where there is none. A limit can sit on any group up to the root.
func controlGroupLimit(fsys fs.FS) uint64 {
	var limit uint64
	_ = fields(fsys, "proc/self/cgroup", ":", func(_, rest string) bool {
		controllers, group, ok := strings.Cut(rest, ":")
		if !ok {
			return true
		}
		root, file := "sys/fs/cgroup", "memory.max"
		if controllers != "" {
			if !strings.Contains(","+controllers+",", ",memory,") {
				return true
			}
			root, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		}
		for dir := path.Clean("/" + group); ; dir = path.Dir(dir) {
			if n := readLimit(fsys, path.Join(root, dir, file)); n > 0 && (limit == 0 || n < limit) {
				limit = n
			}
			if dir == "/" {
				return true
			}
		}
	})
	return limit
}

// readLimit reads one limit file; 0 stands for no limit ("max", or version 1's value near 2^63).
func readLimit(fsys fs.FS, name string) uint64 {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return 0
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(data)), 10, 64)
	if err != nil || n >= 1<<62 {
		return 0
	}
	return n
}
