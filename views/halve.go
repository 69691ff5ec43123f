package views

// Halving: a row of half the length from two rows. A last column without a neighbour counts twice.

// halvePixels writes pixels x0..x1 of a row. Where mattes differ, each pixel's colour counts by its matte, so that
// colour that nobody may see does not bleed into the edges of a subject.
func halvePixels(dst, upper, lower []pixel, x0, x1 int, mask uint64) {
	last := len(upper) - 1
	lower = lower[:len(upper)]
	for x := x0; x < x1; x++ {
		i, j := 2*x, min(2*x+1, last)
		a, b, c, d := upper[i], upper[j], lower[i], lower[j]
		if ((a^b)|(a^c)|(a^d))>>matteShift != 0 {
			dst[x] = meanByMatte(a, b, c, d)
			continue
		}
		s, t, u, v := a.split(mask), b.split(mask), c.split(mask), d.split(mask)
		redBlue := (s.redBlue + t.redBlue + u.redBlue + v.redBlue + 2*twice) >> 2 & mask
		greenMatte := (s.greenMatte + t.greenMatte + u.greenMatte + v.greenMatte + 2*twice) >> 2 & mask
		dst[x] = pixel(redBlue | greenMatte<<16)
	}
}

// meanByMatte returns the mean of four pixels, one of which has a matte, their colours by their mattes.
func meanByMatte(a, b, c, d pixel) pixel {
	u, v, w, z := uint64(a.matte()), uint64(b.matte()), uint64(c.matte()), uint64(d.matte())
	sum := u + v + w + z
	mean := func(shift int) pixel {
		const bits = 0xffff
		p, q, r, s := uint64(a>>shift&bits), uint64(b>>shift&bits), uint64(c>>shift&bits), uint64(d>>shift&bits)
		return pixel((p*u+q*v+r*w+s*z+sum/2)/sum) << shift
	}
	return mean(0) | mean(16) | mean(32) | pixel((sum+2)/4)<<matteShift
}

// halveGrey writes samples x0..x1 of a row of one channel.
func halveGrey(dst, a, b []float32, x0, x1 int) {
	for x := x0; x < x1; x++ {
		i, j := 2*x, min(2*x+1, len(a)-1)
		dst[x] = (a[i] + a[j] + b[i] + b[j]) / 4
	}
}

// halveColour is halveGrey for three channels.
func halveColour(dst, a, b []float32, x0, x1 int) {
	last := len(a)/3 - 1
	for x := x0; x < x1; x++ {
		i, j := 6*x, 3*min(2*x+1, last)
		p, q, r, s := a[i:i+3], a[j:j+3], b[i:i+3], b[j:j+3]
		out := dst[3*x : 3*x+3]
		for c := range out {
			out[c] = (p[c] + q[c] + r[c] + s[c]) / 4
		}
	}
}

// halveWeighted is halveColour where each pixel counts by its weight, as in halvePixels. Where no pixel has weight it
// is the plain mean.
func halveWeighted(dst, a, b, wa, wb []float32, x0, x1 int) {
	last := len(wa) - 1
	for x := x0; x < x1; x++ {
		i, j := 2*x, min(2*x+1, last)
		u, v, w, z := wa[i], wa[j], wb[i], wb[j]
		sum := u + v + w + z
		if !(sum > 0) {
			u, v, w, z, sum = 1, 1, 1, 1, 4
		}
		k := 1 / sum
		p, q, r, s := a[3*i:3*i+3], a[3*j:3*j+3], b[3*i:3*i+3], b[3*j:3*j+3]
		out := dst[3*x : 3*x+3]
		for c := range out {
			out[c] = (p[c]*u + q[c]*v + r[c]*w + s[c]*z) * k
		}
	}
}
