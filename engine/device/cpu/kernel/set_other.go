//go:build !amd64 && !arm64

package kernel

// vectorSet returns nil: this architecture has the portable set only.
func vectorSet() *Set { return nil }
