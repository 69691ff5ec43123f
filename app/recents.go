package app

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"image"
	"image/png"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"greenroom/engine/imageio"
)

// recentLook is what is known of a plate that was open before.
type recentLook struct {
	// thumb is nil where none was kept; gone says that its file is not there any more.
	thumb image.Image
	gone  bool
}

// thumbsKept is of how many plates thumbnails are kept.
const thumbsKept = 64

// thumbPath is where a plate's thumbnail is kept.
func (w *Workspace) thumbPath(plate string) string {
	sum := sha256.Sum256([]byte(plate))
	return filepath.Join(w.thumbs, hex.EncodeToString(sum[:16])+".png")
}

// keepThumb keeps a plate's thumbnail for the list of recent plates. That it cannot is no loss.
func (w *Workspace) keepThumb(plate *Plate) {
	if w.thumbs == "" || plate.Path == "" || os.MkdirAll(w.thumbs, 0o777) != nil {
		return
	}
	err := imageio.Replace(w.ctx, w.thumbPath(plate.Path), func(f io.WriteSeeker) error { return png.Encode(f, plate.Thumb) })
	if err == nil {
		dropOldest(w.thumbs, ".png", thumbsKept)
	}
}

// lookAtRecents finds out which of the recent plates are still there, and what they look like. Each is looked at by itself:
// a network share may never answer.
func (w *Workspace) lookAtRecents() {
	for _, path := range w.State().Recents {
		w.reading.Go(func() {
			var look recentLook
			_, err := os.Stat(path)
			look.gone = errors.Is(err, fs.ErrNotExist)
			if w.thumbs != "" {
				look.thumb, _ = readThumb(w.thumbPath(path))
			}
			w.change(func(s *State) {
				next := maps.Clone(s.recentLooks)
				if next == nil {
					next = map[string]recentLook{}
				}
				next[path] = look
				s.recentLooks = next
			})
		})
	}
}
