#include "textflag.h"

// These use SSE2, which every amd64 processor has: four numbers of a pixel at once.

DATA fulls<>+0(SB)/4, $65280.0
DATA fulls<>+4(SB)/4, $65280.0
DATA fulls<>+8(SB)/4, $65280.0
DATA fulls<>+12(SB)/4, $65280.0
GLOBL fulls<>(SB), RODATA|NOPTR, $16

// What takes 0..full to 8 bits.
DATA eights<>+0(SB)/4, $0.00390625
DATA eights<>+4(SB)/4, $0.00390625
DATA eights<>+8(SB)/4, $0.00390625
DATA eights<>+12(SB)/4, $0.00390625
GLOBL eights<>(SB), RODATA|NOPTR, $16

DATA halves<>+0(SB)/4, $0.5
DATA halves<>+4(SB)/4, $0.5
DATA halves<>+8(SB)/4, $0.5
DATA halves<>+12(SB)/4, $0.5
GLOBL halves<>(SB), RODATA|NOPTR, $16

DATA colours<>+0(SB)/8, $0xffffffffffffffff
DATA colours<>+8(SB)/8, $0x00000000ffffffff
GLOBL colours<>(SB), RODATA|NOPTR, $16

// What makes 0..65535 fit 16 bits with a sign, and back.
DATA offsets<>+0(SB)/8, $0x0000800000008000
DATA offsets<>+8(SB)/8, $0x0000800000008000
GLOBL offsets<>(SB), RODATA|NOPTR, $16

DATA signs<>+0(SB)/8, $0x8000800080008000
DATA signs<>+8(SB)/8, $0x8000800080008000
GLOBL signs<>(SB), RODATA|NOPTR, $16

