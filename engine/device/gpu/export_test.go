package gpu

import "greenroom/engine/device/kernels"

// Untested is a device that does not test itself first.
func Untested(h Host) *Device {
	set, err := kernels.Open()
	if err != nil {
		panic(err)
	}
	return newDevice(h, set)
}

// Lending is an untested device that lends weights from a size of some bytes on.
func Lending(h Host, from int64) *Device {
	d := Untested(h)
	d.lendFrom = from
	return d
}
