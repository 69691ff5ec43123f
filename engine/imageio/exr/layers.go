package exr

import (
	"slices"
	"strings"
)

// Layer is one picture that can be made of a file's channels.
type Layer struct {
	// Name is what precedes the last dot of its channels' names, behind the part's name where a file has several
	// parts that are called differently; empty for plain channels of a file of one part. For a channel that belongs
	// to no picture it is the channel's full name.
	Name string
	// Part is the part that holds it.
	Part int
	// R, G and B are the places of its channels in Part.Channels, -1 for one that is missing. A picture in grey has
	// the same three times.
	R, G, B int
	// A is the place of its alpha; -1 for none.
	A int
	// Chroma says that it is luminance with chroma channels, which is not read as colour: R, G and B are luminance.
	Chroma bool
}

// Grey reports whether the layer is one channel.
func (l Layer) Grey() bool { return l.R == l.G && l.R == l.B }

// Label returns what a layer is called where it is chosen: its name, or the letters of its channels ("RGBA", "Y") if
// it has none.
func (f *File) Label(l Layer) string {
	if l.Name != "" {
		return l.Name
	}
	if l.Grey() {
		return last(f.Parts[l.Part].Channels[l.R].Name)
	}
	s := ""
	for _, p := range []struct {
		at   int
		name string
	}{{l.R, "R"}, {l.G, "G"}, {l.B, "B"}, {l.A, "A"}} {
		if p.at >= 0 {
			s += p.name
		}
	}
	return s
}

// role is what a channel is to its layer.
type role int

const (
	other role = iota
	red
	green
	blue
	alpha
	luma
	chroma
)

// roleOf tells a channel's role by what its name ends in. Renderers write R, r, red and Red alike.
func roleOf(name string) role {
	switch strings.ToLower(last(name)) {
	case "r", "red":
		return red
	case "g", "green":
		return green
	case "b", "blue":
		return blue
	case "a", "alpha":
		return alpha
	case "y":
		return luma
	case "ry", "by":
		return chroma
	}
	return other
}

// last returns what follows the last dot.
func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// prefix returns what precedes the last dot.
func prefix(name string) string { return name[:max(strings.LastIndexByte(name, '.'), 0)] }

// Layers returns every layer of the file: part by part, pictures in colour first, then those in grey, then the
// channels that belong to no picture. Deep parts have none.
func (f *File) Layers() []Layer {
	var all []Layer
	for i := range f.Parts {
		p := &f.Parts[i]
		if p.Deep {
			continue
		}
		of := partLayers(p.Channels)
		for k := range of {
			of[k].Part = i
			if len(f.Parts) > 1 && p.Name != "" && p.Name != of[k].Name {
				of[k].Name = strings.TrimSuffix(p.Name+"."+of[k].Name, ".")
			}
		}
		all = append(all, of...)
	}
	return all
}

// partLayers returns the layers of one part.
func partLayers(channels []Channel) []Layer {
	var prefixes []string
	for _, c := range channels {
		if p := prefix(c.Name); !slices.Contains(prefixes, p) {
			prefixes = append(prefixes, p)
		}
	}
	slices.Sort(prefixes) // the plain ones come first
	var colour, grey, single []Layer
	for _, p := range prefixes {
		var at [chroma + 1]int
		for i := range at {
			at[i] = -1
		}
		used := make([]bool, len(channels))
		for i, c := range channels {
			if r := roleOf(c.Name); prefix(c.Name) == p && r != other && at[r] < 0 {
				at[r] = i
			}
		}
		use := func(list ...int) {
			for _, i := range list {
				if i >= 0 {
					used[i] = true
				}
			}
		}
		count := 0
		for _, i := range at[red : blue+1] {
			if i >= 0 {
				count++
			}
		}
		switch {
		case count >= 2:
			colour = append(colour, Layer{Name: p, R: at[red], G: at[green], B: at[blue], A: at[alpha]})
			use(at[red], at[green], at[blue], at[alpha])
		case at[luma] >= 0 && at[chroma] >= 0:
			grey = append(grey, Layer{Name: p, R: at[luma], G: at[luma], B: at[luma], A: at[alpha], Chroma: true})
			use(at[alpha])
		case at[luma] >= 0 && count == 0 && !slices.ContainsFunc(channels, func(c Channel) bool {
			// X and Y are a vector.
			return prefix(c.Name) == p && strings.EqualFold(last(c.Name), "x")
		}):
			grey = append(grey, Layer{Name: p, R: at[luma], G: at[luma], B: at[luma], A: at[alpha]})
			use(at[luma], at[alpha])
		}
		for i, c := range channels {
			if prefix(c.Name) == p && !used[i] {
				single = append(single, Layer{Name: c.Name, R: i, G: i, B: i, A: -1})
			}
		}
	}
	return slices.Concat(colour, grey, single)
}

// mainNames are what renderers call the layer with the picture itself.
var mainNames = []string{"rgba", "rgb", "beauty", "combined", "composite", "main", "default", "colour", "color", "final", "c"}

// Main returns which of the layers is the file's picture: the plain one in colour, or else in grey; one that is called
// as renderers call the picture; the first in colour; the first. It is -1 if there are none.
func (f *File) Main(layers []Layer) int {
	best, rank := -1, 0
	for i, l := range layers {
		if r := f.rank(l); r > rank {
			best, rank = i, r
		}
	}
	return best
}

func (f *File) rank(l Layer) int {
	channels := f.Parts[l.Part].Channels
	plain := prefix(channels[max(l.R, l.G)].Name) == ""
	role := roleOf(channels[max(l.R, l.G)].Name)
	picture := !l.Grey() || role == luma
	main := slices.Contains(mainNames, strings.ToLower(last(l.Name)))
	switch {
	case plain && !l.Grey():
		return 7
	case plain && picture:
		return 6
	case main && picture:
		return 5
	case !l.Grey():
		return 4
	case picture:
		return 3
	case role != other && role != alpha:
		return 2
	}
	return 1
}

// Find returns which of the layers, or which channel as a layer of its own, bears a name; ok is false if none does.
// Capitals count only where they decide.
func (f *File) Find(layers []Layer, name string) (l Layer, ok bool) {
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for _, l := range layers {
			if same(f.Label(l), name) {
				return l, true
			}
		}
		for part := range f.Parts {
			p := &f.Parts[part]
			for i, c := range p.Channels {
				whole := c.Name
				if len(f.Parts) > 1 && p.Name != "" {
					whole = p.Name + "." + c.Name
				}
				if !p.Deep && (same(c.Name, name) || same(whole, name)) {
					return Layer{Name: name, Part: part, R: i, G: i, B: i, A: -1}, true
				}
			}
		}
	}
	return Layer{}, false
}
