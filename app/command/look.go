package command

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"greenroom/app/keying"
	"greenroom/engine/settings"
)

// lookFlags are the controls of a key after the network. A flag that is not given leaves its control as it is: at the
// default, or as the key was that --like names.
type lookFlags struct {
	ChromaSmooth  *pixels   `placeholder:"PX|auto" help:"Smooth the plate's colour for hint and network. Default: auto, 1 for JPEGs of reduced colour resolution."`
	KeyExposure   *float64  `placeholder:"STOPS" help:"Brighten the plate for hint and network only, -4..4. Default: 0."`
	Refiner       *float64  `placeholder:"0..1" help:"How much of the network's refiner is used. Default: ${refiner}."`
	Clip          *pair     `placeholder:"B,W" help:"Matte values that become 0 and 1. Default: ${clip}."`
	Gamma         *float64  `placeholder:"0.2..5" help:"Brighten the matte's middle over 1, darken it under 1. Default: ${gamma}."`
	Grow          *float64  `placeholder:"-20..20" help:"Move the matte's edge outwards by pixels, or inwards under 0. Default: ${grow}."`
	Soften        *float64  `placeholder:"0..50" help:"Blur the matte by a Gaussian of this deviation in pixels. Default: ${soften}."`
	Despeckle     *int      `placeholder:"PX" help:"Remove faint lonely islands under this area, in pixels of a plate 1920 wide; 0 is off. Default: ${despeckle}."`
	DespeckleBy   *string   `placeholder:"islands|reference" help:"How to despeckle: reference is as the reference tool does. Default: ${despeckle_by}."`
	EdgeColour    *string   `placeholder:"network|plate" help:"Where an edge's colour comes from: plate has the screen unmixed from it. Default: ${edge_colour}."`
	EdgeExtend    *float64  `placeholder:"PX" help:"Carry the edge's colour outwards under the matte; 0 is off. Default: ${edge_extend}."`
	SourceDetail  *bool     `negatable:"" help:"Take the foreground from the plate where the matte is solid. Default: on."`
	DespillLimit  *string   `placeholder:"LIMIT" help:"How much of the screen's colour may stay: average, max, screen or reference. Default: ${despill_limit}."`
	Despill       *float64  `placeholder:"0..1" help:"Strength of spill removal. Default: ${despill}."`
	NeutralReturn *float64  `placeholder:"0..1" help:"Share of the removed brightness that comes back as neutral. Default: ${neutral_return}."`
	Keep          []kept    `sep:"none" placeholder:"R,G,B[,T]" help:"A colour that despill leaves alone, 0..1 in the plate's space, with a tolerance. Repeat for more."`
	Background    *backdrop `placeholder:"BACK" help:"Behind a comp: checker, black, grey, white, a colour as R,G,B in 0..1, or a picture file. Default: ${background}."`
	Place         *string   `placeholder:"fit|fill|1:1" help:"How a background picture is laid. Default: ${place}."`
	BackScale     *float64  `placeholder:"X" help:"Scale of the background picture after that. Default: 1."`
	BackOffset    *place    `placeholder:"X,Y" help:"Where the background picture is moved, in pixels. Default: 0,0."`
	BackExposure  *float64  `placeholder:"STOPS" help:"Brighten the background picture. Default: 0."`
	Blend         *string   `placeholder:"linear|display" help:"Mix a comp in linear light, or sRGB-encoded as Photoshop does. Default: ${blend}."`
}

// markFlags say what is drawn or picked on the plate.
type markFlags struct {
	Pick      []place `sep:"none" placeholder:"X,Y" help:"A place where the screen is, for its colour. Repeat for more."`
	Core      path    `placeholder:"FILE" help:"A picture that is white where the matte must be 1."`
	Garbage   path    `placeholder:"FILE" help:"A picture that is white where the matte must be 0. It wins over --core."`
	Letterbox bool    `help:"Make bars and borders of one colour garbage."`
}

// set copies a flag that was given.
func set[From, To any](to *To, from *From, convert func(From) To) {
	if from != nil {
		*to = convert(*from)
	}
}

func word[T ~string](v string) T { return T(v) }
func number(v float64) float64   { return v }
func whole(v int) int            { return v }
func toggle(v bool) bool         { return v }
func pixelsOf(v pixels) float64  { return float64(v) }

