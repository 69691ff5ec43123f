package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"greenroom/app/keying"
	"greenroom/engine"
	"greenroom/engine/colour"
	"greenroom/engine/device/choose"
	"greenroom/engine/settings"
	"greenroom/engine/tiling"
	"greenroom/presets"
)

// keyCommand is greenroom key.
type keyCommand struct {
	Plates []path `arg:"" name:"plate" optional:"" sep:"none" help:"Plates to key: PNG, JPEG, TIFF, OpenEXR or DPX. None keys the sample plate."`

	Hint   path       `placeholder:"FILE" help:"The hint. Default: NAME-hint.* beside the plate, else made from the screen's colour."`
	Model  path       `placeholder:"NAME|FILE" help:"A model's name, or a checkpoint file. Default: the preset's, else nano, which is built in."`
	Device deviceName `placeholder:"auto|cpu|vulkan|metal" help:"Where to run. Default: the preset's, else auto: a GPU where there is one."`
	Preset path       `placeholder:"NAME" help:"A preset's name, or auto for the one that fits this machine best. Default: the rules for this machine."`
	Screen *string    `placeholder:"auto|green|blue" help:"The screen's colour. Default: auto, found in the plate."`
	Layer  path       `placeholder:"NAME" help:"The layer or channel of OpenEXR plates to key. Default: the picture itself."`
	Space  spaceName  `placeholder:"NAME" help:"What the plate's numbers mean: ${spaces}. Default: as the file says, else linear for floating point and srgb for others."`

	Engine engineFlags `embed:"" group:"Engine settings:"`

	Look     lookFlags `embed:"" group:"Look:"`
	Marks    markFlags `embed:"" group:"Marks on the plate:"`
	HintEdit hintFlags `embed:"" prefix:"hint-" group:"The hint, before it is used:"`
	// What is said of a file is no part of a look that fits other plates.
	BackgroundSpace spaceName `group:"Look:" placeholder:"NAME" help:"What the numbers of a background picture mean, as for --space. Default: as its file says."`

	Like path `group:"Look:" placeholder:"SIDECAR" help:"Key like the key of this .toml file: the same plate the very same, written as it was; others with its look. Other flags go before it."`

	Out       path       `group:"Output:" placeholder:"DIR" help:"Where to write. Default: keys/ beside the plate."`
	Passes    []string   `group:"Output:" sep:"none" placeholder:"PASS" help:"What to write: key, matte, fg, comp. Default: the preset's, else key,matte."`
	Format    formatName `group:"Output:" placeholder:"png|tiff|exr" help:"16-bit PNG or TIFF, or OpenEXR in half floats. Default: the preset's, else exr for plates in floating point and png for others."`
	ExrMatte  matteName  `group:"Output:" name:"exr-matte" placeholder:"rgba|y" help:"Where an OpenEXR file has the matte: in R, G, B and A alike, or as the one channel Y. Default: rgba."`
	ExrDepth  exrDepth   `group:"Output:" name:"exr-depth" placeholder:"half|float" help:"What OpenEXR files hold: half floats, or floats of 32 bits. Default: half."`
	CompDepth compDepth  `group:"Output:" placeholder:"8|16" help:"Bits of a sample of a comp in PNG or TIFF. Default: 16."`
	Overwrite bool       `group:"Output:" help:"Replace files of the same names instead of writing the next version."`
	Check     bool       `group:"Output:" help:"Look over the matte: core holes, screen residue, cuts by the frame."`
	Seams     bool       `group:"Output:" help:"Key the borders of the tiles once more on another grid, and write a heat map of the seams."`
	JSON      bool       `group:"Output:" name:"json" help:"One JSON object per plate, one line each, on standard output."`
}

// pair is two numbers with a comma between.
type pair [2]float64

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *pair) UnmarshalText(text []byte) (err error) {
	*p, err = twoNumbers(text, "0.02,0.98")
	return err
}

