package main

import "math"

var (
	skin     = srgb(214, 160, 128)
	skinDark = srgb(150, 92, 72)
	lips     = srgb(176, 88, 82)
	wool     = srgb(52, 66, 112)
	woolDark = srgb(24, 30, 58)
	shirt    = srgb(226, 222, 212)
	frame    = srgb(36, 26, 24)
	hairDark = srgb(38, 20, 14)
	hairMid  = srgb(104, 58, 32)
	hairRim  = srgb(196, 128, 74)
)

// spill is what the screen reflects on the subject's edge; distance is negative inside.
func spill(col rgb, distance float64) rgb {
	return col.mix(screenGreen, 0.16*smooth(-9, 0, distance))
}

func drawFigure(c *canvas) {
	backHair(c)
	torso(c)
	head(c)
	face(c)
	spectacles(c)
	frontHair(c)
}

func neckDistance(x, y float64) float64 {
	d, _ := segment(x, y, [2]float64{500, 250}, [2]float64{502, 350})
	return d - 34 - 0.0016*math.Pow(math.Max(0, y-300), 2)
}

// torsoDistance joins shoulders, upper arms and chest.
func torsoDistance(x, y float64) float64 {
	d := 1e9
	for _, side := range []float64{-1, 1} {
		shoulder, _ := segment(x, y, [2]float64{502 + side*52, 412}, [2]float64{502 + side*168, 462})
		arm, _ := segment(x, y, [2]float64{502 + side*172, 470}, [2]float64{502 + side*214, 700})
		d = join(d, join(shoulder-44, arm-50, 40), 1)
	}
	chest := rounded(x, y, 502, 590, 180, 196, 60)
	return join(d, chest, 24)
}

func torso(c *canvas) {
	n := newNoise(11)
	c.fill(box{430, 240, 580, 430}, 1.4, neckDistance, func(x, y float64) rgb {
		shade := smooth(540, 468, x)*0.5 + 0.45
		under := smooth(370, 268, y)
		return spill(skinDark.mix(skin, shade), neckDistance(x, y)).times(1 - 0.45*under)
	})
	b := box{240, 320, 770, 540}
	c.fill(b, 1.6, torsoDistance, func(x, y float64) rgb {
		d := torsoDistance(x, y)
		light := 0.35 + 0.65*smooth(720, 330, x+0.25*(y-400))
		rows := 0.5 + 0.5*math.Sin(y*1.05+1.2*math.Sin(x*0.65))
		knit := 0.86 + 0.14*rows + 0.16*n.layers(x/9, y/9, 3)
		folds := 1 + 0.2*n.layers(x/70, y/46, 2)
		edge := 0.65 + 0.35*smooth(0, -26, d)
		return spill(woolDark.mix(wool, light), d).times(knit * folds * edge * 1.25)
	})
	// A shirt shows in the neckline.
	neckline := func(x, y float64) float64 { return ellipse(x, y, 502, 352, 60, 66) }
	inside := func(x, y float64) float64 { return math.Max(neckline(x, y), torsoDistance(x, y)) }
	c.fill(box{420, 330, 590, 440}, 1.4, inside, func(x, y float64) rgb {
		rim := smooth(-16, -9, neckline(x, y))
		throat := skinDark.mix(skin, 0.35+0.5*smooth(545, 470, x)).times(0.62 + 0.38*smooth(350, 400, y))
		return throat.mix(shirt.times(0.55+0.4*smooth(560, 450, x)), rim)
	})
}

func headDistance(x, y float64) float64 {
	skull := ellipse(x, y, 500, 190, 69, 78)
	jaw := ellipse(x, y, 501, 238, 50, 60)
	return join(skull, jaw, 26)
}

func head(c *canvas) {
	n := newNoise(23)
	paint := func(x, y float64) rgb {
		d := headDistance(x, y)
		light := smooth(590, 440, x+0.25*(y-200))
		pores := 1 + 0.035*n.layers(x/5, y/5, 3)
		round := 0.62 + 0.38*smooth(2, -34, d)
		blush := 0.35*math.Exp(-sq((x-462)/20)-sq((y-238)/15)) + 0.3*math.Exp(-sq((x-542)/18)-sq((y-238)/15))
		col := skinDark.mix(skin, 0.22+0.86*light).mix(lips, blush*0.5)
		return spill(col, d).times(round * pores * 1.1)
	}
	ear := func(x, y float64) float64 { return ellipse(x, y, 571, 214, 11, 20) }
	c.fill(box{555, 190, 586, 238}, 1.4, ear, func(x, y float64) rgb {
		return spill(skinDark.mix(skin, 0.25), ear(x, y)).times(0.8 + 0.2*smooth(-2, -8, ear(x, y)))
	})
	c.fill(box{420, 100, 580, 310}, 1.4, headDistance, paint)
}

