#include "textflag.h"
#include "vector_amd64.h"

// SUM_LANES leaves the sum of the lanes of y (whose lower half is x) in every lane of it; t is a temporary.
#define SUM_LANES(y, x, t) \
	VEXTRACTF128 $1, y, t       \
	VADDPS       t, x, x        \
	VSHUFPS      $0x4e, x, x, t \
	VADDPS       t, x, x        \
	VSHUFPS      $0xb1, x, x, t \
	VADDPS       t, x, x        \
	VBROADCASTSS x, y

// func layerNormAVX2(dst, src, gamma, beta []float32, eps float32, dstStride, srcStride, rows int)
//
// Three passes over a row, which the cache holds: the mean, the deviations, the result. DI and SI are the rows,
// BX and DX gamma and beta, R8 and R9 the strides in bytes, R10 rows left, R11 the bytes of the row's whole
// vectors, R12 the columns after them, AX the place in the row. Y15 is the mask of those last columns, Y14 the
// number of columns, Y13 epsilon, Y12 one; Y8 becomes the mean, Y9 the scale.
TEXT ·layerNormAVX2(SB), NOSPLIT, $0-128
	MOVQ         dst_base+0(FP), DI
	MOVQ         src_base+24(FP), SI
	MOVQ         gamma_base+48(FP), BX
	MOVQ         gamma_len+56(FP), R11
	MOVQ         beta_base+72(FP), DX
	MOVQ         dstStride+104(FP), R8
	MOVQ         srcStride+112(FP), R9
	MOVQ         rows+120(FP), R10
	SHLQ         $2, R8
	SHLQ         $2, R9
	VXORPS       X14, X14, X14
	VCVTSI2SSQ   R11, X14, X14
	VBROADCASTSS X14, Y14
	VBROADCASTSS eps+96(FP), Y13
	VMOVUPS      ONE, Y12
	MOVQ         R11, R12
	ANDQ         $7, R12
	SUBQ         R12, R11
	SHLQ         $2, R11
	MOVQ         R12, CX
	TAIL_MASK(Y15)
	TESTQ        R10, R10
	JZ           done

row:
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	XORQ   AX, AX
	MOVQ   R11, CX
	SUBQ   $64, CX
	JLT    meanOne

meanTwo:
	VADDPS (SI)(AX*1), Y0, Y0
	VADDPS 32(SI)(AX*1), Y1, Y1
	ADDQ   $64, AX
	SUBQ   $64, CX
	JGE    meanTwo

meanOne:
	ADDQ   $32, CX
	JLT    meanTail
	VADDPS (SI)(AX*1), Y0, Y0
	ADDQ   $32, AX

meanTail:
	TESTQ      R12, R12
	JZ         mean
	VMASKMOVPS (SI)(AX*1), Y15, Y2
	VADDPS     Y2, Y1, Y1

mean:
	VADDPS Y1, Y0, Y0
	SUM_LANES(Y0, X0, X1)
	VDIVPS Y14, Y0, Y8

	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	XORQ   AX, AX
	MOVQ   R11, CX
	SUBQ   $64, CX
	JLT    squareOne

squareTwo:
	VMOVUPS     (SI)(AX*1), Y2
	VMOVUPS     32(SI)(AX*1), Y3
	VSUBPS      Y8, Y2, Y2
	VSUBPS      Y8, Y3, Y3
	VFMADD231PS Y2, Y2, Y0
	VFMADD231PS Y3, Y3, Y1
	ADDQ        $64, AX
	SUBQ        $64, CX
	JGE         squareTwo

squareOne:
	ADDQ        $32, CX
	JLT         squareTail
	VMOVUPS     (SI)(AX*1), Y2
	VSUBPS      Y8, Y2, Y2
	VFMADD231PS Y2, Y2, Y0
	ADDQ        $32, AX

squareTail:
	TESTQ       R12, R12
	JZ          deviation
	VMASKMOVPS  (SI)(AX*1), Y15, Y2
	VSUBPS      Y8, Y2, Y2
	VANDPS      Y15, Y2, Y2
	VFMADD231PS Y2, Y2, Y1

