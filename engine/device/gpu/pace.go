package gpu

import (
	"context"
	"time"
)

// Work goes to the GPU in pieces of about pieceSeconds: long enough that starting each costs nothing, short enough
// that a cancelled run ends soon and that no driver takes the GPU for stuck (Windows does so after two seconds).
// How much work that is shows as pieces run.
const (
	pieceSeconds = 0.2
	// callSeconds is how long one call may take.
	callSeconds = 0.1
	// slowGPU and slowSoftware are the operations a second that a device is taken to do until it has shown more.
	slowGPU      = 5e10
	slowSoftware = 5e8
	// slowest is the least that a device is taken to do: even less would cut calls into rows.
	slowest = 1e8
	// telling is how long a piece must take to show that a device is slower than thought.
	telling = 30 * time.Millisecond
)

// pace is how the steps of a span are divided, and how long each piece took.
type pace struct{ pieces []work }

// work is a run of steps that goes to the GPU at once.
type work struct {
	from, to  int
	recording Recording // nil until it is needed
	took      time.Duration
}

// forget gives up all recordings. How the steps were divided, and what they took, is kept.
func (p *pace) forget(h Host) {
	for i := range p.pieces {
		p.pieces[i].forget(h)
	}
}

func (w *work) forget(h Host) {
	if w.recording != nil {
		h.Release(w.recording)
		w.recording = nil
	}
}

// next returns where the piece that starts at step from should end: as many steps as fit the time at the given
// rate, and at least one.
func next(steps []Step, from int, rate float64) int {
	work := steps[from].Call.Work
	to := from + 1
	for to < len(steps) && work+steps[to].Call.Work <= rate*pieceSeconds {
		work += steps[to].Call.Work
		to++
	}
	return to
}

// adjust joins neighbours that together take less than a piece may, and halves what takes far longer.
func (p *pace) adjust(h Host) {
	const limit = time.Duration(pieceSeconds * float64(time.Second))
	var all []work
	for _, w := range p.pieces {
		n := len(all)
		switch {
		case n > 0 && all[n-1].took+w.took <= limit:
			all[n-1].forget(h)
			w.forget(h)
			all[n-1].to, all[n-1].took = w.to, all[n-1].took+w.took
		case w.took > 2*limit && w.to-w.from > 1:
			w.forget(h)
			middle := (w.from + w.to) / 2
			all = append(all, work{from: w.from, to: middle, took: w.took / 2}, work{from: middle, to: w.to, took: w.took / 2})
		default:
			all = append(all, w)
		}
	}
	p.pieces = all
}

// runSpan runs the ops of a span.
func (r *runner) runSpan(ctx context.Context, s *span) error {
	if !r.program.Record {
		for i := s.from; i < s.to; i++ {
			once := pace{}
			err := r.runSteps(ctx, &once, r.steps(i, i+1))
			once.forget(r.device.host)
			if err != nil {
				return err
			}
		}
		return nil
	}
	s.pace.adjust(r.device.host)
	return r.runSteps(ctx, &s.pace, r.steps(s.from, s.to))
}

// runSteps runs steps as they were divided before, and divides the rest.
func (r *runner) runSteps(ctx context.Context, p *pace, steps []Step) error {
	for i, done := 0, 0; done < len(steps); i++ {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if i == len(p.pieces) {
			p.pieces = append(p.pieces, work{from: done, to: next(steps, done, r.device.rate)})
		}
		w := &p.pieces[i]
		if err := r.runWork(w, steps[w.from:w.to]); err != nil {
			return err
		}
		done = w.to
	}
	return nil
}

// runWork runs one piece.
func (r *runner) runWork(w *work, steps []Step) error {
	d := r.device
	if w.recording == nil {
		var err error
		if w.recording, err = d.host.Record(steps); err != nil {
			return err
		}
	}
	start := time.Now()
	times, err := d.host.Run(w.recording)
	if err != nil {
		return err
	}
	var took time.Duration
	for i, t := range times {
		r.stats.Stage[i] += t
		took += t
	}
	if took == 0 {
		took = time.Since(start)
	}
	w.took = took
	d.learn(steps, took)
	return nil
}

// learn moves the device's rate towards what a piece showed, by at most a factor of four at a time: what the next piece
// does may be of another kind. A piece that is over soon shows that more is possible, but not that less is: what it
// took was spent on starting.
func (d *Device) learn(steps []Step, took time.Duration) {
	var work float64
	for i := range steps {
		work += steps[i].Call.Work
	}
	if took <= 0 || work <= 0 {
		return
	}
	switch shown := work / took.Seconds(); {
	case shown > d.rate:
		d.rate = min(4*d.rate, shown)
	case took >= telling:
		d.rate = max(slowest, d.rate/4, shown)
	}
}
