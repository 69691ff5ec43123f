package gpu

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"greenroom/engine/device/kernels"
)

// Options is what a device needs to know beside its host.
type Options struct {
	// CacheDir is the folder in which the result of the self-test is kept; empty keeps none, and tests every time.
	CacheDir string
	// Version is the program's: after an update the device is tested again.
	Version string
}

// New makes a device of a host. At the first start, and after an update of the driver or of the program, it tests
// every kernel first, which takes a second or two; SelfTest says what errors that can give. On an error the host
// stays the caller's.
func New(ctx context.Context, h Host, o Options) (*Device, error) {
	set, err := kernels.Open()
	if err != nil {
		return nil, err
	}
	d := newDevice(h, set)
	d.kept = keptName(h, o, set)
	if r, ok := readReport(d.kept, set); ok {
		d.adopt(r)
		return d, nil
	}
	if _, err := d.SelfTest(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

// adopt uses what an earlier self-test showed.
func (d *Device) adopt(r Report) {
	d.report = r
	for _, name := range r.Replaced() {
		d.without[name] = true
	}
	d.rate = r.Rate
}

// keptName is the file of the self-test's result: one a device, driver, program and set of kernels.
func keptName(h Host, o Options, set *kernels.Set) string {
	if o.CacheDir == "" {
		return ""
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%s\n", h.Identity(), o.Version)
	for _, k := range set.All() {
		fmt.Fprintf(sum, "%s %d %d\n", k.Name, len(k.SPIRV), len(k.MSL))
		sum.Write(k.SPIRV)
		io.WriteString(sum, k.MSL)
	}
	return filepath.Join(o.CacheDir, fmt.Sprintf("selftest-%x.json", sum.Sum(nil)[:16]))
}

// maxReport bounds what is read from disk, maxRate what is believed of a device.
const (
	maxReport = 1 << 20
	maxRate   = 1e17
)

// readReport reads a result that was kept; false where there is none that makes sense.
func readReport(name string, set *kernels.Set) (Report, bool) {
	if name == "" {
		return Report{}, false
	}
	f, err := os.Open(name)
	if err != nil {
		return Report{}, false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxReport+1))
	if err != nil || len(data) > maxReport {
		return Report{}, false
	}
	var r Report
	if json.Unmarshal(data, &r) != nil || len(r.Kernels) == 0 || !(r.Rate >= slowest && r.Rate < maxRate) {
		return Report{}, false
	}
	for _, k := range r.Kernels {
		if _, ok := set.Lookup(k.Name); !ok {
			return Report{}, false
		}
	}
	return r, true
}

// writeReport keeps a result.
func writeReport(name string, r Report) error {
	if name == "" {
		return nil
	}
	for i := range r.Kernels {
		// JSON has no infinity.
		r.Kernels[i].Difference = min(r.Kernels[i].Difference, math.MaxFloat64)
	}
	data, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "selftest-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