deviation:
	VADDPS  Y1, Y0, Y0
	SUM_LANES(Y0, X0, X1)
	VDIVPS  Y14, Y0, Y0
	VADDPS  Y13, Y0, Y0
	VSQRTPS Y0, Y0
	VDIVPS  Y0, Y12, Y9

	XORQ AX, AX
	MOVQ R11, CX
	SUBQ $32, CX
	JLT  resultTail

result:
	VMOVUPS     (SI)(AX*1), Y2
	VSUBPS      Y8, Y2, Y2
	VMULPS      Y9, Y2, Y2
	VMOVUPS     (DX)(AX*1), Y3
	VFMADD231PS (BX)(AX*1), Y2, Y3
	VMOVUPS     Y3, (DI)(AX*1)
	ADDQ        $32, AX
	SUBQ        $32, CX
	JGE         result

resultTail:
	TESTQ       R12, R12
	JZ          next
	VMASKMOVPS  (SI)(AX*1), Y15, Y2
	VSUBPS      Y8, Y2, Y2
	VMULPS      Y9, Y2, Y2
	VMASKMOVPS  (DX)(AX*1), Y15, Y3
	VMASKMOVPS  (BX)(AX*1), Y15, Y4
	VFMADD231PS Y4, Y2, Y3
	VMASKMOVPS  Y3, Y15, (DI)(AX*1)

next:
	ADDQ R8, DI
	ADDQ R9, SI
	DECQ R10
	JNZ  row

done:
	VZEROUPPER
	RET

// func momentsAVX2(sum, square, shift, x []float32, stride, rows int)
//
// Eight columns at a time, two rows at a time. SI walks the rows of eight columns, R8 is the stride in bytes, R9
// the columns left, CX the rows left; BX, DX and DI are sum, square and shift. Y0 to Y3 are the sums, Y4 the
// shift, Y5 the mask.
TEXT ·momentsAVX2(SB), NOSPLIT, $0-112
	MOVQ sum_base+0(FP), BX
	MOVQ square_base+24(FP), DX
	MOVQ shift_base+48(FP), DI
	MOVQ shift_len+56(FP), R9
	MOVQ x_base+72(FP), R10
	MOVQ stride+96(FP), R8
	SHLQ $2, R8

columns:
	MOVQ       $8, CX
	CMPQ       R9, CX
	CMOVQLT    R9, CX
	TAIL_MASK(Y5)
	VMASKMOVPS (BX), Y5, Y0
	VMASKMOVPS (DX), Y5, Y2
	VMASKMOVPS (DI), Y5, Y4
	VXORPS     Y1, Y1, Y1
	VXORPS     Y3, Y3, Y3
	MOVQ       R10, SI
	MOVQ       rows+104(FP), CX
	CMPQ       R9, $8
	JLT        narrow
	SUBQ       $2, CX
	JLT        last

pair:
	VMOVUPS     (SI), Y6
	VMOVUPS     (SI)(R8*1), Y7
	VSUBPS      Y4, Y6, Y6
	VSUBPS      Y4, Y7, Y7
	VADDPS      Y6, Y0, Y0
	VADDPS      Y7, Y1, Y1
	VFMADD231PS Y6, Y6, Y2
	VFMADD231PS Y7, Y7, Y3
	LEAQ        (SI)(R8*2), SI
	SUBQ        $2, CX
	JGE         pair

last:
	ADDQ        $2, CX
	JZ          store
	VMOVUPS     (SI), Y6
	VSUBPS      Y4, Y6, Y6
	VADDPS      Y6, Y0, Y0
	VFMADD231PS Y6, Y6, Y2
	JMP         store

narrow:
	TESTQ CX, CX
	JZ    store

narrowRow:
	VMASKMOVPS  (SI), Y5, Y6
	VSUBPS      Y4, Y6, Y6
	VADDPS      Y6, Y0, Y0
	VFMADD231PS Y6, Y6, Y2
	ADDQ        R8, SI
	DECQ        CX
	JNZ         narrowRow

