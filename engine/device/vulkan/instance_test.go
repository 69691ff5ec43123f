package vulkan

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"greenroom/engine/device"
)

// TestDriversThatAreNoneHaveAReason lists GPUs where what describes the only driver is rubbish, or names none. The
// loader reads the environment of the process as it began, hence another process.
func TestDriversThatAreNoneHaveAReason(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere the loader does not go by these variables")
	}
	const told = "GREENROOM_TEST_DRIVER"
	if os.Getenv(told) != "" {
		_, err := List()
		switch {
		case errors.Is(err, ErrNoLoader):
			t.Log("no loader")
		case errors.Is(err, device.ErrOutOfMemory):
			t.Log("out of memory")
		case errors.Is(err, ErrNoStart):
			t.Log("no start:", err)
		case errors.Is(err, ErrNoDevice):
			t.Log("no device:", err)
		default:
			t.Log("neither:", err)
		}
		return
	}
	for text, want := range map[string]string{
		"rubbish": "no start:",
		`{"file_format_version":"1.0.0","ICD":{"library_path":"/none/driver.so","api_version":"1.3.0"}}`: "no device:",
	} {
		path := filepath.Join(t.TempDir(), "driver.json")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		again := exec.Command(os.Args[0], "-test.run", "^TestDriversThatAreNoneHaveAReason$", "-test.v")
		again.Env = append(os.Environ(), told+"=1", "VK_ICD_FILENAMES="+path, "VK_DRIVER_FILES="+path)
		out, err := again.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if strings.Contains(string(out), "no loader") {
			t.Skip("there is no loader here")
		}
		if !strings.Contains(string(out), want) {
			t.Errorf("%s: want %q in\n%s", text, want, out)
		}
	}
}
