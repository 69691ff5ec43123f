package main

import (
	"math"
	"math/rand/v2"
)

// noise is a random source and smooth noise over the plane, both repeatable.
type noise struct {
	*rand.Rand
	seed uint32
}

func newNoise(seed uint64) noise {
	return noise{rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)), uint32(seed)}
}

// between returns a number from a to b.
func (n noise) between(a, b float64) float64 { return a + (b-a)*n.Float64() }

// bell returns a normal number.
func (n noise) bell() float64 { return n.NormFloat64() }

// at is smooth noise of mean 0 within -1..1, changing over about one unit.
func (n noise) at(x, y float64) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	u, v := smooth(0, 1, x-fx), smooth(0, 1, y-fy)
	ix, iy := int32(fx), int32(fy)
	top := n.corner(ix, iy)*(1-u) + n.corner(ix+1, iy)*u
	bottom := n.corner(ix, iy+1)*(1-u) + n.corner(ix+1, iy+1)*u
	return top*(1-v) + bottom*v
}

// corner hashes a lattice point to -1..1.
func (n noise) corner(x, y int32) float64 {
	h := uint32(x)*0x85ebca6b ^ uint32(y)*0xc2b2ae35 ^ n.seed*0x27d4eb2f
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	h *= 0x297a2d39
	h ^= h >> 15
	return float64(h)/math.MaxUint32*2 - 1
}

// layers adds octaves of noise, each half as large and half as strong.
func (n noise) layers(x, y float64, octaves int) float64 {
	sum, weight := 0.0, 0.5
	for range octaves {
		sum += weight * n.at(x, y)
		x, y, weight = x*2+17.3, y*2-9.1, weight/2
	}
	return sum
}
