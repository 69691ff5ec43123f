// Package kernel holds the numeric primitives of the CPU device: matrix products, convolution, attention,
// normalisation, resampling and conversions over plain float32 and half-width slices. It knows no programs,
// tensors or networks, starts no goroutines and keeps no state: a Set is one implementation of every
// primitive, and every call works on a range of rows (or units) so that a scheduler can split one operation
// over workers. Working memory comes from the caller, and its size is known beforehand.
//
// Everything is row-major. Maps are [H, W, C] with one row of a Rows view a pixel. Sizes are checked once on
// entry; a wrong size is a programming error and panics. Results do not depend on how rows are split.
package kernel
