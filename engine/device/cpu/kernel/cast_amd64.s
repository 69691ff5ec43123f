#include "textflag.h"

// In this file R12 and R13 are the starts of a destination and source row, R8 and R9 the strides in bytes, R10
// counts rows, R11 is the columns, CX counts the columns left. Elements past the last whole vector are done one by one.

// func expandAVX2(dst []float32, x []uint16, dstStride, xStride, rows, cols int)
//
// bfloat16 is the upper half of float32.
TEXT ·expandAVX2(SB), NOSPLIT, $0-80
	MOVQ  dst_base+0(FP), R12
	MOVQ  x_base+24(FP), R13
	MOVQ  dstStride+48(FP), R8
	MOVQ  xStride+56(FP), R9
	MOVQ  rows+64(FP), R10
	MOVQ  cols+72(FP), R11
	SHLQ  $2, R8
	SHLQ  $1, R9
	TESTQ R10, R10
	JZ    done

row:
	MOVQ R12, DI
	MOVQ R13, SI
	MOVQ R11, CX
	SUBQ $16, CX
	JLT  few

sixteen:
	VPMOVZXWD (SI), Y0
	VPMOVZXWD 16(SI), Y1
	VPSLLD    $16, Y0, Y0
	VPSLLD    $16, Y1, Y1
	VMOVUPS   Y0, (DI)
	VMOVUPS   Y1, 32(DI)
	ADDQ      $32, SI
	ADDQ      $64, DI
	SUBQ      $16, CX
	JGE       sixteen

few:
	ADDQ      $8, CX
	JLT       rest
	VPMOVZXWD (SI), Y0
	VPSLLD    $16, Y0, Y0
	VMOVUPS   Y0, (DI)
	ADDQ      $16, SI
	ADDQ      $32, DI
	SUBQ      $8, CX

rest:
	ADDQ $8, CX
	JZ   next

one:
	MOVWLZX (SI), AX
	SHLL    $16, AX
	MOVL    AX, (DI)
	ADDQ    $2, SI
	ADDQ    $4, DI
	DECQ    CX
	JNZ     one

next:
	ADDQ R8, R12
	ADDQ R9, R13
	DECQ R10
	JNZ  row

done:
	VZEROUPPER
	RET

DATA rounding<>+0(SB)/4, $0x7fff
DATA rounding<>+4(SB)/4, $1
DATA rounding<>+8(SB)/4, $0x400000
GLOBL rounding<>(SB), RODATA|NOPTR, $12

// ROUND leaves the eight floats x as bfloat16 in the low halves of its lanes: adding 0x7fff plus the lowest kept
// bit rounds to nearest even; NaN is cut off and made quiet instead. Y13 to Y15 hold the constants.
#define ROUND(x, t, nan) \
	VCMPPS    $3, x, x, nan \
	VPSRLD    $16, x, t     \
	VPAND     Y14, t, t     \
	VPADDD    Y13, t, t     \
	VPADDD    x, t, t       \
	VPOR      Y15, x, x     \
	VBLENDVPS nan, x, t, x  \
	VPSRLD    $16, x, x

// func roundAVX2(dst []uint16, x []float32, dstStride, xStride, rows, cols int)
TEXT ·roundAVX2(SB), NOSPLIT, $0-80
	MOVQ         dst_base+0(FP), R12
	MOVQ         x_base+24(FP), R13
	MOVQ         dstStride+48(FP), R8
	MOVQ         xStride+56(FP), R9
	MOVQ         rows+64(FP), R10
	MOVQ         cols+72(FP), R11
	SHLQ         $1, R8
	SHLQ         $2, R9
	VPBROADCASTD rounding<>+0(SB), Y13
	VPBROADCASTD rounding<>+4(SB), Y14
	VPBROADCASTD rounding<>+8(SB), Y15
	TESTQ        R10, R10
	JZ           done

row:
	MOVQ R12, DI
	MOVQ R13, SI
	MOVQ R11, CX
	SUBQ $16, CX
	JLT  few

sixteen:
	VMOVUPS   (SI), Y0
	VMOVUPS   32(SI), Y1
	ROUND(Y0, Y2, Y3)
	ROUND(Y1, Y4, Y5)
	VPACKUSDW Y1, Y0, Y0
	VPERMQ    $0xd8, Y0, Y0
	VMOVDQU   Y0, (DI)
	ADDQ      $64, SI
	ADDQ      $32, DI
	SUBQ      $16, CX
	JGE       sixteen