func sq(v float64) float64 { return v * v }

func face(c *canvas) {
	shade := func(cx, cy, rx, ry, strength float64, col rgb) {
		c.each(box{cx - 3*rx, cy - 3*ry, cx + 3*rx, cy + 3*ry}, func(i int, x, y float64) {
			c.blend(i, col, strength*math.Exp(-sq((x-cx)/rx)-sq((y-cy)/ry)))
		})
	}
	for _, eye := range []float64{470, 530} {
		shade(eye, 200, 19, 10, 0.42, skinDark.times(0.55))
		white := func(x, y float64) float64 {
			return math.Max(ellipse(x, y, eye, 212, 17, 14), ellipse(x, y, eye, 197, 18, 14))
		}
		c.fill(box{eye - 20, 190, eye + 20, 220}, 1.2, white, func(x, y float64) rgb {
			return srgb(226, 220, 214).times(0.55 + 0.35*smooth(196, 206, y))
		})
		iris := func(r float64) func(x, y float64) float64 {
			return func(x, y float64) float64 { return math.Max(math.Hypot(x-eye+1, y-204)-r, white(x, y)) }
		}
		c.fill(box{eye - 20, 190, eye + 20, 220}, 1, iris(6.4), func(x, y float64) rgb {
			return srgb(92, 62, 38).times(0.6 + 0.5*smooth(200, 210, y))
		})
		c.fill(box{eye - 20, 190, eye + 20, 220}, 1, iris(2.9), func(float64, float64) rgb { return srgb(12, 9, 9) })
		c.fill(box{eye - 9, 194, eye + 9, 208}, 1, func(x, y float64) float64 { return math.Hypot(x-eye+3.4, y-201) - 1.5 },
			func(float64, float64) rgb { return rgb{0.9, 0.9, 0.9} })
		c.stroke(arc(eye, 214, 18, 17.5, -2.62, -0.52), 2.2, 2.6, 0.9, frame)
		c.stroke(arc(eye, 208, 24, 29, -2.45, -0.72), 5.2, 4.2, 0.72, hairDark)
	}
	// The nose is a shadow on the far side, a light ridge and two nostrils.
	shade(508, 222, 7, 22, 0.34, skinDark)
	shade(499, 232, 5, 13, 0.30, skin.times(1.5))
	shade(493, 249, 4, 2.4, 0.7, skinDark.times(0.45))
	shade(508, 249, 4, 2.4, 0.7, skinDark.times(0.45))
	shade(500, 256, 14, 4, 0.3, skinDark)
	mouth := func(x, y float64) float64 {
		curve := 0.004 * sq(x-501)
		return math.Max(ellipse(x, y, 501, 270, 23, 8.5), -ellipse(x, y+curve, 501, 262, 6, 2))
	}
	c.fill(box{470, 256, 532, 284}, 2, mouth, func(x, y float64) rgb {
		return lips.times(0.62 + 0.5*smooth(266, 275, y))
	})
	c.stroke(arc(501, 258, 23, 12, 2.75, 0.4), 1.4, 1.4, 0.85, skinDark.times(0.4))
	shade(501, 283, 13, 4, 0.34, skinDark)
}

// arc is an elliptic arc as points; angles in radians, y downwards.
func arc(cx, cy, rx, ry, from, to float64) [][2]float64 {
	points := make([][2]float64, 25)
	for i := range points {
		a := from + (to-from)*float64(i)/float64(len(points)-1)
		points[i] = [2]float64{cx + rx*math.Cos(a), cy + ry*math.Sin(a)}
	}
	return points
}

func spectacles(c *canvas) {
	for _, eye := range []float64{470, 530} {
		// Glass takes a little light and mirrors a window at its upper left.
		lens := func(x, y float64) float64 { return ellipse(x, y, eye, 205, 25, 23) }
		c.each(box{eye - 26, 180, eye + 26, 230}, func(i int, x, y float64) {
			glare := smooth(9, 2, math.Abs((x-eye)+0.9*(y-205)+16))
			c.blend(i, srgb(226, 236, 240), clamp(0.5-lens(x, y))*(0.05+0.22*glare))
		})
		c.stroke(arc(eye, 205, 25.5, 23.5, 0, 2*math.Pi), 3, 3, 1, frame)
	}
	c.stroke(arc(500, 205, 6, 5, math.Pi, 2*math.Pi), 2.8, 2.8, 1, frame)
	c.stroke([][2]float64{{444, 201}, {434, 196}}, 3, 3, 1, frame)
	c.stroke([][2]float64{{556, 201}, {572, 200}}, 3, 2.6, 1, frame)
}
