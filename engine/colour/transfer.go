package colour

import (
	"math"
	"sync"
)

// mostLight is the most light that a logarithmic curve decodes to: over 16 times a half float's range, and what values
// far over 1, which no camera writes, would otherwise make infinite.
const mostLight = 1 << 20

var (
	linearCurve = sync.OnceValue(func() *Curve { return &Curve{} })
	srgbCurve   = sync.OnceValue(func() *Curve {
		c := newCurve(SRGBToLinear, LinearToSRGB)
		c.formula = Formula{Gamma: 2.4, A: 1 / 1.055, B: 0.055 / 1.055, C: 1 / 12.92, D: 0.04045} // IEC 61966-2-1, 5.2
		return c
	})
	// rec709Curve is ITU-R BT.1886 with a black of 0: V^2.4.
	rec709Curve = sync.OnceValue(func() *Curve { return powerCurve(2.4) })
	// adobeCurve is the power 2 + 51/256 of Adobe RGB (1998) Color Image Encoding, 4.3.1.2.
	adobeCurve = sync.OnceValue(func() *Curve { return powerCurve(2.19921875) })
	// The logarithmic curves take a value 0..1 of the full code range, and middle grey for 0.18.
	acescctCurve = sync.OnceValue(func() *Curve { return newCurve(acescctToLinear, linearToACEScct) })
	logC3Curve   = sync.OnceValue(func() *Curve { return newCurve(logC3ToLinear, linearToLogC3) })
	logC4Curve   = sync.OnceValue(func() *Curve { return newCurve(logC4ToLinear, linearToLogC4) })
	sLog3Curve   = sync.OnceValue(func() *Curve { return newCurve(sLog3ToLinear, linearToSLog3) })
	log3G10Curve = sync.OnceValue(func() *Curve { return newCurve(log3G10ToLinear, linearToLog3G10) })
	cineonCurve  = sync.OnceValue(func() *Curve { return newCurve(cineonToLinear, linearToCineon) })
)

// powerCurve is the curve v^gamma, mirrored under 0.
func powerCurve(gamma float64) *Curve {
	power := func(v float32, g float64) float32 {
		if v < 0 {
			return float32(-math.Pow(-float64(v), g))
		}
		return float32(math.Pow(float64(v), g))
	}
	c := newCurve(
		func(v float32) float32 { return power(v, gamma) },
		func(v float32) float32 { return power(v, 1/gamma) },
	)
	c.formula = Formula{Gamma: gamma, A: 1}
	return c
}

// Academy S-2016-001, "ACEScct: A Quasi-Logarithmic Encoding of ACES Data", 4.4.
func linearToACEScct(v float32) float32 {
	if v <= 0.0078125 {
		return float32(10.5402377416545*float64(v) + 0.0729055341958355)
	}
	return float32((math.Log2(float64(v)) + 9.72) / 17.52)
}

func acescctToLinear(v float32) float32 {
	if v <= 0.155251141552511 {
		return float32((float64(v) - 0.0729055341958355) / 10.5402377416545)
	}
	return light(math.Exp2(float64(v)*17.52 - 9.72))
}

// ARRI, "ALEXA Log C Curve: Usage in VFX", 2017: the parameters of EI 800, from exposure values.
const (
	logC3Cut, logC3A, logC3B = 0.010591, 5.555556, 0.052272
	logC3C, logC3D           = 0.247190, 0.385537
	logC3E, logC3F           = 5.367655, 0.092809
)

func linearToLogC3(v float32) float32 {
	x := float64(v)
	if x > logC3Cut {
		return float32(logC3C*math.Log10(logC3A*x+logC3B) + logC3D)
	}
	return float32(logC3E*x + logC3F)
}

func logC3ToLinear(v float32) float32 {
	x := float64(v)
	if x > logC3E*logC3Cut+logC3F {
		return light((math.Pow(10, (x-logC3D)/logC3C) - logC3B) / logC3A)
	}
	return float32((x - logC3F) / logC3E)
}