// place is where something is or moves on the plate, in its pixels: x, y.
type place pair

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *place) UnmarshalText(text []byte) error {
	two, err := twoNumbers(text, "120,80")
	*p = place(two)
	return err
}

// twoNumbers reads two numbers with a comma between; like is an example of them.
func twoNumbers(text []byte, like string) (pair, error) {
	list, err := numbers(string(text))
	if err != nil || len(list) != 2 {
		return pair{}, fmt.Errorf("%q is not two numbers such as %s", text, like)
	}
	return pair(list), nil
}

// chosen is a word out of a list.
func chosen(text []byte, words []string) (string, error) {
	if word := string(text); slices.Contains(words, word) {
		return word, nil
	}
	return "", fmt.Errorf("%q is not one of %s", text, strings.Join(words, ", "))
}

// path is a file or folder that is named. One that is given empty, as by a script whose variable is not set, is an
// error instead of a flag without effect.
type path string

// Decode implements kong.MapperValue.
func (p *path) Decode(ctx *kong.DecodeContext) error {
	name, err := typed(ctx)
	if err == nil && name == "" {
		err = errors.New("the name is empty")
	}
	*p = path(name)
	return err
}

// typed returns a value as it was typed. The parser's own way to a string makes UTF-8 of it, which the names of files
// need not be.
func typed(ctx *kong.DecodeContext) (string, error) {
	token, err := ctx.Scan.PopValue("name")
	if err != nil {
		return "", err
	}
	if text, ok := token.Value.(string); ok {
		return text, nil
	}
	return fmt.Sprint(token.Value), nil
}

type deviceName string

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *deviceName) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return errors.New("the name is empty")
	}
	*d = deviceName(text)
	return choose.Validate(string(text))
}

type formatName string

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *formatName) UnmarshalText(text []byte) error {
	word, err := chosen(text, []string{"png", "tiff", "exr"})
	*f = formatName(word)
	return err
}

type matteName string

// UnmarshalText implements encoding.TextUnmarshaler.
func (m *matteName) UnmarshalText(text []byte) error {
	word, err := chosen(text, []string{string(keying.MatteRGBA), string(keying.MatteY)})
	*m = matteName(word)
	return err
}

type exrDepth string

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *exrDepth) UnmarshalText(text []byte) error {
	word, err := chosen(text, []string{string(keying.DepthHalf), string(keying.DepthFloat)})
	*d = exrDepth(word)
	return err
}

type compDepth int

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *compDepth) UnmarshalText(text []byte) error {
	word, err := chosen(text, []string{"8", "16"})
	bits, _ := strconv.Atoi(word)
	*d = compDepth(bits)
	return err
}

type spaceName string

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *spaceName) UnmarshalText(text []byte) error {
	space := colour.Space(strings.ToLower(string(text)))
	*s = spaceName(space)
	return space.Validate()
}

// spaces lists the names that --space takes.
func spaces() string {
	var names []string
	for _, s := range colour.Spaces() {
		names = append(names, string(s))
	}
	return strings.Join(names, ", ")
}

