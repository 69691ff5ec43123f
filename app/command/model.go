package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"greenroom/app/keying"
	"greenroom/engine/checkpoint"
	"greenroom/presets"
)

// modelCommand is greenroom model.
type modelCommand struct {
	List   modelListCommand   `cmd:"" help:"List the models that Greenroom knows by name."`
	Fetch  modelFetchCommand  `cmd:"" help:"Download a model, after its licence is accepted."`
	Verify modelVerifyCommand `cmd:"" help:"Check that models are whole and the published ones."`
}

// modelListCommand is greenroom model list.
type modelListCommand struct{}

// Run lists the catalogue.
func (modelListCommand) Run(streams Streams) error {
	models, err := checkpoint.Catalogue()
	if err != nil {
		return err
	}
	folder, err := keying.ModelFolder()
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(streams.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tSCREEN\tWHERE\tLICENCE\tABOUT")
	for _, m := range models {
		where := "not on this machine"
		if m.Embedded {
			where = "built in"
		} else if found, ok, err := checkpoint.FindInstalled(m, folder); err != nil {
			return err
		} else if ok {
			where = found.Path
		}
		screen := strings.ReplaceAll(string(m.Screen), "both", "green, blue")
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", m.Name, screen, where, m.Licence.Name, m.About)
	}
	return table.Flush()
}

// modelFetchCommand is greenroom model fetch.
type modelFetchCommand struct {
	Name          string `arg:"" help:"The model's name."`
	AcceptLicence bool   `help:"Say that you have read the model's licence and accept it."`
}

// Run downloads a model.
func (c *modelFetchCommand) Run(ctx context.Context, streams Streams) error {
	m, err := checkpoint.Find(c.Name)
	if err != nil {
		return err
	}
	if m.Embedded {
		fmt.Fprintf(streams.Out, "%s is built in: there is nothing to fetch\n", m.Name)
		return nil
	}
	if m.Licence.Accept != "" && !c.AcceptLicence {
		fmt.Fprintf(streams.Out, "%s\n%s\n%s\n\n%s\n", m.Title, m.Licence.Name, m.Licence.URL, m.Licence.Text)
		return fmt.Errorf("fetch %s: its licence has not been accepted (read it, then run greenroom model fetch %s --accept-licence)", m.Name, m.Name)
	}
	folder, err := keying.ModelFolder()
	if err != nil {
		return err
	}
	bar := newBar(streams, m.Name)
	found, err := checkpoint.Fetch(ctx, nil, m, folder, c.AcceptLicence, bar.transfer)
	bar.clear()
	if err != nil {
		return err
	}
	fmt.Fprintf(streams.Out, "%s: %s\n  SHA-256 %s\n", m.Name, found.Path, found.SHA256)
	return nil
}

// transfer draws the progress of a download.
func (b *bar) transfer(p checkpoint.Progress) {
	if b.out == nil {
		return
	}
	doing := "downloading"
	if p.Phase == checkpoint.Verifying {
		doing = "verifying"
	}
	line := fmt.Sprintf("%s  %s  %s", b.label, doing, presets.Memory(p.Done))
	if p.Total > 0 {
		line += " of " + presets.Memory(p.Total)
	}
	b.draw(line)
}

// modelVerifyCommand is greenroom model verify.
type modelVerifyCommand struct {
	Model path `arg:"" optional:"" name:"name|file" help:"A model's name, or a checkpoint file. None verifies all that are here."`
}

// Run verifies one model, or all that are on this machine.
func (c *modelVerifyCommand) Run(ctx context.Context, streams Streams) error {
	names := []string{string(c.Model)}
	if c.Model == "" {
		var err error
		if names, err = present(); err != nil {
			return err
		}
	}
	failed := false
	for _, name := range names {
		if err := verify(ctx, name, streams.Out); err != nil {
			if ctx.Err() != nil {
				return err
			}
			complain(streams, err)
			failed = true
		}
	}
	if failed {
		return errFailed
	}
	return nil
}

// present names the models of the catalogue that are on this machine.
func present() ([]string, error) {
	models, err := checkpoint.Catalogue()
	if err != nil {
		return nil, err
	}
	folder, err := keying.ModelFolder()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range models {
		_, ok, err := checkpoint.FindInstalled(m, folder)
		if err != nil {
			return nil, err
		}
		if ok || m.Embedded {
			names = append(names, m.Name)
		}
	}
	return names, nil
}

// verify opens a model, which checks the hash of a published one and every tensor's name and shape, and reads
// all its weights.
func verify(ctx context.Context, name string, out io.Writer) (err error) {
	m, err := keying.OpenModel(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	if err := m.ReadAll(ctx); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: whole, SHA-256 %s\n", name, m.Hash)
	if m.Published == "" {
		fmt.Fprintf(out, "  this file is not one of the catalogue's: its origin cannot be checked\n")
	} else if m.Published != name {
		fmt.Fprintf(out, "  it is %s\n", m.Published)
	}
	return nil
}
