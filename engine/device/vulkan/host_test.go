package vulkan

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"greenroom/engine/device"
)

// software is the name of the driver that runs on the processor, which tests ask for.
const software = "llvmpipe"

// open opens a device for a test: that of the options, or the software driver. It skips where there is none.
// Everything that the validation layer finds fails the test.
func open(t testing.TB, o Options) *Host {
	t.Helper()
	if o.Name == "" {
		o.Name = software
	}
	silent := o.Validate == nil
	if silent {
		o.Validate = func(message string) { t.Errorf("validation: %s", message) }
	}
	h, err := Open(o)
	if silent && errors.Is(err, ErrNoLayer) {
		o.Validate = nil
		h, err = Open(o)
	}
	if errors.Is(err, ErrNoLoader) || errors.Is(err, ErrNoDevice) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// TestMemoryComesBackAsItWent copies through mapped memory and through a staging buffer, more than that holds.
func TestMemoryComesBackAsItWent(t *testing.T) {
	for _, staged := range []bool{false, true} {
		h := open(t, Options{staged: staged})
		if h.unified == staged {
			t.Fatalf("staged %v: memory is unified: %v", staged, h.unified)
		}
		const size = stagingBytes + 4096
		b, err := h.Allocate(size)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(rand.Uint32())
		}
		if err := h.Upload(b, 0, want); err != nil {
			t.Fatal(err)
		}
		copy(want[1000:], "changed!")
		if err := h.Upload(b, 1000, []byte("changed!")); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, size)
		if err := h.Download(got, b, 0); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("staged %v: memory came back changed", staged)
		}
		part := make([]byte, 8)
		if err := h.Download(part, b, 1000); err != nil || string(part) != "changed!" {
			t.Errorf("staged %v: a part came back as %q, %v", staged, part, err)
		}
		h.Free(b)
	}
}

// TestSoftwareIsUsedOnlyWhenAskedFor opens without a name on a machine with no real GPU, and with names of nothing.
func TestSoftwareIsUsedOnlyWhenAskedFor(t *testing.T) {
	found, err := List()
	if err != nil || len(found) == 0 {
		t.Skip("there is no Vulkan driver")
	}
	for _, d := range found {
		if !d.Software {
			t.Skipf("there is a real GPU, %s", d.Name)
		}
	}
	for _, name := range []string{"", "no such GPU"} {
		h, err := Open(Options{Name: name})
		if err == nil {
			h.Close()
			t.Fatalf("%q opened %s", name, h.Info().Name)
		}
		if !errors.Is(err, ErrNoDevice) || !strings.Contains(err.Error(), found[0].Name) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestTooMuchMemoryIsAnErrorToTry asks for more than any machine has.
func TestTooMuchMemoryIsAnErrorToTry(t *testing.T) {
	h := open(t, Options{Validate: func(string) {}})
	if _, err := h.Allocate(1 << 50); !errors.Is(err, device.ErrOutOfMemory) {
		t.Errorf("a petabyte: %v", err)
	}
	b, err := h.Allocate(1 << 20)
	if err != nil {
		t.Fatalf("after a failure: %v", err)
	}
	h.Free(b)
}

// TestResultsAreErrorsOfTheirKind maps what drivers answer.
func TestResultsAreErrorsOfTheirKind(t *testing.T) {
	for result, want := range map[int32]error{
		resultOutOfDeviceMemory: device.ErrOutOfMemory, resultOutOfHostMemory: device.ErrOutOfMemory,
		resultDeviceLost: device.ErrLost, resultIncompatibleDriver: ErrNoDevice,
	} {
		if err := failed("try", result); !errors.Is(err, want) {
			t.Errorf("%d: %v", result, err)
		}
	}
	if failed("try", resultSuccess) != nil || failed("try", resultIncomplete) != nil || failed("try", -3) == nil {
		t.Error("success, more to come and failure are confused")
	}
}
