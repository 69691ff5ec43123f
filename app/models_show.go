package app

import (
	"fmt"
	"path/filepath"
	"strings"

	"greenroom/app/keying"
	"greenroom/engine/checkpoint"
	"greenroom/presets"
	"greenroom/views"
)

// showModels says which model keys and which others there are.
func (s *State) showModels() views.ModelState {
	m := s.Models
	v := views.ModelState{Name: s.modelName(), Busy: s.modelBusy()}
	if s.Model != nil {
		v.Label, v.About = m.Title(s.Model.Name), aboutModel(s.Model)
	}
	if m.Opening != "" {
		v.Opening = m.Title(m.Opening)
	}
	for i, known := range m.Known {
		if m.Here[i] {
			v.Choices = append(v.Choices, views.ModelChoice{Name: known.Name, Label: choiceOf(known)})
		} else {
			v.Offers = append(v.Offers, views.ModelChoice{Name: known.Name, Label: "Get " + offerOf(known) + "…"})
		}
	}
	for _, path := range m.Files {
		v.Choices = append(v.Choices, views.ModelChoice{Name: path, Label: filepath.Base(path)})
	}
	if m.Licence != nil {
		v.Licence = showLicence(*m.Licence)
	}
	if f := m.Fetch; f != nil {
		v.Fetch = f.show()
	}
	return v
}

// aboutModel says which screens a model knows.
func aboutModel(m *keying.Model) string {
	about := "Knows green and blue screens."
	if m.Screen != "auto" {
		about = fmt.Sprintf("Knows %s screens; others change places with it.", m.Screen)
	}
	if m.Name != m.Published && m.Published == "" {
		about += " Its file is none of the published ones."
	}
	return about
}

// choiceOf names a model of this machine in a menu.
func choiceOf(m checkpoint.Model) string {
	if m.Embedded {
		return m.Title + " (built in)"
	}
	return m.Title + " (" + screenWords(m.Screen) + ")"
}

// offerOf names a model to be fetched, with what it takes.
func offerOf(m checkpoint.Model) string {
	words := screenWords(m.Screen)
	if size := sizeOf(m); size > 0 {
		words += ", " + presets.Memory(size)
	}
	return m.Title + " (" + words + ")"
}

func screenWords(s checkpoint.Screen) string {
	if s == checkpoint.BothScreens {
		return "green and blue"
	}
	return string(s)
}

// sizeOf is how many bytes a model has; 0 where nobody says.
func sizeOf(m checkpoint.Model) int64 {
	for _, source := range m.Sources {
		if source.Size > 0 {
			return source.Size
		}
	}
	return 0
}

// showLicence puts a model's licence on a sheet.
func showLicence(m checkpoint.Model) *views.Licence {
	about := m.About
	if size := sizeOf(m); size > 0 {
		about += " The download has " + presets.Memory(size) + "."
	}
	l := m.Licence
	return &views.Licence{
		Title: "Get " + m.Title, About: about, Name: l.Name, Text: strings.TrimSpace(l.Text), URL: l.URL, Accept: l.Accept,
	}
}

// show says how far a download is.
func (f *Fetch) show() *views.FetchState {
	v := &views.FetchState{}
	doing := "Getting "
	if f.Verifying {
		doing = "Checking "
	}
	v.Words = doing + f.Model.Title
	if f.Done > 0 {
		v.Words += ": " + presets.Memory(f.Done)
	}
	if f.Total > 0 {
		v.Part = float64(f.Done) / float64(f.Total)
		if f.Done > 0 {
			v.Words += " of " + presets.Memory(f.Total)
		}
	}
	if f.Left >= 0 {
		v.Words += ", " + seconds(f.Left.Seconds()) + " left"
	}
	return v
}
