package bench

import "testing"

func TestProgressCountsEveryRunAndKnowsTheTimeLeft(t *testing.T) {
	f := &fakeEngine{cost: func(c call) float64 { return float64(c.size) * float64(c.size) / 100 }}
	o := f.options(t, Ablation)
	o.Resolutions, o.Truth = []int{64, 128, 64}, true
	var all []Progress
	o.Progress = func(p Progress) { all = append(all, p) }
	begin := f.clock
	mustRun(t, f, o)
	took := f.clock.Sub(begin)
	share, timed := 0.0, 0
	for i, p := range all {
		if p.Done > p.Total || p.Share < share || p.Share > 1 {
			t.Fatalf("%d: %+v after a share of %v", i, p, share)
		}
		share = p.Share
		if p.LastMS > 0 {
			timed++
		}
		if p.Done > 0 && p.Done < p.Total/2 && (p.Left < took/3 || p.Left > took+took/20) {
			t.Errorf("%d of %d: %v left, the whole takes %v", p.Done, p.Total, p.Left, took)
		}
	}
	last := all[len(all)-1]
	if last.Done != len(f.calls) || last.Total != len(f.calls) || last.Share != 1 || last.Left != 0 || timed != 2*8*4 {
		t.Errorf("ends with %+v after %d runs, %d timed", last, len(f.calls), timed)
	}
	if all[0].Left >= 0 {
		t.Errorf("knows %v at the start", all[0].Left)
	}
}