// apply lays the given flags over a look, and returns the background picture's file, if one is named.
func (f *lookFlags) apply(l *settings.Look) (picture string, err error) {
	set(&l.ChromaSmooth, f.ChromaSmooth, pixelsOf)
	set(&l.KeyExposure, f.KeyExposure, number)
	set(&l.Refiner, f.Refiner, number)
	if f.Clip != nil {
		l.ClipBlack, l.ClipWhite = f.Clip[0], f.Clip[1]
	}
	set(&l.Gamma, f.Gamma, number)
	set(&l.Grow, f.Grow, number)
	set(&l.Soften, f.Soften, number)
	set(&l.Despeckle, f.Despeckle, whole)
	set(&l.DespeckleBy, f.DespeckleBy, word[settings.Despeckling])
	set(&l.EdgeColour, f.EdgeColour, word[settings.EdgeColour])
	set(&l.EdgeExtend, f.EdgeExtend, number)
	set(&l.SourceDetail, f.SourceDetail, toggle)
	set(&l.DespillLimit, f.DespillLimit, word[settings.DespillLimit])
	set(&l.Despill, f.Despill, number)
	set(&l.NeutralReturn, f.NeutralReturn, number)
	set(&l.Comp.Placement, f.Place, word[settings.Placement])
	set(&l.Comp.Scale, f.BackScale, number)
	if f.BackOffset != nil {
		l.Comp.OffsetX, l.Comp.OffsetY = f.BackOffset[0], f.BackOffset[1]
	}
	set(&l.Comp.Exposure, f.BackExposure, number)
	set(&l.Comp.Blend, f.Blend, word[settings.Blend])
	if f.Background != nil {
		l.Background, l.Comp.Colour, picture = f.Background.kind, f.Background.colour, f.Background.file
	}
	if err := l.Validate(); err != nil {
		return "", usageError{err}
	}
	return picture, nil
}

// apply lays the flags over an order.
func (f *markFlags) apply(o *keying.Order) {
	for _, p := range f.Pick {
		o.Picks = append(o.Picks, settings.Point{X: p[0], Y: p[1]})
	}
	o.Core, o.Garbage, o.Letterbox = string(f.Core), string(f.Garbage), f.Letterbox
}

// pixels is a number of pixels, or auto.
type pixels float64

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *pixels) UnmarshalText(text []byte) error {
	if string(text) == "auto" {
		*p = settings.ChromaAuto
		return nil
	}
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil || v < 0 {
		return fmt.Errorf("%q is no number of pixels, and not auto", text)
	}
	*p = pixels(v)
	return nil
}

// numbers reads numbers with commas between.
func numbers(text string) ([]float64, error) {
	var list []float64
	for part := range strings.SplitSeq(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// kept is a colour that despill leaves alone.
type kept settings.KeptColour

// UnmarshalText implements encoding.TextUnmarshaler.
func (k *kept) UnmarshalText(text []byte) error {
	list, err := numbers(string(text))
	if err != nil || len(list) != 3 && len(list) != 4 {
		return fmt.Errorf("%q is no colour such as 0.2,0.5,0.1, with or without a tolerance", text)
	}
	for _, v := range list[:3] {
		if !(v >= 0 && v <= 1) {
			return fmt.Errorf("%q is no colour: red, green and blue go from 0 to 1", text)
		}
	}
	*k = kept{Colour: settings.Colour(list[:3]), Tolerance: settings.DefaultTolerance}
	if len(list) == 4 {
		k.Tolerance = list[3]
	}
	return nil
}

// backdrop is what a comp shows behind.
type backdrop struct {
	kind   settings.Background
	colour settings.Colour
	file   string
}

// Decode implements kong.MapperValue.
func (b *backdrop) Decode(ctx *kong.DecodeContext) error {
	text, err := typed(ctx)
	if err != nil {
		return err
	}
	for _, kind := range settings.Backgrounds() {
		if string(kind) == text && kind != settings.BackgroundColour && kind != settings.BackgroundPicture {
			*b = backdrop{kind: kind}
			return nil
		}
	}
	if list, err := numbers(text); err == nil && len(list) == 3 {
		*b = backdrop{kind: settings.BackgroundColour, colour: settings.Colour(list)}
		return nil
	}
	if _, err := os.Stat(text); errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%q is not checker, black, grey, white, a colour such as 0.1,0.1,0.1, or a file that is there", text)
	}
	*b = backdrop{kind: settings.BackgroundPicture, file: text}
	return nil
}
