#include "go_asm.h"
#include "textflag.h"
#include "vector_arm64.h"

// The values of math32.go, in the order in which the kernels load them.
DATA constants<>+0(SB)/4, $0.6931470036506653 // EXP2 C1 to C5
DATA constants<>+4(SB)/4, $0.24022242426872253
DATA constants<>+8(SB)/4, $0.05550733581185341
DATA constants<>+12(SB)/4, $0.009671512991189957
DATA constants<>+16(SB)/4, $0.001326472731307149
DATA constants<>+20(SB)/4, $1.0
DATA constants<>+24(SB)/4, $-100.0 // the least exponent of a weight
DATA constants<>+28(SB)/4, $6.0 // GELU's limit and coefficients, the last first
DATA constants<>+32(SB)/4, $3.3433057978982106e-05
DATA constants<>+36(SB)/4, $-0.0007717953994870186
DATA constants<>+40(SB)/4, $0.008088025264441967
DATA constants<>+44(SB)/4, $-0.05342184752225876
DATA constants<>+48(SB)/4, $-0.4587647318840027
DATA constants<>+52(SB)/4, $-1.1512033939361572
DATA constants<>+56(SB)/4, $-0.9999929070472717
GLOBL constants<>(SB), RODATA|NOPTR, $60

// LOAD_EXP2 loads what EXP2 needs and leaves R15 after it.
#define LOAD_EXP2 \
	MOVD    $constants<>(SB), R15 \
	VLD1R.P 4(R15), [V16.S4]      \
	VLD1R.P 4(R15), [V17.S4]      \
	VLD1R.P 4(R15), [V18.S4]      \
	VLD1R.P 4(R15), [V19.S4]      \
	VLD1R.P 4(R15), [V20.S4]      \
	VLD1R.P 4(R15), [V21.S4]

// func softmaxVectorsNEON(b *softmaxBlock)
//
// softmaxBlock for a multiple of four columns. R10 is b, R0 the row, R1 rows left, R2 columns, R3 and R4 peak and
// sum, R5 the row's results, R6 walks a row, R7 counts. V0 is the peak, V1 the scale, V6 the sum by lane, V22 the
// least exponent.
TEXT ·softmaxVectorsNEON(SB), NOSPLIT, $0-8
	MOVD  b+0(FP), R10
	LOAD_EXP2
	VLD1R (R15), [V22.S4]
	MOVD  softmaxBlock_scores(R10), R0
	MOVD  softmaxBlock_rows(R10), R1
	MOVD  softmaxBlock_cols(R10), R2
	MOVD  softmaxBlock_peak(R10), R3
	MOVD  softmaxBlock_sum(R10), R4
	MOVD  softmaxBlock_out(R10), R5
	MOVD  $softmaxBlock_scale(R10), R15
	VLD1R (R15), [V1.S4]

row:
	MOVD   R0, R6
	MOVD   R2, R7
	VLD1.P 16(R6), [V0.S4]
	SUBS   $4, R7
	BEQ    peak

more:
	VLD1.P 16(R6), [V2.S4]
	FMAX(2, 0, 0)
	SUBS   $4, R7
	BNE    more

peak:
	FMAXV(0, 0)
	VDUP  V0.S[0], V0.S4
	FMUL(1, 0, 0)
	VLD1R (R3), [V7.S4]
	FMAX(7, 0, 0)
	FMOVS F0, (R3)
	VEOR  V6.B16, V6.B16, V6.B16
	MOVD  R0, R6
	MOVD  R2, R7

weight:
	VLD1   (R6), [V2.S4]
	FMUL(1, 2, 2)
	FSUB(0, 2, 2)
	FMAX(22, 2, 2)
	EXP2
	VST1.P [V2.S4], 16(R6)
	FADD(2, 6, 6)
	SUBS   $4, R7
	BNE    weight

	// V2 becomes what earlier blocks fade by.
	FSUB(0, 7, 2)
	FMAX(22, 2, 2)
	EXP2
	FADDP(6, 6, 6)
	FADDP(6, 6, 6)
	VLD1R (R4), [V7.S4]
	VFMLA V7.S4, V2.S4, V6.S4
	FMOVS F6, (R4)
	MOVD  softmaxBlock_outStride(R10), R7
	CBZ   R7, next

fade:
	VLD1   (R5), [V3.S4]
	FMUL(2, 3, 3)
	VST1.P [V3.S4], 16(R5)
	SUBS   $4, R7
	BNE    fade

next:
	MOVD softmaxBlock_stride(R10), R7
	ADD  R7<<2, R0
	ADD  $4, R3
	ADD  $4, R4
	SUBS $1, R1
	BNE  row
	RET

// func geluVectorsNEON(dst, x *float32, n int)
//
// gelu32 for a positive multiple of four floats. V0 is x, V1 its size, V2 the exponent; V23 is the limit, V24 to V30
// the coefficients from the last to the first, V31 zero.
TEXT ·geluVectorsNEON(SB), NOSPLIT, $0-24
	MOVD    dst+0(FP), R0
	MOVD    x+8(FP), R1
	MOVD    n+16(FP), R2
	LOAD_EXP2
	ADD     $4, R15
	VLD1R.P 4(R15), [V23.S4]
	VLD1R.P 4(R15), [V24.S4]
	VLD1R.P 4(R15), [V25.S4]
	VLD1R.P 4(R15), [V26.S4]
	VLD1R.P 4(R15), [V27.S4]
	VLD1R.P 4(R15), [V28.S4]
	VLD1R.P 4(R15), [V29.S4]
	VLD1R.P 4(R15), [V30.S4]
	VEOR    V31.B16, V31.B16, V31.B16

four:
	VLD1.P 16(R1), [V0.S4]
	FABS(0, 1)
	FMIN(23, 1, 1)
	VMOV   V25.B16, V2.B16
	VFMLA  V1.S4, V24.S4, V2.S4
	VMOV   V26.B16, V3.B16
	VFMLA  V1.S4, V2.S4, V3.S4
	VMOV   V27.B16, V2.B16
	VFMLA  V1.S4, V3.S4, V2.S4
	VMOV   V28.B16, V3.B16
	VFMLA  V1.S4, V2.S4, V3.S4
	VMOV   V29.B16, V2.B16
	VFMLA  V1.S4, V3.S4, V2.S4
	VMOV   V30.B16, V3.B16
	VFMLA  V1.S4, V2.S4, V3.S4
	VMOV   V3.B16, V2.B16
	EXP2
	FMAX(31, 0, 0)
	VFMLS  V2.S4, V1.S4, V0.S4
	VST1.P [V0.S4], 16(R0)
	SUBS   $4, R2
	BNE    four
	RET
