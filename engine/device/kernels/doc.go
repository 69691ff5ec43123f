// Package kernels holds the compute kernels of the GPU devices: one GLSL source a kernel in glsl/, what is made
// of it (SPIR-V for Vulkan, Metal Shading Language for Metal) in kernels.zip, and constructors that turn an op's
// shapes into calls. A host needs to know nothing about a kernel but what Kernel and Call say.
//
// Storage is in 32-bit words: a float32 a word, or two numbers of a half-width type, bfloat16 or float16, the one with
// the lower index in the lower half. Sums are float32 everywhere.
//
// After a change of a source or of the list of variants:
//
//	go generate ./engine/device/kernels
package kernels

//go:generate go run ./generate
