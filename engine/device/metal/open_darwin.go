package metal

// systemLibraries are where macOS keeps what the host needs.
func systemLibraries() libraries {
	return libraries{
		objc:         "/usr/lib/libobjc.A.dylib",
		foundation:   "/System/Library/Frameworks/Foundation.framework/Foundation",
		coreGraphics: "/System/Library/Frameworks/CoreGraphics.framework/CoreGraphics",
		metal:        "/System/Library/Frameworks/Metal.framework/Metal",
	}
}

// Open opens the Mac's GPU, the faster one where it has two. It returns ErrNoDevice where Metal finds none. The host's
// methods may be called from one goroutine at a time.
func Open() (*Host, error) { return open(systemLibraries(), nil) }