// order makes the order for every plate; the plate's path is still to be filled in. like is the key that it is to be
// like, and preset the preset under what the flags say; nil for none.
func (c *keyCommand) order(like *keying.Like, preset *presets.Preset) (keying.Order, error) {
	asked, err := c.Engine.asked()
	if err != nil {
		return keying.Order{}, err
	}
	look, edit := settings.DefaultLook(), settings.HintEdit{}
	switch {
	case like != nil:
		look, edit = like.Look(), like.Edit()
	case preset != nil:
		look = preset.Look(look)
	}
	set(&look.Screen, c.Screen, word[settings.Screen])
	backdrop, err := c.Look.apply(&look)
	if err != nil {
		return keying.Order{}, err
	}
	if err := c.HintEdit.apply(&edit); err != nil {
		return keying.Order{}, err
	}
	write, err := c.chosen()
	if err != nil {
		return keying.Order{}, err
	}
	if like == nil { // else it is for the key to say what is still open
		usual, err := usual(preset)
		if err != nil {
			return keying.Order{}, err
		}
		if len(write.Passes) == 0 {
			write.Passes = usual.Passes
		}
		if write.Format == "" {
			write.Format = usual.Format
		}
	}
	o := keying.Order{
		Hint: string(c.Hint), Space: string(c.Space), Layer: string(c.Layer), Asked: asked, Look: look, Edit: edit,
		Backdrop: backdrop, BackdropSpace: string(c.BackgroundSpace), Out: string(c.Out),
		Preset: preset, Passes: write.Passes, Format: write.Format, MatteChannels: keying.MatteChannels(c.ExrMatte),
		Depth: keying.EXRDepth(c.ExrDepth), CompDepth: int(c.CompDepth),
		Overwrite: c.Overwrite, Inputs: c.inputs(), Check: c.Check, Seams: c.Seams,
	}
	if err := c.contradiction(o, like); err != nil {
		return keying.Order{}, err
	}
	c.Marks.apply(&o)
	for _, k := range c.Look.Keep {
		o.Marks.Kept = append(o.Marks.Kept, settings.KeptColour(k))
	}
	if err := o.Marks.Validate(); err != nil {
		return keying.Order{}, usageError{err}
	}
	return o, nil
}

// inputs are the files of the whole run that no plate's key may overwrite, beside what the order names.
func (c *keyCommand) inputs() []string {
	var list []string
	for _, p := range append(slices.Clone(c.Plates), c.Like) {
		if p != "" {
			list = append(list, string(p))
		}
	}
	return list
}

// contradiction reports flags that do not go together, or that would be without effect.
func (c *keyCommand) contradiction(o keying.Order, like *keying.Like) error {
	for flag, given := range map[string]bool{
		"--hint": c.Hint != "", "--core": c.Marks.Core != "", "--garbage": c.Marks.Garbage != "", "--pick": len(c.Marks.Pick) > 0,
	} {
		if given && len(c.Plates) > 1 {
			return badUsage("%s is for one plate, and there are %d", flag, len(c.Plates))
		}
	}
	exr := o.Format == "" || o.Format == keying.FormatEXR
	picture := o.Backdrop != "" || like != nil && o.Look.Background == settings.BackgroundPicture
	switch {
	case c.Hint != "" && len(c.Marks.Pick) > 0:
		return badUsage("--hint gives a hint and --pick makes one: choose")
	case c.ExrMatte != "" && !exr:
		return badUsage("--exr-matte is for OpenEXR, and the format is %s", o.Format)
	case c.ExrDepth != "" && !exr:
		return badUsage("--exr-depth is for OpenEXR, and the format is %s", o.Format)
	case c.CompDepth != 0 && (o.Format == keying.FormatEXR || len(o.Passes) > 0 && !slices.Contains(o.Passes, keying.PassComp)):
		return badUsage("--comp-depth is for a comp in PNG or TIFF (write one with --passes comp, and no --format exr)")
	case c.BackgroundSpace != "" && !picture:
		return badUsage("--background-space is for a background picture: name one with --background")
	}
	return nil
}

// openModel opens the model that was asked for, else that of the key to be like, else the preset's, else the embedded
// one.
func (c *keyCommand) openModel(ctx context.Context, like *keying.Like, preset *presets.Preset) (*keying.Model, error) {
	name, hash := keying.DefaultModel, ""
	switch {
	case c.Model != "":
		name = string(c.Model)
	case like != nil:
		name, hash = like.Model()
	case preset != nil && preset.Engine.Model != "":
		name = preset.Engine.Model
	}
	m, err := keying.OpenModel(ctx, name)
	if err == nil && hash != "" && m.Hash != hash {
		m.Close()
		return nil, fmt.Errorf("cannot repeat %s: the model %s has changed since (choose one by --model)", like.Path, name)
	}
	return m, err
}