store:
	VADDPS     Y1, Y0, Y0
	VADDPS     Y3, Y2, Y2
	VMASKMOVPS Y0, Y5, (BX)
	VMASKMOVPS Y2, Y5, (DX)
	ADDQ       $32, BX
	ADDQ       $32, DX
	ADDQ       $32, DI
	ADDQ       $32, R10
	SUBQ       $8, R9
	JG         columns
	VZEROUPPER
	RET

// func affineAVX2(dst, x, scale, shift, residual []float32, dstStride, xStride, resStride, rows int, relu bool)
//
// DI, SI and R13 are the rows of dst, x and residual (0 where there is none), BX and DX scale and shift, R8, R9 and
// R12 the strides in bytes, R10 rows left, R11 the bytes of the row's whole vectors, CX the columns after them, AX
// the place in the row. Y15 is the mask of those last columns, Y14 what results are raised to: zero or minus infinity.
TEXT ·affineAVX2(SB), NOSPLIT, $0-153
	MOVQ    dst_base+0(FP), DI
	MOVQ    x_base+24(FP), SI
	MOVQ    scale_base+48(FP), BX
	MOVQ    scale_len+56(FP), R11
	MOVQ    shift_base+72(FP), DX
	MOVQ    residual_base+96(FP), R13
	MOVQ    dstStride+120(FP), R8
	MOVQ    xStride+128(FP), R9
	MOVQ    resStride+136(FP), R12
	MOVQ    rows+144(FP), R10
	SHLQ    $2, R8
	SHLQ    $2, R9
	SHLQ    $2, R12
	MOVQ    R11, CX
	ANDQ    $7, CX
	SUBQ    CX, R11
	SHLQ    $2, R11
	TAIL_MASK(Y15)
	VMOVUPS MINUS_INFINITY, Y14
	MOVBLZX relu+152(FP), AX
	TESTL   AX, AX
	JZ      start
	VXORPS  Y14, Y14, Y14

start:
	TESTQ R10, R10
	JZ    done

row:
	XORQ  AX, AX
	TESTQ R11, R11
	JZ    tail
	TESTQ R13, R13
	JNZ   added

plain:
	VMOVUPS     (DX)(AX*1), Y0
	VMOVUPS     (BX)(AX*1), Y1
	VFMADD231PS (SI)(AX*1), Y1, Y0
	VMAXPS      Y0, Y14, Y0
	VMOVUPS     Y0, (DI)(AX*1)
	ADDQ        $32, AX
	CMPQ        AX, R11
	JLT         plain
	JMP         tail

added:
	VMOVUPS     (DX)(AX*1), Y0
	VMOVUPS     (BX)(AX*1), Y1
	VFMADD231PS (SI)(AX*1), Y1, Y0
	VADDPS      (R13)(AX*1), Y0, Y0
	VMAXPS      Y0, Y14, Y0
	VMOVUPS     Y0, (DI)(AX*1)
	ADDQ        $32, AX
	CMPQ        AX, R11
	JLT         added

tail:
	TESTQ       CX, CX
	JZ          next
	VMASKMOVPS  (SI)(AX*1), Y15, Y2
	VMASKMOVPS  (DX)(AX*1), Y15, Y0
	VMASKMOVPS  (BX)(AX*1), Y15, Y1
	VFMADD231PS Y2, Y1, Y0
	TESTQ       R13, R13
	JZ          tailStore
	VMASKMOVPS  (R13)(AX*1), Y15, Y1
	VADDPS      Y1, Y0, Y0

tailStore:
	VMAXPS     Y0, Y14, Y0
	VMASKMOVPS Y0, Y15, (DI)(AX*1)

next:
	ADDQ  R8, DI
	ADDQ  R9, SI
	TESTQ R13, R13
	JZ    counted
	ADDQ  R12, R13

counted:
	DECQ R10
	JNZ  row

done:
	VZEROUPPER
	RET
