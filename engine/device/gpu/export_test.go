package gpu

// Untested is a device that does not test itself first.
func Untested(h Host) *Device { return newDevice(h) }
