#include "go_asm.h"
#include "textflag.h"
#include "vector_amd64.h"

// WEIGHT replaces x by 2^x, for x up to 0.5; n and p are temporaries. Y8 to Y14 are the constants that
// softmaxBlockAVX2 loads. Below 2^-100 of the peak weights stay at 2^-100, which no sum notices
// and which keeps products with them out of the slow range of subnormal numbers.
#define WEIGHT(x, n, p) \
	VMAXPS      x, Y14, x \
	VROUNDPS    $0, x, n  \
	VSUBPS      n, x, x   \
	VMOVAPS     Y12, p    \
	VFMADD213PS Y11, x, p \
	VFMADD213PS Y10, x, p \
	VFMADD213PS Y9, x, p  \
	VFMADD213PS Y8, x, p  \
	VFMADD213PS Y13, x, p \
	VCVTPS2DQ   n, n      \
	VPSLLD      $23, n, n \
	VPADDD      n, p, x

// func softmaxBlockAVX2(b *softmaxBlock)
//
// SI is b, DI the row, R8 rows left, R9 the bytes of a row's whole vectors, R10 and R11 peak and sum, R12 the
// row's results, R13 the old peak. Y0 is the new peak, Y6 the scale. DX is 1 where a row ends within a vector,
// whose mask then is in the frame.
TEXT ·softmaxBlockAVX2(SB), NOSPLIT, $32-8
	MOVQ    b+0(FP), SI
	MOVQ    softmaxBlock_scores(SI), DI
	MOVQ    softmaxBlock_rows(SI), R8
	MOVQ    softmaxBlock_peak(SI), R10
	MOVQ    softmaxBlock_sum(SI), R11
	MOVQ    softmaxBlock_out(SI), R12
	MOVQ    softmaxBlock_cols(SI), R9
	MOVQ    R9, CX
	ANDQ    $7, CX
	SUBQ    CX, R9
	SHLQ    $2, R9
	XORQ    DX, DX
	TESTQ   CX, CX
	JZ      constants
	MOVQ    $1, DX
	SHLQ    $2, CX
	LEAQ    masks<>+32(SB), AX
	SUBQ    CX, AX
	VMOVUPS (AX), Y0
	VMOVUPS Y0, 0(SP)

constants:
	VMOVUPS EXP2_C1, Y8
	VMOVUPS EXP2_C2, Y9
	VMOVUPS EXP2_C3, Y10
	VMOVUPS EXP2_C4, Y11
	VMOVUPS EXP2_C5, Y12
	VMOVUPS ONE, Y13
	VMOVUPS SCORE_MIN, Y14

row:
	// The peak: Y1 and Y2 are maxima by lane.
	VMOVUPS MINUS_INFINITY, Y1
	VMOVAPS Y1, Y2
	MOVQ    DI, AX
	MOVQ    R9, CX
	SUBQ    $64, CX
	JLT     maxOne

maxTwo:
	VMAXPS (AX), Y1, Y1
	VMAXPS 32(AX), Y2, Y2
	ADDQ   $64, AX
	SUBQ   $64, CX
	JGE    maxTwo

maxOne:
	ADDQ   $32, CX
	JLT    maxTail
	VMAXPS (AX), Y1, Y1
	ADDQ   $32, AX

maxTail:
	TESTQ      DX, DX
	JZ         maxLanes
	VMOVUPS    0(SP), Y4
	VMASKMOVPS (AX), Y4, Y3
	VMOVUPS    MINUS_INFINITY, Y5
	VBLENDVPS  Y4, Y3, Y5, Y3
	VMAXPS     Y3, Y2, Y2

maxLanes:
	VMAXPS       Y2, Y1, Y1
	VEXTRACTF128 $1, Y1, X2
	VMAXPS       X2, X1, X1
	VSHUFPS      $0x4e, X1, X1, X2
	VMAXPS       X2, X1, X1
	VSHUFPS      $0xb1, X1, X1, X2
	VMAXPS       X2, X1, X1
	VBROADCASTSS softmaxBlock_scale(SI), Y6
	VMULPS       X6, X1, X1
	MOVL         (R10), R13
	VMOVD        R13, X2
	VMAXPS       X2, X1, X1
	VBROADCASTSS X1, Y0
	VMOVSS       X0, (R10)

	// The weights, of score*scale - peak: Y7 and Y15 are their sums by lane.
	VXORPS Y7, Y7, Y7
	VXORPS Y15, Y15, Y15
	MOVQ   DI, AX
	MOVQ   R9, CX
	SUBQ   $64, CX
	JLT    weightOne

weightTwo:
	VMOVUPS     (AX), Y1
	VMOVUPS     32(AX), Y3
	VFMSUB213PS Y0, Y6, Y1
	WEIGHT(Y1, Y2, Y5)
	VMOVUPS     Y1, (AX)
	VADDPS      Y1, Y7, Y7
	VFMSUB213PS Y0, Y6, Y3
	WEIGHT(Y3, Y4, Y5)
	VMOVUPS     Y3, 32(AX)
	VADDPS      Y3, Y15, Y15
	ADDQ        $64, AX
	SUBQ        $64, CX
	JGE         weightTwo

weightOne:
	ADDQ        $32, CX
	JLT         weightTail
	VMOVUPS     (AX), Y1
	VFMSUB213PS Y0, Y6, Y1
	WEIGHT(Y1, Y2, Y5)
	VMOVUPS     Y1, (AX)
	VADDPS      Y1, Y7, Y7
	ADDQ        $32, AX

