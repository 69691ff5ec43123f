// Generate compiles every kernel variant to SPIR-V and Metal Shading Language and writes kernels.zip. It needs glslc
// and spirv-cross of the versions in toolVersions. Run it by go generate, in the folder of package kernels.
package main

import (
	"fmt"
	"os"

	"greenroom/engine/device/kernels/generate/compile"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate kernels:", err)
		os.Exit(1)
	}
}

func run() error {
	if err := compile.Tools(); err != nil {
		return err
	}
	files, err := compile.All("glsl")
	if err != nil {
		return err
	}
	data, err := compile.Zip(files)
	if err != nil {
		return err
	}
	return os.WriteFile("kernels.zip", data, 0o644)
}
