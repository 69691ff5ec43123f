package kernels

import "fmt"

// reach is what a call that writes rows of its result reads or writes of an operand.
type reach struct {
	role    Role
	operand Operand
	// offset is where the operand begins, in bytes: scratch memory holds several.
	offset int64
	// rows returns the operand's rows that rows from to to of the result need; nil stands for the same rows.
	rows func(from, to int) (int, int)
	// whole says that the kernel needs all of the operand every time.
	whole bool
}

// same is the reach of an operand whose rows go with the result's.
func same(r Role, o Operand) reach { return reach{role: r, operand: o} }

// whole is the reach of an operand that every call needs all of.
func whole(r Role, o Operand) reach { return reach{role: r, operand: o, whole: true} }

// words is the reach of n 32-bit words that every call needs all of.
func words(r Role, n int) reach { return whole(r, Operand{Rows: 1, Stride: n, Cols: n}) }

// seen is an operand in one call: its binding, and its place there: base is the element of the window, modulo 2^32,
// that column Col of row 0 would be.
type seen struct {
	Binding
	place
}

// part is a range of a result's rows that one call computes, with what it sees of the operands.
type part struct {
	from, to int
	operands []seen
}

// bindings returns the bindings of a part's operands. In the place of one that is not there stands the first, which is
// read anyway: another call of the same op may be writing what this one writes.
func (p part) bindings() []Binding {
	b := make([]Binding, len(p.operands))
	for i, o := range p.operands {
		b[i] = o.Binding
		if o.Bytes == 0 {
			b[i] = p.operands[0].Binding
		}
	}
	return b
}

// split cuts rows into parts within limits, each but the last a multiple of unit rows. work is operations a row.
func split(rows, unit int, work float64, l Limits, operands ...reach) ([]part, error) {
	return splitFrom(rows, rows, unit, work, l, operands...)
}

// splitFrom is split with parts of at most the given number of rows.
func splitFrom(rows, most, unit int, work float64, l Limits, operands ...reach) ([]part, error) {
	step := most
	if l.Work > 0 && work*float64(step) > l.Work {
		step = max(unit, int(l.Work/work)/unit*unit)
	}
	for {
		parts, fits := cut(rows, step, l, operands)
		if fits {
			return parts, nil
		}
		for _, o := range operands {
			if o.whole && l.Binding > 0 && o.operand.Bytes() > l.Binding {
				return nil, fmt.Errorf("%w: %d bytes of %d", ErrTooLarge, o.operand.Bytes(), l.Binding)
			}
		}
		if step <= unit {
			return nil, fmt.Errorf("%w: even %d rows at a time pass %d bytes", ErrTooLarge, unit, l.Binding)
		}
		step = max(unit, step/2/unit*unit)
	}
}

// cut cuts rows into parts of step rows and reports whether all their windows fit.
func cut(rows, step int, l Limits, operands []reach) ([]part, bool) {
	var parts []part
	for from := 0; from < rows; from += step {
		p := part{from: from, to: min(from+step, rows)}
		for _, o := range operands {
			s := o.see(p.from, p.to, l)
			if l.Binding > 0 && s.Bytes > l.Binding {
				return nil, false
			}
			p.operands = append(p.operands, s)
		}
		parts = append(parts, p)
	}
	return parts, true
}

// see returns what a call for rows from to to of the result sees of the operand: all of it, unless that is too
// large.
func (r reach) see(from, to int, l Limits) seen {
	o := r.operand
	if o.None() {
		return seen{}
	}
	if r.whole || l.Binding <= 0 || o.Bytes() <= l.Binding {
		return seen{Binding{Role: r.role, Offset: r.offset, Bytes: o.Bytes()}, place{uint32(o.Col), uint32(o.Stride), uint32(o.Type)}}
	}
	if r.rows != nil {
		from, to = r.rows(from, to)
	}
	from, to = max(from, 0), min(to, o.Rows)
	row := int64(o.Stride) * o.Type.Size()
	start := int64(from) * row / windowAlign * windowAlign
	end := (int64(to)*row + 3) / 4 * 4
	base := uint32(int64(o.Col) - start/o.Type.Size())
	return seen{Binding{Role: r.role, Offset: r.offset + start, Bytes: end - start}, place{base, uint32(o.Stride), uint32(o.Type)}}
}

// calls makes a call for every part: groups of rows rows, times across, and push constants for the part.
func calls(kernel string, parts []part, rows, across int, work float64, constants func(p part) []byte) []Call {
	list := make([]Call, len(parts))
	for i, p := range parts {
		list[i] = Call{
			Kernel: kernel, Push: constants(p), Groups: groups(ceilDiv(p.to-p.from, rows) * across),
			Bindings: p.bindings(), Work: work * float64(p.to-p.from),
		}
	}
	return list
}
