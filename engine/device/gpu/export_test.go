package gpu

// Untested is a device that does not test itself first.
func Untested(h Host) *Device { return newDevice(h) }

// Lending is an untested device that lends weights from a size of some bytes on.
func Lending(h Host, from int64) *Device {
	d := newDevice(h)
	d.lendFrom = from
	return d
}
