package app

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"greenroom/engine"
	"greenroom/engine/imageio"
	"greenroom/engine/imageio/exr"
	"greenroom/engine/picture"
	"greenroom/engine/settings"
)

// variantCache are the variants of all plates with their files: a folder for each, with what the network made in floats
// of 32 bits and a description, which is written last: rounded to half floats, pixels cross the thresholds of edge extend
// and despeckle, and the key that comes back is visibly another. Its methods may be called from any goroutine.
type variantCache struct {
	// folder is where they lie; most is how many bytes all of them may take.
	folder string
	most   int64

	// read makes sure that the folder has been read.
	read func()

	// noting is held while a description is written anew.
	noting sync.Mutex

	mu sync.Mutex
	// list are all variants, the oldest first.
	list []Variant
}

// mostCached is how many bytes variants may take on the disk.
const mostCached = 2 << 30

// The files of a variant.
const (
	variantPicture = "key.exr"    // R, G, B: the foreground as the network has it; A: the matte
	variantCoarse  = "coarse.exr" // A, R, G, B: the logits before the refiner
	variantThumb   = "thumb.png"
	variantText    = "key.toml"
)

// variantNames matches the names of variants' folders.
var variantNames = regexp.MustCompile(`^key-[0-9a-f]{24}$`)

func newVariantName() string {
	var b [12]byte
	rand.Read(b[:])
	return "key-" + hex.EncodeToString(b[:])
}

// openVariants returns the cache in a folder. The folder is read when it is needed first.
func openVariants(folder string, most int64) *variantCache {
	c := &variantCache{folder: folder, most: most}
	c.read = sync.OnceFunc(c.load)
	return c
}

// load reads which variants there are, and removes what is broken or too much. A folder that cannot be read is an empty
// cache.
func (c *variantCache) load() {
	folder := c.folder
	entries, _ := os.ReadDir(folder)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range entries {
		if !e.IsDir() || !variantNames.MatchString(e.Name()) {
			continue
		}
		v, err := readVariant(filepath.Join(folder, e.Name()), e.Name())
		if err != nil {
			// One without a description may be in the making, by another window.
			if info, statErr := e.Info(); statErr == nil && (!errors.Is(err, os.ErrNotExist) || time.Since(info.ModTime()) > time.Hour) {
				os.RemoveAll(filepath.Join(folder, e.Name()))
			}
			continue
		}
		c.list = append(c.list, v)
	}
	slices.SortStableFunc(c.list, func(a, b Variant) int { return a.Made.Compare(b.Made) })
	c.shed("")
}

// of returns the variants of a plate, the last first.
func (c *variantCache) of(plate string) []Variant {
	c.read()
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []Variant
	for _, v := range slices.Backward(c.list) {
		if v.cause.plate == plate {
			list = append(list, v)
		}
	}
	return list
}

// add puts a variant among the others, in place of one that is the same key.
func (c *variantCache) add(v Variant) {
	c.read()
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, o := range c.list {
		if o.cause == v.cause {
			c.drop(i)
			break
		}
	}
	c.list = append(c.list, v)
	count := 0
	for i := len(c.list) - 1; i >= 0; i-- {
		if c.list[i].cause.plate == v.cause.plate {
			if count++; count > mostVariants {
				c.drop(i)
			}
		}
	}
}

// written notes that the files of a variant are there, and makes room for them. It reports whether more became known of
// the variant while they were written than they say.
func (c *variantCache) written(name string, bytes int64) (more bool) {
	c.read()
	c.mu.Lock()
	defer c.mu.Unlock()
	i := c.index(name)
	if i < 0 {
		// It was dropped while it was being written.
		os.RemoveAll(filepath.Join(c.folder, name))
		return false
	}
	c.list[i].bytes, c.list[i].held = bytes, nil
	more = c.list[i].Check != nil
	c.shed(name)
	return more
}

// shed drops the oldest variants, but not the one that is named, until all take no more than they may.
func (c *variantCache) shed(but string) {
	total := int64(0)
	for _, v := range c.list {
		total += v.bytes
	}
	for i := 0; i < len(c.list) && total > c.most; {
		if v := c.list[i]; v.bytes == 0 || v.Name == but {
			i++
			continue
		}
		total -= c.list[i].bytes
		c.drop(i)
	}
}

// drop takes a variant out, with its files.
func (c *variantCache) drop(i int) {
	os.RemoveAll(filepath.Join(c.folder, c.list[i].Name))
	c.list = slices.Delete(slices.Clone(c.list), i, i+1)
}

// remove drops a variant, if it is there.
func (c *variantCache) remove(name string) {
	c.read()
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := c.index(name); i >= 0 {
		c.drop(i)
	}
}

func (c *variantCache) index(name string) int {
	return slices.IndexFunc(c.list, func(v Variant) bool { return v.Name == name })
}

// has reports whether there is a key of a cause.
func (c *variantCache) has(of cause) bool {
	c.read()
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.list, func(v Variant) bool { return v.cause == of })
}

// seen notes how a variant was seen last.
func (c *variantCache) seen(ctx context.Context, name string, by settings.Choices) {
	c.note(ctx, name, func(v *Variant) { v.Choices = by })
}

