package kernels

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
