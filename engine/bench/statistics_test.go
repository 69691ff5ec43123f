package bench

import (
	"math/rand/v2"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{4, 1}, 2.5}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 100, 1, 2}, 3}} {
		if got := median(c.values); got != c.want {
			t.Errorf("median of %v is %v, want %v", c.values, got, c.want)
		}
	}
}

// The ranks are those of printed tables of the sign test at 5 % on two sides: n = 6, 10, 15, 20 and 25 give 1, 2, 4, 6
// and 8.
func TestIntervalHasTheRanksOfTheSignTest(t *testing.T) {
	for n, k := range map[int]int{1: 1, 2: 1, 3: 1, 5: 1, 6: 1, 8: 1, 9: 2, 10: 2, 15: 4, 20: 6, 25: 8} {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(n - i) // ranks, not in order
		}
		if low, high := interval(values); low != float64(k) || high != float64(n+1-k) {
			t.Errorf("%d values: ranks %v to %v, want %d to %d", n, low, high, k, n+1-k)
		}
	}
	if low, high := interval(nil); low != 0 || high != 0 {
		t.Errorf("of nothing: %v to %v", low, high)
	}
}

func TestIntervalHoldsTheTrueMedianAsOftenAsItSays(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{6, 10, 20} {
		const tries = 4000
		held := 0
		for range tries {
			values := make([]float64, n)
			for i := range values {
				values[i] = 1 + random.ExpFloat64() // skewed, as times are; its median is 1 + ln 2
			}
			if low, high := interval(values); low <= 1.6931 && 1.6931 <= high {
				held++
			}
		}
		// Three standard deviations of the count below 95 %.
		if share := float64(held) / tries; share < confidence-0.011 {
			t.Errorf("%d values: the interval holds the median in %.1f %% of benches", n, 100*share)
		}
	}
}
