package kernels

import (
	"maps"
	"slices"
	"strings"

	"greenroom/engine/program"
)

// Names of files in kernels.zip.
const (
	// IndexFile lists the kernels, as JSON.
	IndexFile = "index.json"
	// SPIRVSuffix and MSLSuffix follow a kernel's name.
	SPIRVSuffix = ".spv"
	MSLSuffix   = ".metal"
)

// Variant is how a kernel is made: a source in glsl/, compiled with macros set.
type Variant struct {
	Name, Source string
	Defines      map[string]int
}

// float16Suffix ends the name of a kernel whose half width is float16, beside one whose half width is bfloat16. Those that
// compute most are made for each; the others take both.
const float16Suffix = "_f16"

// halves returns a variant for each half-width type.
func halves(v Variant) []Variant {
	other := Variant{v.Name + float16Suffix, v.Source, maps.Clone(v.Defines)}
	v.Defines, other.Defines["HALF"] = maps.Clone(v.Defines), int(program.F16)
	v.Defines["HALF"] = int(program.BF16)
	return []Variant{v, other}
}

// forTypes returns the names of kernels, each made for both half-width types, for operands and weights of these types.
func forTypes(names []string, types ...program.DType) []string {
	if !slices.Contains(types, program.F16) {
		return names
	}
	other := make([]string, len(names))
	for i, n := range names {
		other[i] = n + float16Suffix
	}
	return other
}

// plain is a kernel's name without float16Suffix.
func plain(name string) string { return strings.TrimSuffix(name, float16Suffix) }

// Variants lists every kernel there is.
func Variants() []Variant {
	var all []Variant
	for _, family := range [][]Variant{
		gemmVariants(), convVariants(), attentionVariants(), normVariants(), elementwiseVariants(),
	} {
		all = append(all, family...)
	}
	return all
}
