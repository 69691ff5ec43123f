package engine

import (
	"context"
	"image"
	"time"

	"greenroom/engine/picture"
)

// Phase is what a job is doing.
type Phase string

const (
	// PhaseLoad builds the program and brings it to the device.
	PhaseLoad Phase = "load"
	// PhaseKey runs the network: one event when it begins, with Tile 0, and one for each finished tile.
	PhaseKey Phase = "key"
	// PhaseRefine runs the refiner over the whole frame, with Refine "frame": one event when it begins.
	PhaseRefine Phase = "refine"
	// PhaseRetry says that the job begins again with other settings, and in Note why.
	PhaseRetry Phase = "retry"
)

// Event is a step of a job.
type Event struct {
	Phase Phase
	// Tile counts the finished tiles, of Tiles in all. After a retry it begins at 0 again.
	Tile, Tiles int
	// Rect is the finished tile on the plate, in the plate's pixels.
	Rect image.Rectangle
	// Matte and FG are the finished tile's pixels before blending, as in Result, of Rect's size; empty unless
	// the job asks for a preview. With Refine "frame" they are made of the coarse logits. They are the receiver's.
	Matte, FG picture.Image
	// Left is the time that the remaining tiles and the refiner will take, from the time of the tiles before;
	// negative while nothing is known.
	Left time.Duration
	// Bytes is the memory in use, counted as Result.PeakBytes is.
	Bytes int64
	// Note explains a retry: what went wrong and what is done about it.
	Note string
}

// Ticket is a job that was handed in.
type Ticket struct {
	job    Job
	ctx    context.Context
	cancel context.CancelCauseFunc
	events chan Event
	done   chan struct{}
	result *Result
	err    error
}

// newTicket returns the ticket of a job with room for that many events.
func newTicket(ctx context.Context, j Job, events int) *Ticket {
	t := &Ticket{job: j, events: make(chan Event, events), done: make(chan struct{})}
	t.ctx, t.cancel = context.WithCancelCause(ctx)
	return t
}

// mostEvents bounds the events of a valid job: at most five attempts (the first; one on the processor; one with each tile
// refined by itself; one at a smaller tile; one in float32), each with a retry or load event, a beginning, its tiles, and the refiner.
func mostEvents(j Job) int {
	w, h := j.Plate.RGB.W, j.Plate.RGB.H
	tiles := layout(w, h, j.Settings).Len()
	if j.Check != nil {
		tiles = layout(w, h, j.Check.Used).Shifted().Len()
	}
	if smaller, ok := smallerTile(w, h, j.Settings); ok {
		tiles = max(tiles, layout(w, h, smaller).Len())
	}
	return 5 * (tiles + 4)
}

// Events returns the job's events in order; the channel is closed when the job has ended. It holds all that
// the job can send, so that the engine never waits for a reader and no event is lost, whether it is read at
// once, later or never. With Preview, unread events keep their tiles' pixels.
func (t *Ticket) Events() <-chan Event { return t.events }

// Wait waits for the job to end and returns its result. A cancelled job returns the cause of it, and with
// it, where tiles had been finished, a partial result: those tiles at full strength and 0 elsewhere (but not with a
// frame, whose result would first have to be resized, and not with Refine "frame", where nothing is done before all is).
func (t *Ticket) Wait() (*Result, error) {
	<-t.done
	return t.result, t.err
}

// Done is closed when the job has ended.
func (t *Ticket) Done() <-chan struct{} { return t.done }

// Cancel abandons the job: at once where it is still queued, otherwise inside the tile in flight (see
// device.Runner). It does not wait. Cancelling an ended job does nothing.
func (t *Ticket) Cancel() { t.cancel(context.Canceled) }

// send posts an event. The channel has room for all of them; should a device ever make that untrue, the
// event is dropped rather than the engine stopped.
func (t *Ticket) send(e Event) {
	select {
	case t.events <- e:
	default:
	}
}

// finish ends the job.
func (t *Ticket) finish(r *Result, err error) {
	t.result, t.err = r, err
	close(t.events)
	close(t.done)
	t.cancel(nil)
}
