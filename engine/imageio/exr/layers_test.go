package exr

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// fileOf returns a file with parts of the named channels, "NAME: CHANNELS" for one with a name.
func fileOf(parts ...string) *File {
	f := &File{}
	for _, list := range parts {
		p := Part{}
		if name, rest, ok := strings.Cut(list, ":"); ok {
			p.Name, list = name, rest
		}
		for _, name := range strings.Fields(list) {
			p.Channels = append(p.Channels, Channel{Name: name, Type: Half, XSampling: 1, YSampling: 1})
		}
		slices.SortFunc(p.Channels, func(a, b Channel) int { return strings.Compare(a.Name, b.Name) })
		f.Parts = append(f.Parts, p)
	}
	return f
}

// described puts a layer in words: its label, and which channels it takes.
func described(f *File, l Layer) string {
	name := func(i int) string {
		if i < 0 {
			return "-"
		}
		return f.Parts[l.Part].Channels[i].Name
	}
	s := f.Label(l) + "=" + name(l.R)
	if !l.Grey() {
		s += "," + name(l.G) + "," + name(l.B)
	}
	if l.A >= 0 {
		s += "+" + name(l.A)
	}
	if l.Chroma {
		s += " chroma"
	}
	return s
}

func TestLayersAreFoundWhateverTheirChannelsAreCalled(t *testing.T) {
	for _, c := range []struct {
		parts []string
		main  string
		all   string // the others, in order; empty where they do not matter
	}{
		{parts: []string{"R G B A"}, main: "RGBA=R,G,B+A"},
		{parts: []string{"B G R"}, main: "RGB=R,G,B"},
		{parts: []string{"r g b a"}, main: "RGBA=r,g,b+a"},
		{parts: []string{"Red Green Blue Alpha"}, main: "RGBA=Red,Green,Blue+Alpha"},
		{parts: []string{"Y"}, main: "Y=Y"},
		{parts: []string{"Y A"}, main: "Y=Y+A"},
		{parts: []string{"A"}, main: "A=A"},
		{parts: []string{"Z"}, main: "Z=Z"},
		{parts: []string{"G"}, main: "G=G"},
		{parts: []string{"R B"}, main: "RB=R,-,B"},
		{parts: []string{"Y RY BY"}, main: "Y=Y chroma", all: "Y=Y chroma; BY=BY; RY=RY; Y=Y"},
		{parts: []string{"X Y Z"}, main: "Y=Y", all: "X=X; Y=Y; Z=Z"},
		{
			parts: []string{"R G B A Z spec.R spec.G spec.B id"}, main: "RGBA=R,G,B+A",
			all: "RGBA=R,G,B+A; spec=spec.R,spec.G,spec.B; Z=Z; id=id",
		},
		{parts: []string{"spec.R spec.G spec.B beauty.R beauty.G beauty.B beauty.A"}, main: "beauty=beauty.R,beauty.G,beauty.B+beauty.A"},
		{
			parts: []string{"ViewLayer.Combined.R ViewLayer.Combined.G ViewLayer.Combined.B ViewLayer.Depth.Z"},
			main:  "ViewLayer.Combined=ViewLayer.Combined.R,ViewLayer.Combined.G,ViewLayer.Combined.B",
		},
		{parts: []string{"diffuse.R diffuse.G diffuse.B A"}, main: "diffuse=diffuse.R,diffuse.G,diffuse.B"},
		{parts: []string{"mask.Y other.Z"}, main: "mask=mask.Y"},
		{parts: []string{"depth:Z", "rgba:R G B"}, main: "rgba=R,G,B", all: "depth.Z=Z; rgba=R,G,B"},
		{parts: []string{"left:R G B", "right:R G B"}, main: "left=R,G,B"},
		{parts: []string{"crypto:c.R c.G c.B c.A"}, main: "c=c.R,c.G,c.B+c.A"},
		{parts: []string{"a:main.R main.G main.B", "b:R G B"}, main: "b=R,G,B"},
	} {
		f := fileOf(c.parts...)
		layers := f.Layers()
		i := f.Main(layers)
		if i < 0 {
			t.Errorf("%q: no layer", c.parts)
			continue
		}
		if got := described(f, layers[i]); got != c.main {
			t.Errorf("%q: the picture is %s, want %s", c.parts, got, c.main)
		}
		var all []string
		for _, l := range layers {
			all = append(all, described(f, l))
		}
		if got := strings.Join(all, "; "); c.all != "" && got != c.all {
			t.Errorf("%q: the layers are %s, want %s", c.parts, got, c.all)
		}
	}
}

func TestLayersAndChannelsAreFoundByName(t *testing.T) {
	f := fileOf("beauty:R G B A", "more:spec.R spec.G spec.B Z")
	for name, want := range map[string]string{
		"beauty": "beauty=R,G,B+A", "BEAUTY": "beauty=R,G,B+A", "more.spec": "more.spec=spec.R,spec.G,spec.B",
		"more.Z": "more.Z=Z", "Z": "Z=Z", "A": "A=A", "spec.G": "spec.G=spec.G", "beauty.R": "beauty.R=R",
	} {
		l, ok := f.Find(f.Layers(), name)
		if got := fmt.Sprint(ok); !ok || described(f, l) != want {
			t.Errorf("%q gives %s, want %s", name, got, want)
		}
	}
	for _, name := range []string{"", "spec.A", "beauty.spec", "W"} {
		if l, ok := f.Find(f.Layers(), name); ok {
			t.Errorf("%q gives %s", name, described(f, l))
		}
	}
	plain := fileOf("R G B A")
	if l, ok := plain.Find(plain.Layers(), "rgba"); !ok || l.A < 0 {
		t.Error("the plain layer is not found as rgba")
	}
}

func TestDeepPartsHaveNoLayers(t *testing.T) {
	f := fileOf("deep:R G B", "flat:Z")
	f.Parts[0].Deep = true
	layers := f.Layers()
	if len(layers) != 1 || described(f, layers[f.Main(layers)]) != "flat.Z=Z" {
		t.Errorf("layers %+v", layers)
	}
	f.Parts[1].Deep = true
	if layers := f.Layers(); len(layers) != 0 || f.Main(layers) != -1 {
		t.Errorf("layers %+v", layers)
	}
}
