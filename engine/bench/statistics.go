package bench

import (
	"math"
	"slices"
)

// median returns the middle of the values, the mean of the two middle ones of an even number; 0 of none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	v := slices.Sorted(slices.Values(values))
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}

// confidence is how surely interval holds the true median, where there are enough values for it.
const confidence = 0.95

// enough is the fewest values from which an interval of that confidence can be told: the range of six holds the median
// unless all lie on one side of it, which happens once in 32.
const enough = 6

// interval returns the range that holds the true median with the confidence above, whatever the distribution: the
// values of rank k and n+1-k, with the largest k for which the chance that fewer than k of n lie on one side of it is
// small enough, by the binomial distribution with p = 1/2 (David and Nagaraja, Order Statistics, 7.1). Of fewer than
// enough values it is their whole range, which promises less.
func interval(values []float64) (low, high float64) {
	if len(values) == 0 {
		return 0, 0
	}
	v := slices.Sorted(slices.Values(values))
	n := len(v)
	k := 1
	// chance is that at most k-1 values lie below the median; both sides together are twice that.
	chance, term := math.Pow(0.5, float64(n)), math.Pow(0.5, float64(n))
	for k+1 <= n/2 {
		term *= float64(n-k+1) / float64(k)
		if chance += term; 2*chance > 1-confidence {
			break
		}
		k++
	}
	return v[k-1], v[n-k]
}
