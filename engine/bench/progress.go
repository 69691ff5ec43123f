package bench

import "time"

// Doing is what a bench does at a moment.
type Doing string

const (
	// Drawing draws a plate.
	Drawing Doing = "drawing"
	// Scoring keys a plate whose matte is known.
	Scoring Doing = "scoring"
	// WarmingUp keys without timing.
	WarmingUp Doing = "warming up"
	// Timing keys and takes the time.
	Timing Doing = "timing"
	// Finished is the last word.
	Finished Doing = "finished"
)

// Progress says how far a bench is.
type Progress struct {
	Doing Doing
	// Resolution and Config are what is measured now; Config is empty while a plate is drawn.
	Resolution int
	Config     string
	// Done of Total runs are over. Total can shrink: a configuration that fails is run no more.
	Done, Total int
	// Share is the part of the work that is done, 0..1, in which a run counts by its pixels.
	Share float64
	// Left is the time that the rest will take, as fast as so far; negative while unknown.
	Left time.Duration
	// LastMS is the timed run that has just ended, in milliseconds; 0 while one goes on.
	LastMS float64
}

// progress counts what is done.
type progress struct {
	runs   int
	pixels float64
}

// add counts a run.
func (p *progress) add(resolution int) {
	p.runs++
	p.pixels += pixels(resolution)
}

func pixels(resolution int) float64 { return float64(resolution) * float64(resolution) }

// tell completes a progress and passes it on.
func (r *run) tell(p Progress) {
	if r.o.Progress == nil {
		return
	}
	left := 0.0
	p.Done, p.Total = r.count.runs, r.count.runs
	for _, g := range r.groups {
		for _, l := range g.lanes {
			p.Total += l.left
			left += float64(l.left) * pixels(l.Resolution)
		}
	}
	p.Left = -1
	if r.count.runs > 0 {
		p.Share = r.count.pixels / (r.count.pixels + left)
		p.Left = time.Duration(float64(r.o.Now().Sub(r.start)) / r.count.pixels * left)
	}
	r.o.Progress(p)
}