// ARRI, "LogC4 Logarithmic Color Space: Specification", 2022, 3.
const (
	logC4A = (1<<18 - 16) / 117.45
	logC4B = (1023.0 - 95) / 1023
	logC4C = 95.0 / 1023
)

// logC4Line returns slope and start of the straight part, which is under code 0.
func logC4Line() (s, t float64) {
	s = 7 * math.Ln2 * math.Exp2(7-14*logC4C/logC4B) / (logC4A * logC4B)
	t = (math.Exp2(14*(-logC4C/logC4B)+6) - 64) / logC4A
	return s, t
}

func linearToLogC4(v float32) float32 {
	x := float64(v)
	s, t := logC4Line()
	if x < t {
		return float32((x - t) / s)
	}
	return float32((math.Log2(logC4A*x+64)-6)/14*logC4B + logC4C)
}

func logC4ToLinear(v float32) float32 {
	x := float64(v)
	if x < 0 {
		s, t := logC4Line()
		return float32(x*s + t)
	}
	return light((math.Exp2(14*(x-logC4C)/logC4B+6) - 64) / logC4A)
}

// Sony, "Technical Summary for S-Gamut3.Cine/S-Log3 and S-Gamut3/S-Log3", appendix.
func linearToSLog3(v float32) float32 {
	x := float64(v)
	if x >= 0.01125 {
		return float32((420 + math.Log10((x+0.01)/(0.18+0.01))*261.5) / 1023)
	}
	return float32((x*(171.2102946929-95)/0.01125 + 95) / 1023)
}

func sLog3ToLinear(v float32) float32 {
	x := float64(v) * 1023
	if x >= 171.2102946929 {
		return light(math.Pow(10, (x-420)/261.5)*(0.18+0.01) - 0.01)
	}
	return float32((x - 95) * 0.01125 / (171.2102946929 - 95))
}

// RED, "White Paper on REDWideGamutRGB and Log3G10", 915-0187 Rev C.
const log3G10A, log3G10B, log3G10C, log3G10G = 0.224282, 155.975327, 0.01, 15.1927

func linearToLog3G10(v float32) float32 {
	x := float64(v) + log3G10C
	if x < 0 {
		return float32(x * log3G10G)
	}
	return float32(log3G10A * math.Log10(x*log3G10B+1))
}

func log3G10ToLinear(v float32) float32 {
	x := float64(v)
	if x < 0 {
		return float32(x/log3G10G - log3G10C)
	}
	return light((math.Pow(10, x/log3G10A)-1)/log3G10B - log3G10C)
}

// Kodak, "Conversion of 10-bit Log Film Data to 8-bit Linear or Video Data for the Cineon Digital Film System", 1995:
// black at code 95, white at 685, 0.002 of density a code, a negative's gamma of 0.6, no soft clip. Under code 0,
// where film ends, the curve goes on straight.
const cineonStep = 0.002 / 0.6

// cineonBlack is the light of code 95 before it is taken for black.
func cineonBlack() float64 { return math.Pow(10, (95-685)*cineonStep) }

// cineonFoot returns light and slope, for a value of code 0..1, at code 0.
func cineonFoot() (at, slope float64) {
	black := cineonBlack()
	film := math.Pow(10, -685*cineonStep)
	return (film - black) / (1 - black), film * math.Ln10 * 1023 * cineonStep / (1 - black)
}

func linearToCineon(v float32) float32 {
	black := cineonBlack()
	if at, slope := cineonFoot(); float64(v) < at {
		return float32((float64(v) - at) / slope)
	}
	return float32((685 + math.Log10(float64(v)*(1-black)+black)/cineonStep) / 1023)
}

func cineonToLinear(v float32) float32 {
	if v < 0 {
		at, slope := cineonFoot()
		return float32(at + slope*float64(v))
	}
	black := cineonBlack()
	return light((math.Pow(10, (float64(v)*1023-685)*cineonStep) - black) / (1 - black))
}

// light cuts what a curve decodes to at mostLight.
func light(v float64) float32 {
	if v > mostLight {
		v = mostLight
	}
	return float32(v)
}
