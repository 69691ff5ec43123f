package imageio

import (
	"encoding/binary"

	"greenroom/engine/colour"
)

// noteLinearProfile is the note on a file with a linear colour profile.
const noteLinearProfile = "Its colour profile is linear: it is read as linear light."

// spaceOf returns what the whole numbers of a file with an ICC profile, or none, are taken for: linear light where the
// profile's curve is a straight line, else sRGB.
func spaceOf(icc []byte) colour.Space {
	if linearProfile(icc) {
		return colour.LinearRec709
	}
	return colour.SRGB
}

// linearProfile reports whether an ICC profile's red (or grey) curve is a straight line: linear light
// (ICC.1:2022, 10.6 curveType and 10.18 parametricCurveType).
func linearProfile(icc []byte) bool {
	curve := profileTag(icc, "rTRC")
	if curve == nil {
		curve = profileTag(icc, "kTRC")
	}
	if len(curve) < 12 {
		return false
	}
	switch string(curve[:4]) {
	case "curv":
		switch n := binary.BigEndian.Uint32(curve[8:]); n {
		case 0:
			return true
		case 1:
			return len(curve) >= 14 && binary.BigEndian.Uint16(curve[12:]) == 256 // u8Fixed8 1.0
		default:
			return straightTable(curve[12:], int64(n))
		}
	case "para":
		// Type 0 is x^g; a g of exactly 1 is written by several programs.
		return len(curve) >= 16 && binary.BigEndian.Uint16(curve[8:]) == 0 &&
			binary.BigEndian.Uint32(curve[12:]) == 1<<16
	}
	return false
}

// straightTable reports whether n 16-bit samples rise evenly from 0 to 65535.
func straightTable(b []byte, n int64) bool {
	if int64(len(b)) < 2*n {
		return false
	}
	for i := range n {
		want := i * 65535 / (n - 1)
		if d := int64(binary.BigEndian.Uint16(b[2*i:])) - want; d < -64 || d > 64 {
			return false
		}
	}
	return true
}

// profileTag returns the content of a tag of an ICC profile; nil where it is missing or outside the profile.
func profileTag(icc []byte, name string) []byte {
	if len(icc) < 132 {
		return nil
	}
	count := binary.BigEndian.Uint32(icc[128:])
	for i := range min(count, 256) {
		at := 132 + 12*int(i)
		if len(icc) < at+12 {
			return nil
		}
		if string(icc[at:at+4]) != name {
			continue
		}
		from, length := uint64(binary.BigEndian.Uint32(icc[at+4:])), uint64(binary.BigEndian.Uint32(icc[at+8:]))
		if from+length > uint64(len(icc)) {
			return nil
		}
		return icc[from : from+length]
	}
	return nil
}