few:
	ADDQ      $8, CX
	JLT       rest
	VMOVUPS   (SI), Y0
	ROUND(Y0, Y2, Y3)
	VPACKUSDW Y0, Y0, Y0
	VPERMQ    $0xd8, Y0, Y0
	VMOVDQU   X0, (DI)
	ADDQ      $32, SI
	ADDQ      $16, DI
	SUBQ      $8, CX

rest:
	ADDQ $8, CX
	JZ   next

one:
	VMOVSS (SI), X0
	ROUND(Y0, Y2, Y3)
	VMOVD  X0, AX
	MOVW   AX, (DI)
	ADDQ   $4, SI
	ADDQ   $2, DI
	DECQ   CX
	JNZ    one

next:
	ADDQ R8, R12
	ADDQ R9, R13
	DECQ R10
	JNZ  row

done:
	VZEROUPPER
	RET

// func expandF16C(dst []float32, x []uint16, dstStride, xStride, rows, cols int)
TEXT ·expandF16C(SB), NOSPLIT, $0-80
	MOVQ  dst_base+0(FP), R12
	MOVQ  x_base+24(FP), R13
	MOVQ  dstStride+48(FP), R8
	MOVQ  xStride+56(FP), R9
	MOVQ  rows+64(FP), R10
	MOVQ  cols+72(FP), R11
	SHLQ  $2, R8
	SHLQ  $1, R9
	TESTQ R10, R10
	JZ    done

row:
	MOVQ R12, DI
	MOVQ R13, SI
	MOVQ R11, CX
	SUBQ $16, CX
	JLT  few

sixteen:
	VCVTPH2PS (SI), Y0
	VCVTPH2PS 16(SI), Y1
	VMOVUPS   Y0, (DI)
	VMOVUPS   Y1, 32(DI)
	ADDQ      $32, SI
	ADDQ      $64, DI
	SUBQ      $16, CX
	JGE       sixteen

few:
	ADDQ      $8, CX
	JLT       rest
	VCVTPH2PS (SI), Y0
	VMOVUPS   Y0, (DI)
	ADDQ      $16, SI
	ADDQ      $32, DI
	SUBQ      $8, CX

rest:
	ADDQ $8, CX
	JZ   next

one:
	MOVWLZX   (SI), AX
	VMOVD     AX, X0
	VCVTPH2PS X0, X0
	VMOVSS    X0, (DI)
	ADDQ      $2, SI
	ADDQ      $4, DI
	DECQ      CX
	JNZ       one

next:
	ADDQ R8, R12
	ADDQ R9, R13
	DECQ R10
	JNZ  row

done:
	VZEROUPPER
	RET

// func roundF16C(dst []uint16, x []float32, dstStride, xStride, rows, cols int)
//
// Rounding mode 0 is to nearest even.
TEXT ·roundF16C(SB), NOSPLIT, $0-80
	MOVQ  dst_base+0(FP), R12
	MOVQ  x_base+24(FP), R13
	MOVQ  dstStride+48(FP), R8
	MOVQ  xStride+56(FP), R9
	MOVQ  rows+64(FP), R10
	MOVQ  cols+72(FP), R11
	SHLQ  $1, R8
	SHLQ  $2, R9
	TESTQ R10, R10
	JZ    done

row:
	MOVQ R12, DI
	MOVQ R13, SI
	MOVQ R11, CX
	SUBQ $16, CX
	JLT  few

sixteen:
	VMOVUPS   (SI), Y0
	VMOVUPS   32(SI), Y1
	VCVTPS2PH $0, Y0, (DI)
	VCVTPS2PH $0, Y1, 16(DI)
	ADDQ      $64, SI
	ADDQ      $32, DI
	SUBQ      $16, CX
	JGE       sixteen

few:
	ADDQ      $8, CX
	JLT       rest
	VMOVUPS   (SI), Y0
	VCVTPS2PH $0, Y0, (DI)
	ADDQ      $32, SI
	ADDQ      $16, DI
	SUBQ      $8, CX

rest:
	ADDQ $8, CX
	JZ   next

one:
	VMOVSS    (SI), X0
	VCVTPS2PH $0, X0, X0
	VMOVD     X0, AX
	MOVW      AX, (DI)
	ADDQ      $4, SI
	ADDQ      $2, DI
	DECQ      CX
	JNZ       one

next:
	ADDQ R8, R12
	ADDQ R9, R13
	DECQ R10
	JNZ  row

done:
	VZEROUPPER
	RET
