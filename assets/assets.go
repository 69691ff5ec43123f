// Package assets holds what is built into the program: the icon and the sample plate.
package assets

import _ "embed"

// Icon is the app's icon, a PNG of 512 x 512 pixels.
//
//go:embed icon.png
var Icon []byte

// Sample is the sample plate, a PNG of 960 x 540 pixels: a drawn figure with curly hair and spectacles before
// an uneven green screen.
//
//go:embed sample.png
var Sample []byte

// SampleName is the file name that the outputs of the sample plate are named after.
const SampleName = "sample.png"
