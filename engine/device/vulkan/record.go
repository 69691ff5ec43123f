package vulkan

import (
	"fmt"
	"time"

	"greenroom/engine/device/gpu"
	"greenroom/engine/program"
)

// recording is a command buffer that runs steps, with timestamps where the stage changes.
type recording struct {
	commands commandBuffer
	sets     descriptorPool // where descriptors cannot be pushed
	queries  queryPool      // where the queue tells the time
	stages   []program.Stage
	work     [program.Stages]float64
}

// Record implements gpu.Host.
func (h *Host) Record(steps []gpu.Step) (gpu.Recording, error) {
	r := &recording{}
	if err := h.record(r, steps); err != nil {
		h.Release(r)
		return nil, err
	}
	return r, nil
}

func (h *Host) record(r *recording, steps []gpu.Step) error {
	kernels := make([]*compiled, len(steps))
	bindings := 0
	for i := range steps {
		k, err := h.compile(steps[i].Call.Kernel)
		if err != nil {
			return err
		}
		if k.bindings != len(steps[i].Bindings) {
			return fmt.Errorf("kernel %s binds %d buffers, not %d", steps[i].Call.Kernel, k.bindings, len(steps[i].Bindings))
		}
		kernels[i] = k
		bindings += k.bindings
		r.work[steps[i].Stage] += steps[i].Call.Work
		if n := len(r.stages); n == 0 || r.stages[n-1] != steps[i].Stage {
			r.stages = append(r.stages, steps[i].Stage)
		}
	}
	if err := h.prepare(r, len(steps), bindings); err != nil {
		return err
	}
	if err := h.begin(r.commands, 0); err != nil {
		return err
	}
	if r.queries != 0 {
		h.CmdResetQueryPool(r.commands, r.queries, 0, uint32(len(r.stages)+1))
	}
	stamp := uint32(0)
	for i := range steps {
		if i == 0 || !steps[i].Beside {
			h.barrier(r.commands)
		}
		if i == 0 || steps[i].Stage != steps[i-1].Stage {
			h.stamp(r, &stamp)
		}
		if err := h.dispatch(r, kernels[i], &steps[i]); err != nil {
			return err
		}
	}
	h.publish(r.commands)
	h.stamp(r, &stamp)
	return failed("end commands", h.EndCommandBuffer(r.commands))
}

// prepare takes what a recording needs of the driver.
func (h *Host) prepare(r *recording, steps, bindings int) error {
	var err error
	if r.commands, err = h.commands(); err != nil {
		return err
	}
	if !h.push && steps > 0 {
		size := descriptorPoolSize{descriptorType: descriptorStorage, count: uint32(bindings)}
		info := descriptorPoolCreateInfo{sType: typeDescriptorPoolCreateInfo, maxSets: uint32(steps), sizeCount: 1, sizes: &size}
		if err := failed("make room for descriptors", h.CreateDescriptorPool(h.device, &info, nil, &r.sets)); err != nil {
			return err
		}
	}
	if h.found.timestamps == 0 {
		return nil
	}
	info := queryPoolCreateInfo{sType: typeQueryPoolCreateInfo, queryType: queryTimestamp, count: uint32(len(r.stages) + 1)}
	return failed("make room for times", h.CreateQueryPool(h.device, &info, nil, &r.queries))
}

// stamp takes the time when all before is done.
func (h *Host) stamp(r *recording, next *uint32) {
	if r.queries != 0 {
		h.CmdWriteTimestamp(r.commands, stageBottom, r.queries, *next)
		*next++
	}
}

// dispatch writes one step.
func (h *Host) dispatch(r *recording, k *compiled, s *gpu.Step) error {
	h.CmdBindPipeline(r.commands, bindPointCompute, k.pipeline)
	writes := make([]writeDescriptorSet, len(s.Bindings))
	for i, b := range s.Bindings {
		writes[i] = writeDescriptorSet{
			sType: typeWriteDescriptorSet, binding: uint32(i + 1), count: 1, descriptorType: descriptorStorage,
			buffers: &descriptorBufferInfo{
				buffer: b.Buffer.(*memory).buffer, offset: uint64(b.Offset), bytes: uint64(b.Bytes),
			},
		}
	}
	if h.push {
		h.CmdPushDescriptorSetKHR(r.commands, bindPointCompute, k.layout.layout, 0, uint32(len(writes)), &writes[0])
	} else if err := h.bindSet(r, k, writes); err != nil {
		return err
	}
	if len(s.Call.Push) > 0 {
		h.CmdPushConstants(r.commands, k.layout.layout, shaderStageCompute, 0, uint32(len(s.Call.Push)), &s.Call.Push[0])
	}
	h.CmdDispatch(r.commands, s.Call.Groups[0], s.Call.Groups[1], s.Call.Groups[2])
	return nil
}

// bindSet binds descriptors through a set of the recording's own.
func (h *Host) bindSet(r *recording, k *compiled, writes []writeDescriptorSet) error {
	info := descriptorSetAllocateInfo{sType: typeDescriptorSetAllocateInfo, pool: r.sets, count: 1, layouts: &k.set}
	var set descriptorSet
	if err := failed("take a descriptor set", h.AllocateDescriptorSets(h.device, &info, &set)); err != nil {
		return err
	}
	for i := range writes {
		writes[i].set = set
	}
	h.UpdateDescriptorSets(h.device, uint32(len(writes)), &writes[0], 0, nil)
	h.CmdBindDescriptorSets(r.commands, bindPointCompute, k.layout.layout, 0, 1, &set, 0, nil)
	return nil
}

// Run implements gpu.Host.
func (h *Host) Run(rec gpu.Recording) ([program.Stages]time.Duration, error) {
	r := rec.(*recording)
	start := time.Now()
	if err := h.submit(r.commands); err != nil {
		return [program.Stages]time.Duration{}, err
	}
	return h.times(r, time.Since(start))
}

// times reads how long each stage took; without timestamps it shares out the time that passed by work.
func (h *Host) times(r *recording, passed time.Duration) (times [program.Stages]time.Duration, err error) {
	if r.queries == 0 {
		var all float64
		for _, w := range r.work {
			all += w
		}
		for i, w := range r.work {
			if all > 0 {
				times[i] = time.Duration(float64(passed) * w / all)
			}
		}
		return times, nil
	}
	ticks := make([]uint64, len(r.stages)+1)
	result := h.GetQueryPoolResults(h.device, r.queries, 0, uint32(len(ticks)), uint(8*len(ticks)), &ticks[0], 8, queryResult64|queryResultWait)
	if err := failed("read times", result); err != nil {
		return times, err
	}
	mask := ^uint64(0) >> (64 - min(h.found.timestamps, 64))
	period := float64(h.found.properties.limits.timestampPeriod)
	for i, s := range r.stages {
		times[s] += time.Duration(float64((ticks[i+1]-ticks[i])&mask) * period)
	}
	return times, nil
}

// Release implements gpu.Host.
func (h *Host) Release(rec gpu.Recording) {
	r := rec.(*recording)
	if h.hung {
		return
	}
	if r.commands != 0 {
		h.FreeCommandBuffers(h.device, h.pool, 1, &r.commands)
	}
	if r.sets != 0 {
		h.DestroyDescriptorPool(h.device, r.sets, nil)
	}
	if r.queries != 0 {
		h.DestroyQueryPool(h.device, r.queries, nil)
	}
	*r = recording{}
}
