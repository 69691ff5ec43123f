#include "textflag.h"
#include "vector_amd64.h"

// In this file DI is the destination, SI the source and CX the floats left. Whole vectors are done in a loop, what
// is left under a mask.

// BEGIN loads the arguments and leaves for tail if there is no whole vector.
#define BEGIN \
	MOVQ dst_base+0(FP), DI \
	MOVQ x_base+24(FP), SI  \
	MOVQ x_len+32(FP), CX   \
	SUBQ $8, CX             \
	JLT  tail

#define NEXT \
	ADDQ $32, SI \
	ADDQ $32, DI \
	SUBQ $8, CX  \
	JGE  loop

// LOAD_TAIL leaves for done if nothing is left, else makes Y14 the mask of the last floats and Y0 the floats.
#define LOAD_TAIL \
	ADDQ       $8, CX        \
	JZ         done          \
	TAIL_MASK(Y14)           \
	VMASKMOVPS (SI), Y14, Y0

// func addAVX2(dst, a, b []float32)
TEXT ·addAVX2(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DI
	MOVQ a_base+24(FP), SI
	MOVQ a_len+32(FP), CX
	MOVQ b_base+48(FP), DX
	SUBQ $8, CX
	JLT  tail

loop:
	VMOVUPS (SI), Y0
	VADDPS  (DX), Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ    $32, DX
	NEXT

tail:
	LOAD_TAIL
	VMASKMOVPS (DX), Y14, Y1
	VADDPS     Y1, Y0, Y0
	VMASKMOVPS Y0, Y14, (DI)

done:
	VZEROUPPER
	RET

// func reluAVX2(dst, x []float32)
TEXT ·reluAVX2(SB), NOSPLIT, $0-48
	VXORPS Y15, Y15, Y15
	BEGIN

loop:
	VMOVUPS (SI), Y0
	VMAXPS  Y0, Y15, Y0
	VMOVUPS Y0, (DI)
	NEXT

tail:
	LOAD_TAIL
	VMAXPS     Y0, Y15, Y0
	VMASKMOVPS Y0, Y14, (DI)

done:
	VZEROUPPER
	RET

// func geluAVX2(dst, x []float32)
TEXT ·geluAVX2(SB), NOSPLIT, $0-48
	BEGIN

loop:
	VMOVUPS (SI), Y0
	GELU_VECTOR(Y0, Y1, Y2, Y3)
	VMOVUPS Y0, (DI)
	NEXT

tail:
	LOAD_TAIL
	GELU_VECTOR(Y0, Y1, Y2, Y3)
	VMASKMOVPS Y0, Y14, (DI)

done:
	VZEROUPPER
	RET

// EXP2_PARTS replaces the fraction x by 2^(x+n): 0 for n = -127, infinity for n = 128. p is a temporary, Y13 the
// exponent's bias.
#define EXP2_PARTS(x, n, p) \
	EXP2_POLYNOMIAL(x, p) \
	VCVTPS2DQ n, n        \
	VPADDD    Y13, n, n   \
	VPSLLD    $23, n, n   \
	VMULPS    n, p, x

// EXP replaces x by e^x: the multiple n of ln 2 is taken off in two parts, then the rest is a power of two again.
// Y8 and Y9 are the range, Y10 log2(e), Y11 and Y12 the parts of ln 2.
#define EXP(x, n, p) \
	VMULPS       Y10, x, n \
	VMAXPS       n, Y8, n  \
	VMINPS       n, Y9, n  \
	VROUNDPS     $0, n, n  \
	VFNMADD231PS Y11, n, x \
	VFNMADD231PS Y12, n, x \
	VMULPS       Y10, x, x \
	VMAXPS       x, Y7, x  \
	VMINPS       x, Y6, x  \
	EXP2_PARTS(x, n, p)

// func expAVX2(dst, x []float32)
TEXT ·expAVX2(SB), NOSPLIT, $0-48
	VMOVUPS EXP2_MIN, Y8
	VMOVUPS EXP2_MAX, Y9
	VMOVUPS LOG2_E, Y10
	VMOVUPS LN2_HIGH, Y11
	VMOVUPS LN2_LOW, Y12
	VMOVUPS EXPONENT_BIAS, Y13
	VMOVUPS HALF, Y6
	VMOVUPS MINUS_HALF, Y7
	BEGIN

loop:
	VMOVUPS (SI), Y0
	EXP(Y0, Y1, Y2)
	VMOVUPS Y0, (DI)
	NEXT

tail:
	LOAD_TAIL
	EXP(Y0, Y1, Y2)
	VMASKMOVPS Y0, Y14, (DI)

done:
	VZEROUPPER
	RET

// SIGMOID replaces x by 1/(1+2^(-x*log2(e))). Y10 is -log2(e), Y11 one, the rest as for EXP.
#define SIGMOID(x, n, p) \
	VMULPS   Y10, x, x  \
	VMAXPS   x, Y8, x   \
	VMINPS   x, Y9, x   \
	VROUNDPS $0, x, n   \
	VSUBPS   n, x, x    \
	EXP2_PARTS(x, n, p) \
	VADDPS   Y11, x, x  \
	VDIVPS   x, Y11, x

// func sigmoidAVX2(dst, x []float32)
TEXT ·sigmoidAVX2(SB), NOSPLIT, $0-48
	VMOVUPS EXP2_MIN, Y8
	VMOVUPS EXP2_MAX, Y9
	VXORPS  Y10, Y10, Y10
	VSUBPS  LOG2_E, Y10, Y10
	VMOVUPS ONE, Y11
	VMOVUPS EXPONENT_BIAS, Y13
	BEGIN

loop:
	VMOVUPS (SI), Y0
	SIGMOID(Y0, Y1, Y2)
	VMOVUPS Y0, (DI)
	NEXT

tail:
	LOAD_TAIL
	SIGMOID(Y0, Y1, Y2)
	VMASKMOVPS Y0, Y14, (DI)

done:
	VZEROUPPER
	RET

// MAX4 leaves the maximum of Y0 to Y3 in Y0, NaN if one of them is: lanes without an order become all ones.
#define MAX4 \
	VCMPPS $3, Y1, Y0, Y4 \
	VCMPPS $3, Y3, Y2, Y5 \
	VMAXPS Y1, Y0, Y0     \
	VMAXPS Y3, Y2, Y2     \
	VMAXPS Y2, Y0, Y0     \
	VORPS  Y5, Y4, Y4     \
	VORPS  Y4, Y0, Y0

// func maxPool4AVX2(dst, x []float32, dstStride, xStride, rows, cols int)
//
// R8 and R9 are the strides in bytes, R10 rows left, R12 and R13 the starts of the rows, R11 three times R9.
TEXT ·maxPool4AVX2(SB), NOSPLIT, $0-80
	MOVQ  dst_base+0(FP), R12
	MOVQ  x_base+24(FP), R13
	MOVQ  dstStride+48(FP), R8
	MOVQ  xStride+56(FP), R9
	MOVQ  rows+64(FP), R10
	SHLQ  $2, R8
	SHLQ  $2, R9
	LEAQ  (R9)(R9*2), R11
	TESTQ R10, R10
	JZ    done

row:
	MOVQ R12, DI
	MOVQ R13, SI
	MOVQ cols+72(FP), CX
	SUBQ $8, CX
	JLT  tail

loop:
	VMOVUPS (SI), Y0
	VMOVUPS (SI)(R9*1), Y1
	VMOVUPS (SI)(R9*2), Y2
	VMOVUPS (SI)(R11*1), Y3
	MAX4
	VMOVUPS Y0, (DI)
	NEXT

tail:
	ADDQ       $8, CX
	JZ         next
	TAIL_MASK(Y14)
	VMASKMOVPS (SI), Y14, Y0
	VMASKMOVPS (SI)(R9*1), Y14, Y1
	VMASKMOVPS (SI)(R9*2), Y14, Y2
	VMASKMOVPS (SI)(R11*1), Y14, Y3
	MAX4
	VMASKMOVPS Y0, Y14, (DI)

next:
	ADDQ R8, R12
	LEAQ (R13)(R9*4), R13
	DECQ R10
	JNZ  row

done:
	VZEROUPPER
	RET
