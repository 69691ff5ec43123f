// Constants and building blocks shared by the AVX2 kernels. Each constant fills a 32-byte vector.
// Operand order note: VMAXPS b, a, d and VMINPS b, a, d give b when either is NaN, so a value whose NaN must
// survive is the first operand.

#define VECTOR(offset, value) \
	DATA constants<>+(offset+0)(SB)/4, $value  \
	DATA constants<>+(offset+4)(SB)/4, $value  \
	DATA constants<>+(offset+8)(SB)/4, $value  \
	DATA constants<>+(offset+12)(SB)/4, $value \
	DATA constants<>+(offset+16)(SB)/4, $value \
	DATA constants<>+(offset+20)(SB)/4, $value \
	DATA constants<>+(offset+24)(SB)/4, $value \
	DATA constants<>+(offset+28)(SB)/4, $value

#define ABS_MASK constants<>+0(SB)
#define ONE constants<>+32(SB)
#define EXP2_C1 constants<>+64(SB)
#define EXP2_C2 constants<>+96(SB)
#define EXP2_C3 constants<>+128(SB)
#define EXP2_C4 constants<>+160(SB)
#define EXP2_C5 constants<>+192(SB)
#define EXP2_MIN constants<>+224(SB)
#define EXP2_MAX constants<>+256(SB)
#define EXPONENT_BIAS constants<>+288(SB)
#define GELU_C0 constants<>+320(SB)
#define GELU_C1 constants<>+352(SB)
#define GELU_C2 constants<>+384(SB)
#define GELU_C3 constants<>+416(SB)
#define GELU_C4 constants<>+448(SB)
#define GELU_C5 constants<>+480(SB)
#define GELU_C6 constants<>+512(SB)
#define GELU_MAX constants<>+544(SB)
#define SCORE_MIN constants<>+576(SB)
#define MINUS_INFINITY constants<>+608(SB)
#define LOG2_E constants<>+640(SB)
#define LN2_HIGH constants<>+672(SB)
#define LN2_LOW constants<>+704(SB)
#define HALF constants<>+736(SB)
#define MINUS_HALF constants<>+768(SB)

// The values are those of math32.go, and limits.
VECTOR(0, 0x7fffffff)
VECTOR(32, 1.0)
VECTOR(64, 0.6931470036506653)
VECTOR(96, 0.24022242426872253)
VECTOR(128, 0.05550733581185341)
VECTOR(160, 0.009671512991189957)
VECTOR(192, 0.001326472731307149)
VECTOR(224, -127.0)
VECTOR(256, 128.0)
VECTOR(288, 127)
VECTOR(320, -0.9999929070472717)
VECTOR(352, -1.1512033939361572)
VECTOR(384, -0.4587647318840027)
VECTOR(416, -0.05342184752225876)
VECTOR(448, 0.008088025264441967)
VECTOR(480, -0.0007717953994870186)
VECTOR(512, 3.3433057978982106e-05)
VECTOR(544, 6.0)
VECTOR(576, -100.0)
VECTOR(608, 0xff800000)
VECTOR(640, 1.4426950408889634)
VECTOR(672, 0.693359375)
VECTOR(704, -2.12194440054690583e-4)
VECTOR(736, 0.5)
VECTOR(768, -0.5)
GLOBL constants<>(SB), RODATA|NOPTR, $800

// masks+32-4*n is the mask of the first n of 8 lanes.
DATA masks<>+0(SB)/8, $0xffffffffffffffff
DATA masks<>+8(SB)/8, $0xffffffffffffffff
DATA masks<>+16(SB)/8, $0xffffffffffffffff
DATA masks<>+24(SB)/8, $0xffffffffffffffff
DATA masks<>+32(SB)/8, $0
DATA masks<>+40(SB)/8, $0
DATA masks<>+48(SB)/8, $0
DATA masks<>+56(SB)/8, $0
GLOBL masks<>(SB), RODATA|NOPTR, $64

// TAIL_MASK leaves the mask of the last CX floats (0 <= CX < 8) in mask; AX and CX are used up.
#define TAIL_MASK(mask) \
	LEAQ    masks<>+32(SB), AX \
	SHLQ    $2, CX             \
	SUBQ    CX, AX             \
	VMOVUPS (AX), mask

// EXP2_POLYNOMIAL leaves 2^f in p for f in [-0.5, 0.5].
#define EXP2_POLYNOMIAL(f, p) \
	VMOVUPS     EXP2_C5, p       \
	VFMADD213PS EXP2_C4, f, p    \
	VFMADD213PS EXP2_C3, f, p    \
	VFMADD213PS EXP2_C2, f, p    \
	VFMADD213PS EXP2_C1, f, p    \
	VFMADD213PS ONE, f, p

// GELU replaces x by x times the normal distribution function, as gelu32 does; a, q and n are temporaries.
#define GELU_VECTOR(x, a, q, n) \
	VANDPS       ABS_MASK, x, a  \
	VMINPS       GELU_MAX, a, a  \
	VMOVUPS      GELU_C6, q      \
	VFMADD213PS  GELU_C5, a, q   \
	VFMADD213PS  GELU_C4, a, q   \
	VFMADD213PS  GELU_C3, a, q   \
	VFMADD213PS  GELU_C2, a, q   \
	VFMADD213PS  GELU_C1, a, q   \
	VFMADD213PS  GELU_C0, a, q   \
	VROUNDPS     $0, q, n        \
	VSUBPS       n, q, q         \
	VCVTPS2DQ    n, n            \
	VPSLLD       $23, n, n       \
	VPXOR        X15, X15, X15   \
	VMAXPS       x, Y15, x       \
	VMOVUPS      EXP2_C5, Y15    \
	VFMADD213PS  EXP2_C4, q, Y15 \
	VFMADD213PS  EXP2_C3, q, Y15 \
	VFMADD213PS  EXP2_C2, q, Y15 \
	VFMADD213PS  EXP2_C1, q, Y15 \
	VFMADD213PS  ONE, q, Y15     \
	VPADDD       n, Y15, Y15     \
	VFNMADD231PS Y15, a, x
