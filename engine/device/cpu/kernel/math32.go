package kernel

import "math"

// Coefficients fitted for this package by weighted minimax (Lawson's iteration) in float64.
const (
	// 2^f = 1 + f*(exp2C1 + f*(exp2C2 + ...)) on [-0.5, 0.5], relative error 1e-7.
	exp2C1 = 0.6931470036506653
	exp2C2 = 0.24022242426872253
	exp2C3 = 0.05550733581185341
	exp2C4 = 0.009671512991189957
	exp2C5 = 0.001326472731307149

	// log2 of the normal distribution's lower tail at -a = geluC0 + a*(geluC1 + ...) on [0, geluMax], weighted so
	// that a*2^polynomial is within 1e-7 of a*tail.
	geluC0  = -0.9999929070472717
	geluC1  = -1.1512033939361572
	geluC2  = -0.4587647318840027
	geluC3  = -0.05342184752225876
	geluC4  = 0.008088025264441967
	geluC5  = -0.0007717953994870186
	geluC6  = 3.3433057978982106e-05
	geluMax = 6

	// ln 2 in two parts: the first has few bits, so that multiples of it are exact.
	ln2High = 0.693359375
	ln2Low  = -2.12194440054690583e-4
)

// exp2 returns 2^x: 0 from -126.5 down, infinity from 127.5 up.
func exp2(x float32) float32 {
	x = min(max(x, -127), 128)
	n := float32(math.Floor(float64(x) + 0.5))
	return exp2Fraction(x-n) * exp2Integer(n)
}

// exp2Fraction returns 2^f for f in [-0.5, 0.5].
func exp2Fraction(f float32) float32 {
	return 1 + f*(exp2C1+f*(exp2C2+f*(exp2C3+f*(exp2C4+f*exp2C5))))
}

// exp2Integer returns 2^n for n in [-126, 127], 0 for -127 and infinity for 128.
func exp2Integer(n float32) float32 { return math.Float32frombits(uint32(int32(n)+127) << 23) }

// exp32 returns e^x within 3e-7 relative, with the limits of exp2.
func exp32(x float32) float32 {
	y := min(max(x*math.Log2E, -127), 128)
	n := float32(math.Floor(float64(y) + 0.5))
	f := (x - n*ln2High) - n*ln2Low
	return exp2Fraction(min(max(f*math.Log2E, -0.5), 0.5)) * exp2Integer(n)
}

func sigmoid32(x float32) float32 { return 1 / (1 + exp2(-x*math.Log2E)) }

// gelu32 returns x times the normal distribution function of x, as max(x, 0) - |x| * tail(|x|): the second term
// is at most 0.17 and everywhere smooth.
func gelu32(x float32) float32 {
	a := min(max(x, -x), geluMax)
	q := geluC0 + a*(geluC1+a*(geluC2+a*(geluC3+a*(geluC4+a*(geluC5+a*geluC6)))))
	return max(x, 0) - a*exp2(q)
}
