#include "textflag.h"
#include "vector_amd64.h"

// func lerpRowsAVX2(dst, a, b []float32, t float32)
TEXT ·lerpRowsAVX2(SB), NOSPLIT, $0-76
	MOVQ         dst_base+0(FP), DI
	MOVQ         a_base+24(FP), SI
	MOVQ         a_len+32(FP), CX
	MOVQ         b_base+48(FP), DX
	VBROADCASTSS t+72(FP), Y3
	SUBQ         $8, CX
	JLT          tail

one:
	VMOVUPS     (SI), Y0
	VMOVUPS     (DX), Y1
	VSUBPS      Y0, Y1, Y1
	VFMADD231PS Y1, Y3, Y0
	VMOVUPS     Y0, (DI)
	ADDQ        $32, SI
	ADDQ        $32, DX
	ADDQ        $32, DI
	SUBQ        $8, CX
	JGE         one

tail:
	ADDQ        $8, CX
	JZ          done
	TAIL_MASK(Y2)
	VMASKMOVPS  (SI), Y2, Y0
	VMASKMOVPS  (DX), Y2, Y1
	VSUBPS      Y0, Y1, Y1
	VFMADD231PS Y1, Y3, Y0
	VMASKMOVPS  Y0, Y2, (DI)

done:
	VZEROUPPER
	RET

// func lerpColumnsAVX2(dst, src []float32, left, right []int32, t []float32, dstStride, c int, add bool)
//
// DI is the pixel of dst, R8 the distance of pixels in bytes, R9 src; SI and DX are the two source pixels. R10,
// R11 and R12 walk left, right and t, R13 counts pixels, BX is the place in the pixel in bytes, CX the channels
// left. Y15 is the mask of the last channels. Y14 has all bits set where dst is added to, else none.
TEXT ·lerpColumnsAVX2(SB), NOSPLIT, $0-137
	MOVQ     dst_base+0(FP), DI
	MOVQ     src_base+24(FP), R9
	MOVQ     left_base+48(FP), R10
	MOVQ     right_base+72(FP), R11
	MOVQ     t_base+96(FP), R12
	MOVQ     t_len+104(FP), R13
	MOVQ     dstStride+120(FP), R8
	SHLQ     $2, R8
	MOVQ     c+128(FP), CX
	ANDQ     $7, CX
	TAIL_MASK(Y15)
	VXORPS   Y14, Y14, Y14
	MOVBLZX  add+136(FP), AX
	TESTL    AX, AX
	JZ       start
	VPCMPEQD Y14, Y14, Y14

start:
	TESTQ R13, R13
	JZ    done

pixel:
	MOVLQSX      (R10), SI
	MOVLQSX      (R11), DX
	LEAQ         (R9)(SI*4), SI
	LEAQ         (R9)(DX*4), DX
	VBROADCASTSS (R12), Y3
	XORQ         BX, BX
	MOVQ         c+128(FP), CX
	SUBQ         $8, CX
	JLT          tail

one:
	VMOVUPS     (SI)(BX*1), Y0
	VMOVUPS     (DX)(BX*1), Y1
	VSUBPS      Y0, Y1, Y1
	VFMADD231PS Y1, Y3, Y0
	VANDPS      (DI)(BX*1), Y14, Y2
	VADDPS      Y2, Y0, Y0
	VMOVUPS     Y0, (DI)(BX*1)
	ADDQ        $32, BX
	SUBQ        $8, CX
	JGE         one

tail:
	CMPQ        CX, $-8
	JEQ         next
	CMPQ        CX, $-4
	JEQ         half
	VMASKMOVPS  (SI)(BX*1), Y15, Y0
	VMASKMOVPS  (DX)(BX*1), Y15, Y1
	VSUBPS      Y0, Y1, Y1
	VFMADD231PS Y1, Y3, Y0
	VANDPS      Y15, Y14, Y4
	VMASKMOVPS  (DI)(BX*1), Y4, Y2
	VADDPS      Y2, Y0, Y0
	VMASKMOVPS  Y0, Y15, (DI)(BX*1)
	JMP         next

// Four channels are common and masked stores slow.
half:
	VMOVUPS     (SI)(BX*1), X0
	VMOVUPS     (DX)(BX*1), X1
	VSUBPS      X0, X1, X1
	VFMADD231PS X1, X3, X0
	VANDPS      (DI)(BX*1), X14, X2
	VADDPS      X2, X0, X0
	VMOVUPS     X0, (DI)(BX*1)

next:
	ADDQ R8, DI
	ADDQ $4, R10
	ADDQ $4, R11
	ADDQ $4, R12
	DECQ R13
	JNZ  pixel

done:
	VZEROUPPER
	RET
