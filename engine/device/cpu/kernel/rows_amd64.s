#include "textflag.h"
#include "vector_amd64.h"

// The kernels in this file run over rows of floats. Whole vectors are done directly, what is left at the end of
// a row under a mask, so that nothing outside is read or written. In all of them DI and SI walk a row of the
// destination and the source, R8 and R9 are the strides in bytes, R10 counts rows, R11 is the columns, CX counts
// the columns left and R12, R13 are the starts of the rows.

// func copyAVX2(dst, x []float32, dstStride, xStride, rows, cols int)
TEXT ·copyAVX2(SB), NOSPLIT, $0-80
	MOVQ  dst_base+0(FP), R12
	MOVQ  x_base+24(FP), R13
	MOVQ  dstStride+48(FP), R8
	MOVQ  xStride+56(FP), R9
	MOVQ  rows+64(FP), R10
	MOVQ  cols+72(FP), R11
	SHLQ  $2, R8
	SHLQ  $2, R9
	TESTQ R10, R10
	JZ    done

row:
	MOVQ R12, DI
	MOVQ R13, SI
	MOVQ R11, CX
	SUBQ $16, CX
	JLT  one

two:
	VMOVUPS (SI), Y0
	VMOVUPS 32(SI), Y1
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	ADDQ    $64, SI
	ADDQ    $64, DI
	SUBQ    $16, CX
	JGE     two

one:
	ADDQ    $8, CX
	JLT     tail
	VMOVUPS (SI), Y0
	VMOVUPS Y0, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $8, CX

tail:
	ADDQ       $8, CX
	JZ         next
	TAIL_MASK(Y2)
	VMASKMOVPS (SI), Y2, Y0
	VMASKMOVPS Y0, Y2, (DI)

next:
	ADDQ R8, R12
	ADDQ R9, R13
	DECQ R10
	JNZ  row

done:
	VZEROUPPER
	RET

// func divideAVX2(dst, x, by []float32, dstStride, xStride, rows, cols int)
TEXT ·divideAVX2(SB), NOSPLIT, $0-104
	MOVQ    dst_base+0(FP), R12
	MOVQ    x_base+24(FP), R13
	MOVQ    by_base+48(FP), DX
	MOVQ    dstStride+72(FP), R8
	MOVQ    xStride+80(FP), R9
	MOVQ    rows+88(FP), R10
	MOVQ    cols+96(FP), R11
	SHLQ    $2, R8
	SHLQ    $2, R9
	VMOVUPS ONE, Y5
	TESTQ   R10, R10
	JZ      done

row:
	VDIVSS       (DX), X5, X3
	VBROADCASTSS X3, Y3
	ADDQ         $4, DX
	MOVQ         R12, DI
	MOVQ         R13, SI
	MOVQ         R11, CX
	SUBQ         $8, CX
	JLT          tail

one:
	VMULPS  (SI), Y3, Y0
	VMOVUPS Y0, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $8, CX
	JGE     one

tail:
	ADDQ       $8, CX
	JZ         next
	TAIL_MASK(Y2)
	VMASKMOVPS (SI), Y2, Y0
	VMULPS     Y0, Y3, Y0
	VMASKMOVPS Y0, Y2, (DI)

next:
	ADDQ R8, R12
	ADDQ R9, R13
	DECQ R10
	JNZ  row

done:
	VZEROUPPER
	RET

// func scaleAVX2(dst, x []float32, by float32)
TEXT ·scaleAVX2(SB), NOSPLIT, $0-52
	MOVQ         dst_base+0(FP), DI
	MOVQ         x_base+24(FP), SI
	MOVQ         x_len+32(FP), CX
	VBROADCASTSS by+48(FP), Y3
	SUBQ         $8, CX
	JLT          tail

one:
	VMULPS  (SI), Y3, Y0
	VMOVUPS Y0, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $8, CX
	JGE     one

tail:
	ADDQ       $8, CX
	JZ         done
	TAIL_MASK(Y2)
	VMASKMOVPS (SI), Y2, Y0
	VMULPS     Y0, Y3, Y0
	VMASKMOVPS Y0, Y2, (DI)

done:
	VZEROUPPER
	RET