// Run keys every plate, one after another.
func (c *keyCommand) Run(ctx context.Context, streams Streams) (err error) {
	var like *keying.Like
	if c.Like != "" {
		if like, err = keying.ReadLike(string(c.Like)); err != nil {
			return err
		}
	}
	// A machine that cannot be read has no limit to plan for; the key may still work.
	machine, err := streams.machine()
	if err != nil {
		complain(streams, err)
	}
	preset, device, err := c.preset(machine)
	if err != nil {
		return err
	}
	order, err := c.order(like, preset)
	if err != nil {
		return err
	}
	order.Machine, order.Measured = machine, measuredOn(machine, streams)
	if order.Model, err = c.openModel(ctx, like, preset); err != nil {
		return err
	}
	defer order.Model.Close()
	e, err := keying.NewEngine(ctx, device, nil, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	if why := e.Using().Why; why != "" && streams.Live {
		complain(streams, fmt.Errorf("keys run on the processor: %s", why))
	}

	plates := c.Plates
	if len(plates) == 0 {
		plates = []path{""}
	}
	failed := false
	written := map[string]bool{}
	for _, plate := range plates {
		one := order
		one.Plate = string(plate)
		// A plate before it may have been the last that the GPU could key.
		one.Machine = streams.on(machine, e.Using())
		// Two plates of one name must not overwrite each other.
		target := filepath.Join(onDisk(one.Folder()), one.Name())
		one.Overwrite = order.Overwrite && !written[target]
		written[target] = true
		if err := c.one(ctx, e, one, like, streams); err != nil {
			if ctx.Err() != nil {
				return err
			}
			failed = true
		}
	}
	if failed {
		return errFailed
	}
	return nil
}

// one keys one plate, like another key if that is not nil, and tells of it.
func (c *keyCommand) one(ctx context.Context, e *engine.Engine, o keying.Order, like *keying.Like, streams Streams) error {
	bar := newBar(streams, o.Label())
	o.Progress = bar.show
	report, err := c.runLike(ctx, e, o, like)
	bar.clear()
	if err != nil {
		if ctx.Err() == nil {
			complain(streams, err)
		}
		if c.JSON {
			return errors.Join(err, c.print(streams, map[string]string{"plate": o.Label(), "error": err.Error()}))
		}
		return err
	}
	for _, w := range report.Warnings {
		fmt.Fprintf(streams.Err, "greenroom: %s: %s\n", printable(report.Plate), printable(w))
	}
	for _, a := range report.Adjusted {
		fmt.Fprintf(streams.Err, "greenroom: %s: %s is %s instead of %s: %s\n",
			printable(report.Plate), a.Setting, presets.Word(a.Used), presets.Word(a.Asked), a.Why)
	}
	if c.JSON {
		// The object has no place for what is for information only.
		for _, n := range report.Notes {
			fmt.Fprintf(streams.Err, "greenroom: %s: %s\n", printable(report.Plate), printable(n))
		}
		return c.print(streams, report)
	}
	c.summary(report, streams)
	return nil
}

// runLike keys one plate, like another key if that is not nil.
func (c *keyCommand) runLike(ctx context.Context, e *engine.Engine, o keying.Order, like *keying.Like) (*keying.Report, error) {
	if like == nil {
		return keying.Run(ctx, e, o)
	}
	usual, err := usual(o.Preset)
	if err != nil {
		return nil, err
	}
	o, same, err := like.Order(o, usual)
	if err == nil {
		err = c.contradiction(o, like)
	}
	if err != nil {
		return nil, err
	}
	report, err := keying.Run(ctx, e, o)
	if err != nil {
		return nil, err
	}
	if !same {
		report.Notes = append(report.Notes, "it is another plate than that of "+like.Path+": hint, masks and marks of that one were left out")
	} else if other := like.OtherDevice(report); other != "" {
		report.Notes = append(report.Notes, other)
	}
	return report, nil
}

// print writes one JSON object and tells when it cannot.
func (c *keyCommand) print(streams Streams, object any) error {
	err := printJSON(streams, object)
	if err != nil {
		complain(streams, fmt.Errorf("cannot write the report: %w (check where standard output goes)", err))
	}
	return err
}

// onDisk returns one spelling for all the ways to name a folder, as far as that can be found.
func onDisk(folder string) string {
	if abs, err := filepath.Abs(folder); err == nil {
		folder = abs
	}
	// The folder may not be there yet, and be there for the next plate.
	for dir, rest := folder, ""; ; dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		if dir == filepath.Dir(dir) {
			return folder
		}
	}
}