// note alters a variant, and its description if that was written.
func (c *variantCache) note(ctx context.Context, name string, alter func(*Variant)) {
	c.read()
	// The description that is written last is to be that of now.
	c.noting.Lock()
	defer c.noting.Unlock()
	c.mu.Lock()
	i := c.index(name)
	if i < 0 {
		c.mu.Unlock()
		return
	}
	alter(&c.list[i])
	v := c.list[i]
	c.mu.Unlock()
	if v.bytes > 0 {
		// That it cannot be written is no loss: the description before is there.
		_ = writeVariant(ctx, filepath.Join(c.folder, name), v)
	}
}

// readThumbs reads the thumbnails of a plate's variants.
func (c *variantCache) readThumbs(plate string) {
	for _, v := range c.of(plate) {
		if v.Thumb != nil {
			continue
		}
		thumb, err := readThumb(filepath.Join(c.folder, v.Name, variantThumb))
		if err != nil {
			c.remove(v.Name)
			continue
		}
		c.mu.Lock()
		if i := c.index(v.Name); i >= 0 {
			c.list[i].Thumb = thumb
		}
		c.mu.Unlock()
	}
}

// write writes the files of a variant and returns how large they are. On an error none is left.
func (c *variantCache) write(ctx context.Context, v Variant) (bytes int64, err error) {
	folder := filepath.Join(c.folder, v.Name)
	defer func() {
		if err != nil {
			os.RemoveAll(folder)
		}
	}()
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return 0, err
	}
	r := v.held
	channels := map[string]func(io.WriteSeeker) error{
		variantPicture: func(f io.WriteSeeker) error {
			return exr.Write(f, exr.Output{W: r.Matte.W, H: r.Matte.H, Type: exr.Float, Channels: []exr.Samples{
				samples("R", r.FG, 0), samples("G", r.FG, 1), samples("B", r.FG, 2), samples("A", r.Matte, 0),
			}})
		},
		variantThumb: func(f io.WriteSeeker) error { return png.Encode(f, v.Thumb) },
	}
	if !r.Coarse.Empty() {
		channels[variantCoarse] = func(f io.WriteSeeker) error {
			return exr.Write(f, exr.Output{W: r.Coarse.W, H: r.Coarse.H, Type: exr.Float, Channels: []exr.Samples{
				samples("A", r.Coarse, 0), samples("R", r.Coarse, 1), samples("G", r.Coarse, 2), samples("B", r.Coarse, 3),
			}})
		}
	}
	for name, write := range channels {
		if err := imageio.Replace(ctx, filepath.Join(folder, name), write); err != nil {
			return 0, err
		}
	}
	if err := writeVariant(ctx, folder, v); err != nil {
		return 0, err
	}
	return folderBytes(folder), nil
}

// samples gives the rows of a channel of an image.
func samples(name string, m picture.Image, c int) exr.Samples {
	return exr.Samples{Name: name, Row: func(dst []float32, y int) {
		row := m.Row(y)
		for x := range dst {
			dst[x] = row[m.C*x+c]
		}
	}}
}

// folderBytes returns how large the files in a folder are.
func folderBytes(folder string) (bytes int64) {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// result returns what the network made of a plate of w x h pixels.
func (c *variantCache) result(ctx context.Context, v Variant, w, h int) (*engine.Result, error) {
	result := v.Result
	if v.held != nil {
		result.Matte, result.FG, result.Coarse = v.held.Matte, v.held.FG, v.held.Coarse
		return &result, nil
	}
	if v.width != w || v.height != h {
		return nil, errors.New("it is of another size than the plate")
	}
	folder := filepath.Join(c.folder, v.Name)
	result.Matte, result.FG = picture.New(w, h, 1), picture.New(w, h, 3)
	err := readPlanes(ctx, filepath.Join(folder, variantPicture), map[string]picturePlane{
		"R": {result.FG, 0}, "G": {result.FG, 1}, "B": {result.FG, 2}, "A": {result.Matte, 0},
	})
	if err != nil {
		return nil, err
	}
	if v.coarse == [2]int{} {
		return &result, nil
	}
	result.Coarse = picture.New(v.coarse[0], v.coarse[1], 4)
	err = readPlanes(ctx, filepath.Join(folder, variantCoarse), map[string]picturePlane{
		"A": {result.Coarse, 0}, "R": {result.Coarse, 1}, "G": {result.Coarse, 2}, "B": {result.Coarse, 3},
	})
	if err != nil {
		return nil, err
	}
	return &result, nil
}

// picturePlane is a channel of an image.
type picturePlane struct {
	picture.Image
	c int
}

// readPlanes reads a picture of the size of the planes. Whatever else a file says of itself is an error.
func readPlanes(ctx context.Context, path string, planes map[string]picturePlane) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("its picture is gone: %w", errors.Unwrap(err))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	file, err := exr.Open(f, info.Size())
	if err != nil {
		return err
	}
	if len(file.Parts) != 1 || len(file.Parts[0].Channels) != len(planes) || file.Parts[0].Data != file.Parts[0].Display {
		return errors.New("its picture is another one")
	}
	var into []exr.Destination
	for i, channel := range file.Parts[0].Channels {
		plane, ok := planes[channel.Name]
		if !ok || channel.Type != exr.Float {
			return errors.New("its picture is another one")
		}
		into = append(into, exr.Destination{Channel: i, Image: plane.Image, Component: plane.c})
	}
	// Read holds the file's size against the planes'.
	broken, err := file.Read(ctx, 0, into)
	if err == nil && broken > 0 {
		err = errors.New("its picture holds numbers that are not finite")
	}
	return err
}
