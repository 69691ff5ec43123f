package picture

import (
	"errors"
	"slices"
	"testing"
)

func TestInOrderUsesPartsInTheirOrder(t *testing.T) {
	var got []int
	err := InOrder(100, func(i int) (int, error) { return i * i, nil }, func(i, part int) error {
		if part != i*i {
			t.Errorf("part %d is %d", i, part)
		}
		got = append(got, i)
		return nil
	})
	if err != nil || len(got) != 100 || !slices.IsSorted(got) {
		t.Errorf("used %v, error %v", got, err)
	}
}

func TestInOrderStopsAtTheFirstError(t *testing.T) {
	wrong := errors.New("wrong")
	used := 0
	build := func(i int) (int, error) {
		if i == 7 {
			return 0, wrong
		}
		return i, nil
	}
	err := InOrder(1000, build, func(int, int) error { used++; return nil })
	if !errors.Is(err, wrong) || used != 7 {
		t.Errorf("used %d, error %v", used, err)
	}
	used = 0
	err = InOrder(1000, func(i int) (int, error) { return i, nil }, func(i, _ int) error {
		if used++; i == 3 {
			return wrong
		}
		return nil
	})
	if !errors.Is(err, wrong) || used != 4 {
		t.Errorf("used %d, error %v", used, err)
	}
}
