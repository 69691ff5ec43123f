//go:build darwin || linux

package metal

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"greenroom/engine/device"
	"greenroom/engine/device/gpu"
	"greenroom/engine/device/kernels"
)

// ErrNoDevice says that Metal finds no GPU.
var ErrNoDevice = errors.New("no GPU that Metal can use was found")

// Host is a GPU as Metal gives it. It implements gpu.Host.
type Host struct {
	objc     *objc
	device   object // +1
	queue    object // +1
	info     device.Info
	identity string
	limits   gpu.Limits // Memory is asked for anew each time

	lookup    func(name string) (kernels.Kernel, bool)
	pipelines map[string]pipeline
	buffers   map[*buffer]bool
	lost      error // why the GPU cannot be used any more; nil while it can
}

// families are the GPU families that are worth naming, with Apple's numbers for them (MTLGPUFamily), newest last.
var families = []struct {
	number int
	name   string
}{{2002, "Mac2"}, {1007, "Apple7"}, {1008, "Apple8"}, {1009, "Apple9"}, {1010, "Apple10"}, {5001, "Metal3"}, {5002, "Metal4"}}

const (
	// bindAlign is what buffer offsets are a multiple of on every Mac.
	bindAlign = 256
	// mostColumns keeps the number of a thread along the first axis within 32 bits in groups of up to 1024.
	mostColumns = 1<<22 - 1
)

// open opens the default device through the given libraries. lookup finds kernels; nil takes the embedded ones.
func open(l libraries, lookup func(string) (kernels.Kernel, bool)) (*Host, error) {
	if lookup == nil {
		all, err := kernels.Open()
		if err != nil {
			return nil, err
		}
		lookup = all.Lookup
	}
	o, err := load(l)
	if err != nil {
		return nil, fmt.Errorf("open Metal: %w", err)
	}
	h := &Host{objc: o, lookup: lookup, pipelines: make(map[string]pipeline), buffers: make(map[*buffer]bool)}
	err = h.pooled(func() error {
		if h.device = o.createDevice(); h.device == 0 {
			return ErrNoDevice
		}
		if h.queue = o.get(h.device, o.selectors[msgNewCommandQueue]); h.queue == 0 {
			return errors.New("the GPU takes no commands: Metal gives no queue")
		}
		h.describe()
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// describe asks the device what it is and can do.
func (h *Host) describe() {
	o := h.objc
	h.info = device.Info{Kind: "metal", Name: h.text(o.get(h.device, o.selectors[msgName]))}
	for _, f := range families {
		if o.getBoolFor(h.device, o.selectors[msgSupportsFamily], f.number) {
			h.info.Features = append(h.info.Features, f.name)
		}
	}
	process := o.get(o.class("NSProcessInfo"), o.selectors[msgProcessInfo])
	system := h.text(o.get(process, o.selectors[msgOperatingSystemVersionString]))
	// The driver is part of the system, so that the system's version names it. The number of the device tells two of
	// a kind apart, and is another after every start: it is left out.
	h.identity = strings.Join([]string{"metal", h.info.Name, "macOS " + system, strings.Join(h.info.Features, "+")}, ", ")
	longest := int64(o.getUint(h.device, o.selectors[msgMaxBufferLength]))
	h.limits = gpu.Limits{
		Total:         int64(o.getUint(h.device, o.selectors[msgRecommendedMaxWorkingSetSize])),
		MaxAllocation: longest,
		MaxBinding:    longest,
		Align:         bindAlign,
		Shared:        int(o.getUint(h.device, o.selectors[msgMaxThreadgroupMemoryLength])),
		Groups:        [3]uint32{mostColumns, kernels.MaxGroups, kernels.MaxGroups},
		Unified:       o.getBool(h.device, o.selectors[msgHasUnifiedMemory]),
	}
}

// pooled does a piece of work on one thread with an autorelease pool around it: what Metal hands out on loan, such as
// command buffers and texts, lives in the pool of its thread until that is drained, and without one for ever.
func (h *Host) pooled(work func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	o := h.objc
	pool := o.get(o.get(o.class("NSAutoreleasePool"), o.selectors[msgAlloc]), o.selectors[msgInit])
	defer o.send(pool, o.selectors[msgDrain])
	return work()
}

// text copies an NSString; nil is empty.
func (h *Host) text(s object) string {
	if s == 0 {
		return ""
	}
	return h.objc.getText(s, h.objc.selectors[msgUTF8String])
}

// string makes an NSString that the pool around it owns.
func (h *Host) string(s string) object {
	return h.objc.getFromText(h.objc.class("NSString"), h.objc.selectors[msgStringWithUTF8String], s)
}

// problem puts an NSError into words; nil says nothing more.
func (h *Host) problem(e object) string {
	if e == 0 {
		return "Metal does not say why"
	}
	return strings.TrimSpace(h.text(h.objc.get(e, h.objc.selectors[msgLocalizedDescription])))
}

// release gives up an object that the host owns; nil is left alone.
func (h *Host) release(o object) { h.objc.send(o, h.objc.selectors[msgRelease]) }

// Info implements gpu.Host.
func (h *Host) Info() device.Info { return h.info }

// Identity implements gpu.Host.
func (h *Host) Identity() string { return h.identity }

// Limits implements gpu.Host. Total is the working set that Metal advises, and Memory what is left of it.
func (h *Host) Limits() gpu.Limits {
	l := h.limits
	if l.Total > 0 {
		l.Memory = max(l.Total-int64(h.objc.getUint(h.device, h.objc.selectors[msgCurrentAllocatedSize])), 0)
	}
	return l
}

// Close implements gpu.Host. Nothing is running: Run waits. Closing twice does nothing.
func (h *Host) Close() error {
	return h.pooled(func() error {
		for b := range h.buffers {
			h.free(b)
		}
		for name, p := range h.pipelines {
			h.release(p.state)
			delete(h.pipelines, name)
		}
		h.release(h.queue)
		h.release(h.device)
		h.queue, h.device = 0, 0
		h.lost = errors.New("the device is closed")
		return nil
	})
}
