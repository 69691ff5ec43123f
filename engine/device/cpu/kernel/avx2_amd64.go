package kernel

import "golang.org/x/sys/cpu"

// vectorSet returns nil where the processor lacks the instructions.
func vectorSet() *Set {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA {
		return nil
	}
	p := scalarPrimitives()
	p.panel = panelAVX2
	return &Set{name: "avx2", p: p}
}

func panelAVX2(p *panel) {
	if p.width == wideWidth {
		panel24AVX2(p)
		return
	}
	panel16AVX2(p)
}

// The assembly, see the files of the same names.

//go:noescape
func panel16AVX2(p *panel)

//go:noescape
func panel24AVX2(p *panel)
