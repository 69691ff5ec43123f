package main

import "math"

// curl is a strand that leaves root in a direction, sags, and winds with growing swings.
func curl(n noise, root [2]float64, angle, length, swing, sag float64) [][2]float64 {
	const steps = 34
	points := make([][2]float64, steps)
	phase, turns := n.between(0, 2*math.Pi), n.between(1.6, 3.4)
	x, y := root[0], root[1]
	for i := range points {
		t := float64(i) / (steps - 1)
		side := swing * (0.25 + 0.75*t) * (math.Sin(phase+turns*2*math.Pi*t) - math.Sin(phase))
		points[i] = [2]float64{x - math.Sin(angle)*side, y + math.Cos(angle)*side}
		x += math.Cos(angle) * length / steps
		y += math.Sin(angle)*length/steps + sag*t
		angle += 0.02 * n.bell()
	}
	return points
}

// tone picks a strand's colour: dark at heart, lit from the upper left, a warm rim on the outside.
func tone(n noise, x, y, rim float64) rgb {
	light := clamp(0.35 + 0.5*(500-x)/150 + 0.3*(200-y)/150 + 0.25*n.bell())
	col := hairDark.mix(hairMid, light)
	col = col.mix(hairRim, rim*clamp(0.4+0.4*n.bell()))
	return col.mix(screenGreen, 0.06*rim)
}

// hairMass is the solid part of the hair: a noise-warped cloud that falls to the shoulders.
func hairMass(n noise) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		wx, wy := x+11*n.layers(x/26, y/26, 3), y+11*n.layers(x/26+50, y/26, 3)
		crown := ellipse(wx, wy, 500, 170, 104, 98)
		left := ellipse(wx, wy, 420, 262, 46, 92)
		right := ellipse(wx, wy, 584, 262, 44, 92)
		return join(join(crown, left, 24), right, 24)
	}
}

func backHair(c *canvas) {
	n := newNoise(41)
	mass := hairMass(n)
	c.fill(box{330, 40, 680, 400}, 3, mass, func(x, y float64) rgb {
		return hairDark.times(0.7 + 0.5*n.layers(x/8, y/14, 2))
	})
	for range 1500 {
		a := n.between(0, 2*math.Pi)
		r := n.between(0.55, 1)
		root := [2]float64{500 + 108*r*math.Cos(a), 190 + 100*r*math.Sin(a)}
		if root[1] > 300 {
			continue
		}
		out := math.Atan2(root[1]-200, root[0]-500)
		length := n.between(26, 70)
		if math.Abs(root[0]-500) > 60 && root[1] > 170 {
			out, length = math.Pi/2+0.25*n.bell(), n.between(50, 110)
		}
		points := curl(n, root, out+0.5*n.bell(), length, n.between(2, 9), n.between(0, 0.9))
		c.stroke(points, n.between(1.6, 3), 0.5, 0.95, tone(n, root[0], root[1], smooth(0.8, 1, r)))
	}
	// Single hairs that stand away from the rest.
	for range 260 {
		a := n.between(-math.Pi, 0.25)
		root := [2]float64{500 + 112*math.Cos(a), 185 + 104*math.Sin(a)}
		points := curl(n, root, a+0.7*n.bell(), n.between(20, 78), n.between(2, 12), n.between(0, 1.1))
		c.stroke(points, n.between(0.7, 1.5), 0.25, 0.85, tone(n, root[0], root[1], 0.7))
	}
}

func frontHair(c *canvas) {
	n := newNoise(43)
	// Curls fall over the forehead from the parting, and down both sides of the face over the shoulders.
	for range 620 {
		root := [2]float64{n.between(424, 578), 0}
		root[1] = 126 - 40*math.Cos((root[0]-500)/84) + n.between(-8, 22)
		out := math.Pi/2 + 0.9*(root[0]-494)/80 + 0.35*n.bell()
		points := curl(n, root, out, n.between(12, 30)+0.42*math.Abs(root[0]-496), n.between(2, 6), n.between(0, 0.5))
		c.stroke(points, n.between(1.6, 3), 0.5, 0.95, tone(n, root[0], root[1], 0.25))
	}
	for range 900 {
		side := 1.0
		if n.Float64() < 0.5 {
			side = -1
		}
		root := [2]float64{500 + side*n.between(66, 112), n.between(120, 270)}
		points := curl(n, root, math.Pi/2-side*0.1+0.22*n.bell(), n.between(50, 120), n.between(3, 9), n.between(0, 0.5))
		c.stroke(points, n.between(1.6, 3), 0.5, 0.95, tone(n, root[0], root[1]-20, smooth(80, 112, math.Abs(root[0]-500))))
	}
}
