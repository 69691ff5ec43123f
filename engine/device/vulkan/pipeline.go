package vulkan

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"greenroom/engine/device/kernels"
)

// pipelines is the kernels compiled for the device.
type pipelines struct {
	cache   pipelineCache
	file    string // where the cache is kept; empty for nowhere
	grown   bool
	byName  map[string]*compiled
	layouts map[signature]layout
}

// signature is what kernels of one layout share: how many buffers they bind and the bytes of their push constants.
type signature struct{ bindings, push int }

// layout is a signature as the driver knows it.
type layout struct {
	set    descriptorSetLayout
	layout pipelineLayout
}

// compiled is a kernel that can run.
type compiled struct {
	pipeline pipeline
	layout
	bindings int
}

// maxCacheFile bounds what is read from disk; all kernels together take a few megabytes.
const maxCacheFile = 64 << 20

// openPipelines reads the kernels that were compiled at an earlier start, as far as they are for this driver and
// these sources; the driver itself checks the rest.
func (h *Host) openPipelines(folder string) error {
	h.pipelines = pipelines{byName: make(map[string]*compiled), layouts: make(map[signature]layout)}
	var data []byte
	if folder != "" {
		h.pipelines.file = filepath.Join(folder, h.cacheName())
		data = readUpTo(h.pipelines.file, maxCacheFile)
	}
	info := pipelineCacheCreateInfo{sType: typePipelineCacheCreateInfo, size: uint(len(data))}
	if len(data) > 0 {
		info.data = &data[0]
	}
	return failed("open the pipeline cache", h.CreatePipelineCache(h.device, &info, nil, &h.pipelines.cache))
}

// cacheName is the name of the cache's file: one a device, driver and set of kernels.
func (h *Host) cacheName() string {
	sum := sha256.New()
	id := &h.found.id
	fmt.Fprintf(sum, "%x %x %x %x\n", id.deviceUUID, id.driverUUID, h.found.properties.driverVersion, h.found.properties.pipelineCacheUUID)
	for _, k := range h.set.All() {
		fmt.Fprintf(sum, "%s %d\n", k.Name, len(k.SPIRV))
		sum.Write(k.SPIRV)
	}
	return fmt.Sprintf("vulkan-%x.pipelines", sum.Sum(nil)[:16])
}

// readUpTo reads a file of at most n bytes; nil stands for one that is larger or cannot be read.
func readUpTo(name string, n int64) []byte {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, n+1))
	if err != nil || int64(len(data)) > n {
		return nil
	}
	return data
}

// savePipelines keeps what was compiled for the next start. Failing to costs only time then.
func (h *Host) savePipelines() error {
	p := &h.pipelines
	if p.file == "" || !p.grown {
		return nil
	}
	var n uint
	if err := failed("size the pipeline cache", h.GetPipelineCacheData(h.device, p.cache, &n, nil)); err != nil || n == 0 {
		return err
	}
	data := make([]byte, n)
	if err := failed("read the pipeline cache", h.GetPipelineCacheData(h.device, p.cache, &n, &data[0])); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(p.file), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(p.file), "pipelines-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data[:n])
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), p.file)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// compile returns a kernel ready to run, compiling it on first use.
func (h *Host) compile(name string) (*compiled, error) {
	if c, ok := h.pipelines.byName[name]; ok {
		return c, nil
	}
	k, ok := h.set.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("there is no kernel %s", name)
	}
	l, err := h.layout(signature{k.Bindings, k.Push})
	if err != nil {
		return nil, err
	}
	module := shaderModuleCreateInfo{sType: typeShaderModuleCreateInfo, size: uint(len(k.SPIRV)), code: &k.SPIRV[0]}
	var m shaderModule
	if err := failed("read kernel "+name, h.CreateShaderModule(h.device, &module, nil, &m)); err != nil {
		return nil, err
	}
	defer h.DestroyShaderModule(h.device, m, nil)
	info := computePipelineCreateInfo{
		sType: typeComputePipelineCreateInfo, layout: l.layout, baseIndex: -1,
		stage: shaderStageCreateInfo{
			sType: typePipelineShaderStageCreateInfo, stage: shaderStageCompute, module: m, name: text("main"),
		},
	}
	c := &compiled{layout: l, bindings: k.Bindings}
	result := h.CreateComputePipelines(h.device, h.pipelines.cache, 1, &info, nil, &c.pipeline)
	if err := failed("compile kernel "+name, result); err != nil {
		return nil, err
	}
	h.pipelines.byName[name] = c
	h.pipelines.grown = true
	return c, nil
}

// layout returns the layout of kernels of a signature. Bindings start at 1.
func (h *Host) layout(s signature) (layout, error) {
	if l, ok := h.pipelines.layouts[s]; ok {
		return l, nil
	}
	if s.push > kernels.MaxPush || s.bindings < 1 {
		return layout{}, fmt.Errorf("a kernel of %d bindings and %d bytes of push constants", s.bindings, s.push)
	}
	bindings := make([]descriptorSetLayoutBinding, s.bindings)
	for i := range bindings {
		bindings[i] = descriptorSetLayoutBinding{
			binding: uint32(i + 1), descriptorType: descriptorStorage, count: 1, stages: shaderStageCompute,
		}
	}
	set := descriptorSetLayoutCreateInfo{
		sType: typeDescriptorSetLayoutCreateInfo, count: uint32(len(bindings)), bindings: &bindings[0],
	}
	if h.push {
		set.flags = setLayoutPush
	}
	var l layout
	if err := failed("lay out bindings", h.CreateDescriptorSetLayout(h.device, &set, nil, &l.set)); err != nil {
		return layout{}, err
	}
	info := pipelineLayoutCreateInfo{sType: typePipelineLayoutCreateInfo, setCount: 1, sets: &l.set}
	if s.push > 0 {
		info.rangeCount, info.ranges = 1, &pushConstantRange{stages: shaderStageCompute, size: uint32(s.push)}
	}
	if err := failed("lay out a pipeline", h.CreatePipelineLayout(h.device, &info, nil, &l.layout)); err != nil {
		h.DestroyDescriptorSetLayout(h.device, l.set, nil)
		return layout{}, err
	}
	h.pipelines.layouts[s] = l
	return l, nil
}

// closePipelines keeps what was compiled and frees it.
func (h *Host) closePipelines() {
	p := &h.pipelines
	if p.cache != 0 {
		// Without the file the next start compiles again, which is no reason to fail the end of this one.
		_ = h.savePipelines()
	}
	for _, c := range p.byName {
		h.DestroyPipeline(h.device, c.pipeline, nil)
	}
	for _, l := range p.layouts {
		h.DestroyPipelineLayout(h.device, l.layout, nil)
		h.DestroyDescriptorSetLayout(h.device, l.set, nil)
	}
	if p.cache != 0 {
		h.DestroyPipelineCache(h.device, p.cache, nil)
	}
	*p = pipelines{}
}
