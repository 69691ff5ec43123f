package vulkan

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"
)

// Found is a processor that Vulkan can use.
type Found struct {
	// Name is the maker's name of it.
	Name string
	// Driver names the driver and its version.
	Driver string
	// Memory is the bytes of its own memory, or of the machine's where it has none.
	Memory int64
	// Discrete says that it has memory of its own; Software that it is no GPU but a program on the processor.
	Discrete, Software bool
	// Unusable says why it cannot be used; empty where it can.
	Unusable string
}

// candidate is a physical device with what was asked about it.
type candidate struct {
	Found
	handle     physicalDevice
	properties physicalDeviceProperties
	id         idProperties
	memory     memoryProperties
	allocation uint64 // the most bytes of one allocation
	extensions []string
	family     uint32 // of queues
	timestamps uint32 // valid bits
}

// List names everything that Vulkan finds, best first, software too.
func List() ([]Found, error) {
	c, err := connect(nil)
	if err != nil {
		return nil, err
	}
	defer c.close()
	all, err := c.candidates()
	if err != nil {
		return nil, err
	}
	found := make([]Found, len(all))
	for i := range all {
		found[i] = all[i].Found
	}
	return found, nil
}

// choose returns the device to use: the best real GPU, or the first whose name holds the given text.
func (c *connection) choose(name string) (*candidate, error) {
	all, err := c.candidates()
	if err != nil {
		return nil, err
	}
	var refused []string
	for i := range all {
		d := &all[i]
		wanted := name == "" && !d.Software || name != "" && strings.Contains(strings.ToLower(d.Name), strings.ToLower(name))
		switch {
		case wanted && d.Unusable == "":
			return d, nil
		case wanted:
			refused = append(refused, fmt.Sprintf("%s: %s", d.Name, d.Unusable))
		case name == "":
			refused = append(refused, d.Name+" is no GPU but a program on the processor")
		default:
			refused = append(refused, "there is "+d.Name)
		}
	}
	err = ErrNoDevice
	if name != "" {
		err = fmt.Errorf("%w whose name holds %q", ErrNoDevice, name)
	}
	if len(refused) > 0 {
		err = fmt.Errorf("%w (%s)", err, strings.Join(refused, "; "))
	}
	return nil, err
}

// candidates lists all physical devices, the best first: discrete before integrated before others, then by memory.
func (c *connection) candidates() ([]candidate, error) {
	handles, err := list(func(n *uint32, p *physicalDevice) int32 { return c.EnumeratePhysicalDevices(c.instance, n, p) })
	if err != nil {
		return nil, fmt.Errorf("list GPUs: %w", err)
	}
	all := make([]candidate, len(handles))
	for i, h := range handles {
		all[i] = c.examine(h)
	}
	rank := func(d candidate) int {
		order := []uint32{deviceTypeDiscrete, deviceTypeIntegrated, deviceTypeVirtual}
		if at := slices.Index(order, d.properties.deviceType); at >= 0 {
			return at
		}
		return len(order)
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return int((b.Memory - a.Memory) >> 20)
	})
	return all, nil
}

// examine asks a device what it is.
func (c *connection) examine(h physicalDevice) candidate {
	d := candidate{handle: h}
	c.GetPhysicalDeviceProperties(h, &d.properties)
	p := &d.properties
	d.Name = cString(p.name[:])
	// A virtual GPU is a part of a discrete one.
	d.Discrete = p.deviceType == deviceTypeDiscrete || p.deviceType == deviceTypeVirtual
	d.Software = p.deviceType == deviceTypeCPU
	d.Driver = fmt.Sprintf("version %#x", p.driverVersion)
	if p.apiVersion < apiVersion11 {
		d.Unusable = fmt.Sprintf("its driver knows Vulkan %d.%d only, 1.1 is needed: update the driver", p.apiVersion>>22, p.apiVersion>>12&0x3ff)
		return d
	}
	extensions, err := list(func(n *uint32, e *extensionProperties) int32 {
		return c.EnumerateDeviceExtensionProperties(h, nil, n, e)
	})
	if err != nil {
		d.Unusable = err.Error()
		return d
	}
	for i := range extensions {
		d.extensions = append(d.extensions, cString(extensions[i].name[:]))
	}

	driver := driverProperties{sType: typeDriverProperties}
	limits := maintenance3Properties{sType: typeMaintenance3Properties}
	d.id = idProperties{sType: typeIDProperties, next: unsafe.Pointer(&limits)}
	if d.has(extensionDriver) || p.apiVersion >= apiVersion12 {
		limits.next = unsafe.Pointer(&driver)
	}
	all := physicalDeviceProperties2{sType: typeProperties2, next: unsafe.Pointer(&d.id)}
	c.GetPhysicalDeviceProperties2(h, &all)
	d.id.next = nil
	d.allocation = limits.maxMemoryAllocationSize
	if name := cString(driver.name[:]); name != "" {
		d.Driver = strings.TrimSpace(name + " " + cString(driver.info[:]))
	}

	memory := memoryProperties2{sType: typeMemoryProperties2}
	c.GetPhysicalDeviceMemoryProperties2(h, &memory)
	d.memory = memory.properties
	d.Memory = int64(d.memory.heaps[d.heap()].size)

	var n uint32
	c.GetPhysicalDeviceQueueFamilyProperties(h, &n, nil)
	families := make([]queueFamilyProperties, n)
	if n > 0 {
		c.GetPhysicalDeviceQueueFamilyProperties(h, &n, &families[0])
	}
	at := slices.IndexFunc(families, func(f queueFamilyProperties) bool { return f.flags&queueCompute != 0 })
	if at < 0 {
		d.Unusable = "its driver computes nothing"
		return d
	}
	d.family, d.timestamps = uint32(at), families[at].timestampValidBits
	return d
}

func (d *candidate) has(extension string) bool { return slices.Contains(d.extensions, extension) }

// heap returns the largest heap of the device's own memory; of any, where the device works in the machine's memory, of
// which drivers sometimes call only a small part its own.
func (d *candidate) heap() uint32 {
	best := uint32(0)
	var size uint64
	for i := range d.memory.heapCount {
		if h := d.memory.heaps[i]; (h.flags&heapDeviceLocal != 0 || !d.Discrete) && h.size > size {
			best, size = i, h.size
		}
	}
	return best
}

// memoryType returns the first type of memory among the allowed that has all wanted flags, in the given heap where
// that is not negative.
func (d *candidate) memoryType(allowed, wanted uint32, heap int) (uint32, bool) {
	for i := range d.memory.typeCount {
		t := d.memory.types[i]
		if allowed&(1<<i) != 0 && t.flags&wanted == wanted && (heap < 0 || t.heap == uint32(heap)) {
			return i, true
		}
	}
	return 0, false
}
