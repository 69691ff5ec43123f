#include "textflag.h"
#include "vector_amd64.h"

// The kernels in this file run over floats side by side. Whole vectors are done in place, what is left at the
// end under a mask, so nothing outside is read or written.

// TAIL_MASK leaves the mask of the last CX floats (0 < CX < 8) in mask; AX is a temporary.
#define TAIL_MASK(mask) \
	LEAQ    masks<>+32(SB), AX \
	SHLQ    $2, CX             \
	SUBQ    CX, AX             \
	VMOVUPS (AX), mask

// func scaleAVX2(dst, x []float32, by float32)
TEXT ·scaleAVX2(SB), NOSPLIT, $0-52
	MOVQ         dst_base+0(FP), DI
	MOVQ         x_base+24(FP), SI
	MOVQ         x_len+32(FP), CX
	VBROADCASTSS by+48(FP), Y0
	SUBQ         $16, CX
	JLT          one

two:
	VMULPS  (SI), Y0, Y1
	VMULPS  32(SI), Y0, Y2
	VMOVUPS Y1, (DI)
	VMOVUPS Y2, 32(DI)
	ADDQ    $64, SI
	ADDQ    $64, DI
	SUBQ    $16, CX
	JGE     two

one:
	ADDQ    $8, CX
	JLT     tail
	VMULPS  (SI), Y0, Y1
	VMOVUPS Y1, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $8, CX

tail:
	ADDQ $8, CX
	JZ   done
	TAIL_MASK(Y2)
	VMASKMOVPS (SI), Y2, Y1
	VMULPS     Y1, Y0, Y1
	VMASKMOVPS Y1, Y2, (DI)

done:
	VZEROUPPER
	RET
