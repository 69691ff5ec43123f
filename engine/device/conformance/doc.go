// Package conformance holds what every device must compute: small programs of one op each, in all the shapes and
// types that networks use, and how far from the reference a device may be. Devices test themselves with it at their
// first start; package conformancetest runs it in tests.
package conformance
