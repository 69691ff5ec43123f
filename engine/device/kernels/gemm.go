package kernels

import (
	"fmt"

	"greenroom/engine/program"
)

// Gemm is Y [M, N] = act(X [M, K] * W^T + Bias) + Residual.
//
// Bindings: X, weight (as PackGemm lays it out), bias [N] float32, residual, Y. Y may be the residual's memory.
type Gemm struct {
	X, Y Operand
	// Residual is [M, N], or none.
	Residual Operand
	// Weight is the type of the packed weight.
	Weight program.DType
	Bias   bool
	Act    program.Act
}

// Calls returns the dispatches that compute it.
func (g Gemm) Calls(l Limits) ([]Call, error) { return nil, fmt.Errorf("gemm: to be written") }

// PackGemm lays out a weight [n, k] for Gemm.
func PackGemm(w []float32, n, k int, t program.DType) []byte { return nil }

func gemmVariants() []Variant { return nil }
