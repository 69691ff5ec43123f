//go:build darwin || linux

package metal

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
)

// libraries are the paths of what the host calls.
type libraries struct{ objc, foundation, coreGraphics, metal string }

// object is an Objective-C object or class; 0 is nil, to which any message may be sent and which answers 0.
type object uintptr

// selector names a message.
type selector uintptr

// size is MTLSize: three NSUInteger. It is passed by value.
type size struct{ width, height, depth uint64 }

// objc sends messages. Every field but the first three is objc_msgSend, called as the messages of that shape ask for:
// on arm64 the shape decides where arguments and results lie.
type objc struct {
	class        func(name string) object
	register     func(name string) selector
	createDevice func() object // MTLCreateSystemDefaultDevice

	send        func(object, selector)
	get         func(object, selector) object
	getNamed    func(object, selector, object) object
	getFromText func(object, selector, string) object
	getText     func(object, selector) string
	getBool     func(object, selector) bool
	getBoolFor  func(object, selector, int) bool
	getUint     func(object, selector) uint64
	getInt      func(object, selector) int64
	getFloat    func(object, selector) float64
	getPointer  func(object, selector) unsafe.Pointer
	setBool     func(object, selector, bool)
	setUint     func(object, selector, uint64)
	setObject   func(object, selector, object)

	newBuffer   func(device object, s selector, length, options uint64) object
	newLibrary  func(device object, s selector, source, options object, problem *object) object
	newPipeline func(device object, s selector, descriptor object, options uint64, reflection, problem *object) object
	setBytes    func(encoder object, s selector, bytes unsafe.Pointer, length, index uint64)
	setBuffer   func(encoder object, s selector, buffer object, offset, index uint64)
	dispatch    func(encoder object, s selector, groups, threads size)

	selectors [messages]selector
}

// load opens the libraries and registers every selector.
func load(l libraries) (*objc, error) {
	open := func(path string) (uintptr, error) {
		handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err != nil {
			return 0, fmt.Errorf("load %s: %w", path, err)
		}
		return handle, nil
	}
	runtime, err := open(l.objc)
	if err != nil {
		return nil, err
	}
	// Without CoreGraphics, Metal finds no device in a process that has no window.
	for _, path := range []string{l.foundation, l.coreGraphics} {
		if _, err := open(path); err != nil {
			return nil, err
		}
	}
	metal, err := open(l.metal)
	if err != nil {
		return nil, err
	}
	o := &objc{}
	for _, f := range []struct {
		handle   uintptr
		name     string
		function []any
	}{
		{runtime, "objc_getClass", []any{&o.class}},
		{runtime, "sel_registerName", []any{&o.register}},
		{metal, "MTLCreateSystemDefaultDevice", []any{&o.createDevice}},
		{runtime, "objc_msgSend", []any{
			&o.send, &o.get, &o.getNamed, &o.getFromText, &o.getText, &o.getBool, &o.getBoolFor, &o.getUint, &o.getInt,
			&o.getFloat, &o.getPointer, &o.setBool, &o.setUint, &o.setObject,
			&o.newBuffer, &o.newLibrary, &o.newPipeline, &o.setBytes, &o.setBuffer, &o.dispatch,
		}},
	} {
		address, err := purego.Dlsym(f.handle, f.name)
		if err != nil {
			return nil, fmt.Errorf("find %s: %w", f.name, err)
		}
		for _, pointer := range f.function {
			purego.RegisterFunc(pointer, address)
		}
	}
	for m, name := range messageNames {
		o.selectors[m] = o.register(name)
	}
	return o, nil
}

// message is one of the messages that the host sends.
type message int

const (
	msgAlloc message = iota
	msgInit
	msgDrain
	msgRelease
	msgStringWithUTF8String
	msgUTF8String
	msgProcessInfo
	msgOperatingSystemVersionString
	msgName
	msgHasUnifiedMemory
	msgSupportsFamily
	msgRecommendedMaxWorkingSetSize
	msgCurrentAllocatedSize
	msgMaxBufferLength
	msgMaxThreadgroupMemoryLength
	msgNewCommandQueue
	msgNewBuffer
	msgContents
	msgNewLibrary
	msgSetFastMathEnabled
	msgSetLanguageVersion
	msgNewFunction
	msgSetComputeFunction
	msgSetMaxTotalThreads
	msgNewPipeline
	msgMaxTotalThreads
	msgCommandBuffer
	msgComputeCommandEncoder
	msgSetPipeline
	msgSetBytes
	msgSetBuffer
	msgDispatch
	msgEndEncoding
	msgCommit
	msgWaitUntilCompleted
	msgStatus
	msgError
	msgGPUStartTime
	msgGPUEndTime
	msgCode
	msgLocalizedDescription
	messages
)

// messageNames are the messages as Apple's documentation spells them.
var messageNames = [messages]string{
	msgAlloc:                        "alloc",
	msgInit:                         "init",
	msgDrain:                        "drain",
	msgRelease:                      "release",
	msgStringWithUTF8String:         "stringWithUTF8String:",
	msgUTF8String:                   "UTF8String",
	msgProcessInfo:                  "processInfo",
	msgOperatingSystemVersionString: "operatingSystemVersionString",
	msgName:                         "name",
	msgHasUnifiedMemory:             "hasUnifiedMemory",
	msgSupportsFamily:               "supportsFamily:",
	msgRecommendedMaxWorkingSetSize: "recommendedMaxWorkingSetSize",
	msgCurrentAllocatedSize:         "currentAllocatedSize",
	msgMaxBufferLength:              "maxBufferLength",
	msgMaxThreadgroupMemoryLength:   "maxThreadgroupMemoryLength",
	msgNewCommandQueue:              "newCommandQueue",
	msgNewBuffer:                    "newBufferWithLength:options:",
	msgContents:                     "contents",
	msgNewLibrary:                   "newLibraryWithSource:options:error:",
	msgSetFastMathEnabled:           "setFastMathEnabled:",
	msgSetLanguageVersion:           "setLanguageVersion:",
	msgNewFunction:                  "newFunctionWithName:",
	msgSetComputeFunction:           "setComputeFunction:",
	msgSetMaxTotalThreads:           "setMaxTotalThreadsPerThreadgroup:",
	msgNewPipeline:                  "newComputePipelineStateWithDescriptor:options:reflection:error:",
	msgMaxTotalThreads:              "maxTotalThreadsPerThreadgroup",
	msgCommandBuffer:                "commandBuffer",
	msgComputeCommandEncoder:        "computeCommandEncoder",
	msgSetPipeline:                  "setComputePipelineState:",
	msgSetBytes:                     "setBytes:length:atIndex:",
	msgSetBuffer:                    "setBuffer:offset:atIndex:",
	msgDispatch:                     "dispatchThreadgroups:threadsPerThreadgroup:",
	msgEndEncoding:                  "endEncoding",
	msgCommit:                       "commit",
	msgWaitUntilCompleted:           "waitUntilCompleted",
	msgStatus:                       "status",
	msgError:                        "error",
	msgGPUStartTime:                 "GPUStartTime",
	msgGPUEndTime:                   "GPUEndTime",
	msgCode:                         "code",
	msgLocalizedDescription:         "localizedDescription",
}