// summary tells people what was written.
func (c *keyCommand) summary(r *keying.Report, streams Streams) {
	tiles := "one tile"
	if r.Tiles > 1 {
		tiles = fmt.Sprintf("%d tiles", r.Tiles)
	}
	checked := ""
	if r.Seconds.Check > 0 {
		checked = fmt.Sprintf("; seams checked in %.1f s", r.Seconds.Check)
	}
	fmt.Fprintf(streams.Out, "%s: keyed in %.1f s with %s, %s, %s, on %s%s\n",
		printable(r.Plate), r.Seconds.Total-r.Seconds.Check, r.Model, tiles, presets.Memory(r.PeakBytes), r.DeviceWords, checked)
	for _, n := range r.Notes {
		fmt.Fprintf(streams.Out, "  %s\n", printable(n))
	}
	if r.Check != nil {
		tellCheck(r.Check, streams)
	}
	tellSeams(r, streams)
	for _, pass := range append(keying.Passes(), keying.PassSeams) {
		file, ok := r.Files[pass]
		switch {
		case ok && pass == keying.PassSeams:
			scale := tiling.DefaultHeatScale()
			fmt.Fprintf(streams.Out, "  %s (steps of 255: under %g nothing, from %g on white)\n", printable(file), scale.Threshold, scale.Full)
		case ok:
			fmt.Fprintf(streams.Out, "  %s\n", printable(file))
		}
	}
	fmt.Fprintf(streams.Out, "  %s\n", printable(r.Sidecar))
}

// tellCheck tells what the matte check found.
func tellCheck(r *keying.Review, streams Streams) {
	fmt.Fprintf(streams.Out, "  matte: %.2f %% solid, %.2f %% clear, %.2f %% translucent\n", r.Solid, r.Clear, r.Translucent)
	for _, f := range r.Findings {
		fmt.Fprintf(streams.Out, "    %s\n", f.Text)
	}
	switch {
	case r.More > 0:
		fmt.Fprintf(streams.Out, "    and %d more\n", r.More)
	case len(r.Findings) == 0:
		fmt.Fprintln(streams.Out, "    nothing found")
	}
}

// tellSeams tells how far the tiles are apart, or why that is not known.
func tellSeams(r *keying.Report, streams Streams) {
	switch {
	case r.Unmeasured != "":
		fmt.Fprintf(streams.Out, "  seams: not measured: %s\n", r.Unmeasured)
	case r.WorstSeam != nil:
		measured := "what two tiles say of one pixel, before they are blended; --seams measures what is left"
		if r.Summary.By == keying.ByGrid {
			measured = "this key and one on another grid"
		}
		border, elsewhere := r.Summary, ""
		if w := r.WorstSeam; w.Steps > border.Worst {
			elsewhere = fmt.Sprintf("; the worst pixel is on another, %.1f at (%d, %d)", w.Steps, w.X, w.Y)
		}
		fmt.Fprintf(streams.Out, "  seams: on the worst border 99 %% are under %.1f of 255, and at most %.1f at (%d, %d)%s (%s)\n",
			border.P99, border.Worst, border.At[0], border.At[1], elsewhere, measured)
	}
}

// printJSON writes one object on one line.
func printJSON(streams Streams, object any) error {
	encoder := json.NewEncoder(streams.Out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(object)
}