// func acrossColourSSE2(out *quad, from *float32, columns *stop, n int)
TEXT ·acrossColourSSE2(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ columns+16(FP), CX
	MOVQ n+24(FP), DX
	MOVUPS fulls<>(SB), X4
	MOVUPS colours<>(SB), X5

colourLoop:
	MOVQ   0(CX), R8
	MOVQ   8(CX), R9
	MOVSS  16(CX), X2
	LEAQ   (R8)(R8*2), R8
	LEAQ   (R9)(R9*2), R9
	SHUFPS $0, X2, X2
	MOVUPS (SI)(R8*4), X0
	MOVUPS (SI)(R9*4), X1
	SUBPS  X0, X1
	MULPS  X2, X1
	ADDPS  X1, X0
	MULPS  X4, X0
	ANDPS  X5, X0
	MOVUPS X0, (DI)
	ADDQ   $24, CX
	ADDQ   $16, DI
	DECQ   DX
	JNZ    colourLoop
	RET

// func acrossPixelsSSE2(out *quad, from *pixel, columns *stop, n int)
TEXT ·acrossPixelsSSE2(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ columns+16(FP), CX
	MOVQ n+24(FP), DX
	PXOR X5, X5

pixelLoop:
	MOVQ      0(CX), R8
	MOVQ      8(CX), R9
	MOVSS     16(CX), X2
	SHUFPS    $0, X2, X2
	MOVQ      (SI)(R8*8), X0
	MOVQ      (SI)(R9*8), X1
	PUNPCKLWL X5, X0
	PUNPCKLWL X5, X1
	CVTPL2PS  X0, X0
	CVTPL2PS  X1, X1
	SUBPS     X0, X1
	MULPS     X2, X1
	ADDPS     X1, X0
	MOVUPS    X0, (DI)
	ADDQ      $24, CX
	ADDQ      $16, DI
	DECQ      DX
	JNZ       pixelLoop
	RET

// func acrossMatteSSE2(out *quad, from *float32, columns *stop, n int)
TEXT ·acrossMatteSSE2(SB), NOSPLIT, $0-32
	MOVQ  out+0(FP), DI
	MOVQ  from+8(FP), SI
	MOVQ  columns+16(FP), CX
	MOVQ  n+24(FP), DX
	MOVSS fulls<>(SB), X4

matteLoop:
	MOVQ  0(CX), R8
	MOVQ  8(CX), R9
	MOVSS (SI)(R8*4), X0
	MOVSS (SI)(R9*4), X1
	SUBSS X0, X1
	MULSS 16(CX), X1
	ADDSS X1, X0
	MULSS X4, X0
	MOVSS X0, 12(DI)
	ADDQ  $24, CX
	ADDQ  $16, DI
	DECQ  DX
	JNZ   matteLoop
	RET

// func downBytesSSE2(out *uint8, upper, lower *quad, n int, part float32, alpha uint32)
TEXT ·downBytesSSE2(SB), NOSPLIT, $0-40
	MOVQ   out+0(FP), DI
	MOVQ   upper+8(FP), SI
	MOVQ   lower+16(FP), CX
	MOVQ   n+24(FP), DX
	MOVSS  part+32(FP), X2
	MOVL   alpha+36(FP), AX
	SHUFPS $0, X2, X2
	MOVUPS fulls<>(SB), X4
	MOVUPS eights<>(SB), X5
	MOVUPS halves<>(SB), X6
	XORPS  X7, X7

byteLoop:
	MOVUPS    (SI), X0
	MOVUPS    (CX), X1
	SUBPS     X0, X1
	MULPS     X2, X1
	ADDPS     X1, X0
	MAXPS     X7, X0
	MINPS     X4, X0
	MULPS     X5, X0
	ADDPS     X6, X0
	CVTTPS2PL X0, X0
	PACKSSLW  X0, X0
	PACKUSWB  X0, X0
	MOVL      X0, R8
	ORL       AX, R8
	MOVL      R8, (DI)
	ADDQ      $16, SI
	ADDQ      $16, CX
	ADDQ      $4, DI
	DECQ      DX
	JNZ       byteLoop
	RET

// func downPixelsSSE2(out *pixel, upper, lower *quad, n int, part float32)
TEXT ·downPixelsSSE2(SB), NOSPLIT, $0-36
	MOVQ   out+0(FP), DI
	MOVQ   upper+8(FP), SI
	MOVQ   lower+16(FP), CX
	MOVQ   n+24(FP), DX
	MOVSS  part+32(FP), X2
	SHUFPS $0, X2, X2
	MOVUPS fulls<>(SB), X4
	MOVOU  offsets<>(SB), X5
	MOVOU  signs<>(SB), X6
	XORPS  X7, X7

fixedLoop:
	MOVUPS    (SI), X0
	MOVUPS    (CX), X1
	SUBPS     X0, X1
	MULPS     X2, X1
	ADDPS     X1, X0
	MAXPS     X7, X0
	MINPS     X4, X0
	CVTTPS2PL X0, X0
	PSUBL     X5, X0
	PACKSSLW  X0, X0
	PXOR      X6, X0
	MOVQ      X0, (DI)
	ADDQ      $16, SI
	ADDQ      $16, CX
	ADDQ      $8, DI
	DECQ      DX
	JNZ       fixedLoop
	RET

// func downQuadsSSE2(out, upper, lower *quad, n int, part float32)
TEXT ·downQuadsSSE2(SB), NOSPLIT, $0-36
	MOVQ   out+0(FP), DI
	MOVQ   upper+8(FP), SI
	MOVQ   lower+16(FP), CX
	MOVQ   n+24(FP), DX
	MOVSS  part+32(FP), X2
	SHUFPS $0, X2, X2

quadLoop:
	MOVUPS (SI), X0
	MOVUPS (CX), X1
	SUBPS  X0, X1
	MULPS  X2, X1
	ADDPS  X1, X0
	MOVUPS X0, (DI)
	ADDQ   $16, SI
	ADDQ   $16, CX
	ADDQ   $16, DI
	DECQ   DX
	JNZ    quadLoop
	RET
