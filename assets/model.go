package assets

import _ "embed"

// Nano is the embedded model: a safetensors file. engine/greenformer/training remakes it.
//
//go:embed models/nano.safetensors
var Nano []byte
