package gpu

import (
	"os"
	"path/filepath"
	"testing"

	"greenroom/engine/device/kernels"
)

// FuzzReadReport reads what may lie in the place of a self-test's result: anything. What is believed makes sense.
func FuzzReadReport(f *testing.F) {
	f.Add([]byte(`{"Kernels":[{"Name":"gemm_any","Difference":1e-7,"Allowed":1e-4,"Failure":""}],"Rate":1e12,"Took":1}`))
	f.Add([]byte(`{"Kernels":[{"Name":"gemm_any"}],"Rate":-1}`))
	f.Add([]byte(`{"Kernels":null,"Rate":1e999}`))
	f.Add([]byte("{"))
	set, err := kernels.Open()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(t.TempDir(), "report.json")
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
		r, ok := readReport(name, set)
		if !ok {
			return
		}
		if len(r.Kernels) == 0 || !(r.Rate >= slowest && r.Rate < maxRate) {
			t.Errorf("believed %+v", r)
		}
		for _, k := range r.Kernels {
			if _, ok := set.Lookup(k.Name); !ok {
				t.Errorf("believed kernel %q", k.Name)
			}
		}
	})
}
