// Package vulkan gives device/gpu a GPU through Vulkan, without a C compiler: the loader is opened when the
// program runs, and a machine that has none gets an error to show instead of a device.
//
// Only 64-bit processors are served, where a C struct lies in memory as the Go struct of the same fields does, and
// where every handle is eight bytes. A test holds the structs against the C headers.
package vulkan
