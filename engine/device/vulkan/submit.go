package vulkan

import (
	"fmt"
	"time"

	"greenroom/engine/device"
)

// patience is how long a piece of work may take. Work is divided to take a fraction of a second, so that a GPU
// that needs this long does not work any more.
const patience = 60 * time.Second

// commands returns a new command buffer.
func (h *Host) commands() (commandBuffer, error) {
	info := commandBufferAllocateInfo{sType: typeCommandBufferAllocateInfo, pool: h.pool, count: 1}
	var c commandBuffer
	return c, failed("make room for commands", h.AllocateCommandBuffers(h.device, &info, &c))
}

// begin starts writing commands.
func (h *Host) begin(c commandBuffer, flags uint32) error {
	info := commandBufferBeginInfo{sType: typeCommandBufferBeginInfo, flags: flags}
	return failed("begin commands", h.BeginCommandBuffer(c, &info))
}

// barrier lets what follows see everything that kernels and copies wrote before, and keeps it from writing over
// what they still read.
func (h *Host) barrier(c commandBuffer) {
	b := memoryBarrier{
		sType: typeMemoryBarrier, from: accessShaderWrite | accessTransferOut,
		to: accessShaderRead | accessShaderWrite | accessTransferIn | accessTransferOut,
	}
	h.CmdPipelineBarrier(c, stageCompute|stageTransfer, stageCompute|stageTransfer, 0, 1, &b, 0, nil, 0, nil)
}

// publish lets the processor see what was written.
func (h *Host) publish(c commandBuffer) {
	b := memoryBarrier{sType: typeMemoryBarrier, from: accessShaderWrite | accessTransferOut, to: accessHostRead}
	h.CmdPipelineBarrier(c, stageCompute|stageTransfer, stageHost, 0, 1, &b, 0, nil, 0, nil)
}

// submit runs commands and waits until they are done.
func (h *Host) submit(c commandBuffer) error {
	info := submitInfo{sType: typeSubmitInfo, bufferCount: 1, buffers: &c}
	if err := failed("start work on the GPU", h.QueueSubmit(h.queue, 1, &info, h.fence)); err != nil {
		return err
	}
	switch result := h.WaitForFences(h.device, 1, &h.fence, 1, uint64(patience)); {
	case result == resultTimeout:
		h.hung = true
		return fmt.Errorf("wait for the GPU: no answer in %s: %w", patience, device.ErrLost)
	case result < 0:
		return failed("wait for the GPU", result)
	}
	return failed("reset a fence", h.ResetFences(h.device, 1, &h.fence))
}