weightTail:
	TESTQ       DX, DX
	JZ          fade
	VMOVUPS     0(SP), Y4
	VMASKMOVPS  (AX), Y4, Y1
	VFMSUB213PS Y0, Y6, Y1
	WEIGHT(Y1, Y2, Y5)
	VANDPS      Y4, Y1, Y1
	VMASKMOVPS  Y1, Y4, (AX)
	VADDPS      Y1, Y15, Y15

fade:
	// Y6 becomes what earlier blocks fade by.
	VADDPS       Y15, Y7, Y7
	VMOVD        R13, X6
	VBROADCASTSS X6, Y6
	VSUBPS       Y0, Y6, Y6
	WEIGHT(Y6, Y2, Y5)
	VEXTRACTF128 $1, Y7, X1
	VADDPS       X1, X7, X7
	VSHUFPS      $0x4e, X7, X7, X1
	VADDPS       X1, X7, X7
	VSHUFPS      $0xb1, X7, X7, X1
	VADDPS       X1, X7, X7
	VMOVSS       (R11), X1
	VFMADD231SS  X6, X1, X7
	VMOVSS       X7, (R11)

	// A fade of one leaves the results as they are.
	MOVQ     softmaxBlock_outStride(SI), CX
	TESTQ    CX, CX
	JZ       next
	VUCOMISS X13, X6
	JNE      scale
	JPS      scale
	JMP      faded

scale:
	MOVQ R12, AX
	SUBQ $8, CX
	JLT  next

scaleOne:
	VMULPS  (AX), Y6, Y1
	VMOVUPS Y1, (AX)
	ADDQ    $32, AX
	SUBQ    $8, CX
	JGE     scaleOne

faded:
	MOVQ softmaxBlock_outStride(SI), CX
	LEAQ (R12)(CX*4), R12

next:
	MOVQ softmaxBlock_stride(SI), CX
	LEAQ (DI)(CX*4), DI
	ADDQ $4, R10
	ADDQ $4, R11
	DECQ R8
	JNZ  row
	VZEROUPPER
	RET

// func transpose16AVX2(dst, src *float32, stride, cols int)
//
// Sixteen rows of src become columns; cols is a positive multiple of 8. Two squares of 8 x 8 at a time.
TEXT ·transpose16AVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ stride+16(FP), DX
	MOVQ cols+24(FP), CX
	SHLQ $2, DX
	LEAQ (DX)(DX*2), R8

square:
	MOVQ SI, AX
	MOVQ DI, BX
	MOVQ $2, R9

half:
	LEAQ    (AX)(DX*4), R10
	VMOVUPS (AX), Y0
	VMOVUPS (AX)(DX*1), Y1
	VMOVUPS (AX)(DX*2), Y2
	VMOVUPS (AX)(R8*1), Y3
	VMOVUPS (R10), Y4
	VMOVUPS (R10)(DX*1), Y5
	VMOVUPS (R10)(DX*2), Y6
	VMOVUPS (R10)(R8*1), Y7

	// Pairs of rows, then fours, then the 128-bit halves.
	VUNPCKLPS  Y1, Y0, Y8
	VUNPCKHPS  Y1, Y0, Y9
	VUNPCKLPS  Y3, Y2, Y10
	VUNPCKHPS  Y3, Y2, Y11
	VUNPCKLPS  Y5, Y4, Y12
	VUNPCKHPS  Y5, Y4, Y13
	VUNPCKLPS  Y7, Y6, Y14
	VUNPCKHPS  Y7, Y6, Y15
	VSHUFPS    $0x44, Y10, Y8, Y0
	VSHUFPS    $0xee, Y10, Y8, Y1
	VSHUFPS    $0x44, Y11, Y9, Y2
	VSHUFPS    $0xee, Y11, Y9, Y3
	VSHUFPS    $0x44, Y14, Y12, Y4
	VSHUFPS    $0xee, Y14, Y12, Y5
	VSHUFPS    $0x44, Y15, Y13, Y6
	VSHUFPS    $0xee, Y15, Y13, Y7
	VPERM2F128 $0x20, Y4, Y0, Y8
	VPERM2F128 $0x20, Y5, Y1, Y9
	VPERM2F128 $0x20, Y6, Y2, Y10
	VPERM2F128 $0x20, Y7, Y3, Y11
	VPERM2F128 $0x31, Y4, Y0, Y12
	VPERM2F128 $0x31, Y5, Y1, Y13
	VPERM2F128 $0x31, Y6, Y2, Y14
	VPERM2F128 $0x31, Y7, Y3, Y15
	VMOVUPS    Y8, (BX)
	VMOVUPS    Y9, 64(BX)
	VMOVUPS    Y10, 128(BX)
	VMOVUPS    Y11, 192(BX)
	VMOVUPS    Y12, 256(BX)
	VMOVUPS    Y13, 320(BX)
	VMOVUPS    Y14, 384(BX)
	VMOVUPS    Y15, 448(BX)
	LEAQ       (AX)(DX*8), AX
	ADDQ       $32, BX
	DECQ       R9
	JNZ        half
	ADDQ       $32, SI
	ADDQ       $512, DI
	SUBQ       $8, CX
	JNZ        square
	VZEROUPPER
	RET
