// Package metal runs the kernels of the GPU device through Apple's Metal. It calls the Objective-C runtime without a C
// compiler. On Linux it builds only for its tests, which run it against a stand-in for that runtime and for Metal; on
// other systems the package is empty.
package metal
