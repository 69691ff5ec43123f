package kernels

import (
	"fmt"

	"greenroom/engine/program"
)

// named is an operand with what errors call it.
type named struct {
	name string
	Operand
}

// checkAll reports the first operand that cannot be.
func checkAll(list ...named) error {
	for _, o := range list {
		if err := o.check(o.name); err != nil {
			return err
		}
	}
	return nil
}

// checkSame is checkAll for operands of one shape; those after the first two may be none.
func checkSame(list ...named) error {
	for i, o := range list {
		if i >= 2 && o.None() {
			continue
		}
		if err := o.check(o.name); err != nil {
			return err
		}
		if o.Rows != list[0].Rows || o.Cols != list[0].Cols {
			return fmt.Errorf("%s of %d x %d beside %s of %d x %d", o.name, o.Rows, o.Cols, list[0].name, list[0].Rows, list[0].Cols)
		}
	}
	return nil
}

// checkType reports a type that no operand and no weight can have. Kernels know the types by their numbers.
func checkType(t program.DType) error {
	if t != program.F32 && t != program.BF16 && t != program.F16 {
		return fmt.Errorf("no kernel reads type %s", t)
	}
	return nil
}

// checkAttention reports a shape that cannot be, or an operand that does not have its rows and columns.
func checkAttention(s program.AttentionShape, list ...named) error {
	if s.Windows < 1 || s.Queries < 1 || s.Keys < 1 || s.Heads < 1 || s.HeadDim < 1 || s.HeadDim > MaxHeadDim {
		return fmt.Errorf("%d windows of %d queries and %d keys, %d heads of %d columns (at most %d)",
			s.Windows, s.Queries, s.Keys, s.Heads, s.HeadDim, MaxHeadDim)
	}
	if err := checkAll(list...); err != nil {
		return err
	}
	for _, o := range list {
		rows := s.Windows * s.Keys
		if o.name == "Q" || o.name == "Y" {
			rows = s.Windows * s.Queries
		}
		if o.Rows != rows || o.Cols != s.Heads*s.HeadDim {
			return fmt.Errorf("%s of %d x %d, not %d x %d", o.name, o.Rows, o.Cols, rows, s.Heads*s.HeadDim)
		}
	}
	return nil
}

// checkScores reports scores that do not have their rows and columns.
func checkScores(s program.AttentionShape, o Operand) error {
	if err := o.check("scores"); err != nil {
		return err
	}
	if rows := s.Windows * s.Heads * s.Queries; o.Rows != rows || o.Cols != s.Keys {
		return fmt.Errorf("scores of %d x %d, not %d x %d", o.Rows, o.Cols, rows, s.Keys)
	}
	return nil
}
