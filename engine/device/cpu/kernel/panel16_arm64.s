#include "go_asm.h"
#include "textflag.h"
#include "vector_arm64.h"

// K_STEP multiplies a column of six rows with a row of the panel.
#define K_STEP \
	VLD1.P  64(R6), [V24.S4, V25.S4, V26.S4, V27.S4] \
	VLD1R.P 4(R0), [V28.S4]                          \
	VLD1R.P 4(R1), [V29.S4]                          \
	VLD1R.P 4(R2), [V30.S4]                          \
	VLD1R.P 4(R3), [V31.S4]                          \
	VFMLA   V24.S4, V28.S4, V0.S4                    \
	VFMLA   V25.S4, V28.S4, V1.S4                    \
	VFMLA   V26.S4, V28.S4, V2.S4                    \
	VFMLA   V27.S4, V28.S4, V3.S4                    \
	VFMLA   V24.S4, V29.S4, V4.S4                    \
	VFMLA   V25.S4, V29.S4, V5.S4                    \
	VFMLA   V26.S4, V29.S4, V6.S4                    \
	VFMLA   V27.S4, V29.S4, V7.S4                    \
	VFMLA   V24.S4, V30.S4, V8.S4                    \
	VFMLA   V25.S4, V30.S4, V9.S4                    \
	VFMLA   V26.S4, V30.S4, V10.S4                   \
	VFMLA   V27.S4, V30.S4, V11.S4                   \
	VFMLA   V24.S4, V31.S4, V12.S4                   \
	VFMLA   V25.S4, V31.S4, V13.S4                   \
	VFMLA   V26.S4, V31.S4, V14.S4                   \
	VFMLA   V27.S4, V31.S4, V15.S4                   \
	VLD1R.P 4(R4), [V28.S4]                          \
	VLD1R.P 4(R5), [V29.S4]                          \
	VFMLA   V24.S4, V28.S4, V16.S4                   \
	VFMLA   V25.S4, V28.S4, V17.S4                   \
	VFMLA   V26.S4, V28.S4, V18.S4                   \
	VFMLA   V27.S4, V28.S4, V19.S4                   \
	VFMLA   V24.S4, V29.S4, V20.S4                   \
	VFMLA   V25.S4, V29.S4, V21.S4                   \
	VFMLA   V26.S4, V29.S4, V22.S4                   \
	VFMLA   V27.S4, V29.S4, V23.S4

#define ADVANCE_A(bytes) \
	ADD bytes, R0 \
	ADD bytes, R1 \
	ADD bytes, R2 \
	ADD bytes, R3 \
	ADD bytes, R4 \
	ADD bytes, R5

// ROW_POINTER makes pointer to row i, or to row 0 (R0) where the tile has fewer rows (R11). R19 is the stride.
#define ROW_POINTER(i, previous, pointer) \
	ADD  R19, previous, pointer   \
	CMP  $i, R11                  \
	CSEL LE, R0, pointer, pointer

// ADD_ROW adds a row of the residual at R15 to the sums from register d on and leaves for done after the last of
// R9 rows.
#define ADD_ROW(d, done) \
	VLD1 (R15), [V24.S4, V25.S4, V26.S4, V27.S4] \
	FADD(24, d+0, d+0)                           \
	FADD(25, d+1, d+1)                           \
	FADD(26, d+2, d+2)                           \
	FADD(27, d+3, d+3)                           \
	SUBS $1, R9                                  \
	BEQ  done                                    \
	ADD  R19, R15

// STORE_ROW stores a row of c at R15 and leaves for done after the last of R9 rows.
#define STORE_ROW(a, b, c, d, done) \
	VST1 [a.S4, b.S4, c.S4, d.S4], (R15) \
	SUBS $1, R9                          \
	BEQ  done                            \
	ADD  R19, R15

// func panel16NEON(p *panel)
//
// Six rows by sixteen columns at a time, all 16 columns, without GELU. R10 is p; R0 to R5 point into the rows of A,
// R6 into the panel; R7 walks the segments' steps, R8 counts segments and R9 columns of a segment. R11 counts rows;
// R12, R13 and R14 are where the tile starts in A, c and the residual. V0 to V23 are the sums, four vectors a row.
// They start with the bias.
TEXT ·panel16NEON(SB), NOSPLIT, $0-8
	MOVD p+0(FP), R10
	MOVD panel_rows(R10), R11
	MOVD panel_a(R10), R12
	MOVD panel_c(R10), R13
	MOVD panel_residual(R10), R14

tile:
	MOVD R12, R0
	MOVD panel_aStride(R10), R19
	LSL  $2, R19
	ROW_POINTER(1, R0, R1)
	ROW_POINTER(2, R1, R2)
	ROW_POINTER(3, R2, R3)
	ROW_POINTER(4, R3, R4)
	ROW_POINTER(5, R4, R5)
	MOVD panel_b(R10), R6
	MOVD panel_bias(R10), R15
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	CBZ  R15, biased
	VLD1 (R15), [V0.S4, V1.S4, V2.S4, V3.S4]

biased:
	VMOV V0.B16, V4.B16
	VMOV V1.B16, V5.B16
	VMOV V2.B16, V6.B16
	VMOV V3.B16, V7.B16
	VMOV V0.B16, V8.B16
	VMOV V1.B16, V9.B16
	VMOV V2.B16, V10.B16
	VMOV V3.B16, V11.B16
	VMOV V0.B16, V12.B16
	VMOV V1.B16, V13.B16
	VMOV V2.B16, V14.B16
	VMOV V3.B16, V15.B16
	VMOV V0.B16, V16.B16
	VMOV V1.B16, V17.B16
	VMOV V2.B16, V18.B16
	VMOV V3.B16, V19.B16
	VMOV V0.B16, V20.B16
	VMOV V1.B16, V21.B16
	VMOV V2.B16, V22.B16
	VMOV V3.B16, V23.B16
	MOVD panel_steps(R10), R7
	MOVD panel_steps+8(R10), R8

segment:
	MOVD.P 8(R7), R15
	LSL    $2, R15
	ADVANCE_A(R15)
	MOVD   panel_segLen(R10), R9
	CBZ    R9, nextSegment

column:
	K_STEP
	SUBS $1, R9
	BNE  column

nextSegment:
	SUBS $1, R8
	BNE  segment

	MOVBU panel_act(R10), R15
	CMP   $const_ReLU, R15
	BNE   activated
	VEOR  V24.B16, V24.B16, V24.B16
	FMAX(24, 0, 0)
	FMAX(24, 1, 1)
	FMAX(24, 2, 2)
	FMAX(24, 3, 3)
	FMAX(24, 4, 4)
	FMAX(24, 5, 5)
	FMAX(24, 6, 6)
	FMAX(24, 7, 7)
	FMAX(24, 8, 8)
	FMAX(24, 9, 9)
	FMAX(24, 10, 10)
	FMAX(24, 11, 11)
	FMAX(24, 12, 12)
	FMAX(24, 13, 13)
	FMAX(24, 14, 14)
	FMAX(24, 15, 15)
	FMAX(24, 16, 16)
	FMAX(24, 17, 17)
	FMAX(24, 18, 18)
	FMAX(24, 19, 19)
	FMAX(24, 20, 20)
	FMAX(24, 21, 21)
	FMAX(24, 22, 22)
	FMAX(24, 23, 23)

activated:
	CBZ  R14, store
	MOVD R11, R9
	MOVD R14, R15
	MOVD panel_resStride(R10), R19
	LSL  $2, R19
	ADD_ROW(0, store)
	ADD_ROW(4, store)
	ADD_ROW(8, store)
	ADD_ROW(12, store)
	ADD_ROW(16, store)
	ADD_ROW(20, store)

store:
	MOVD R11, R9
	MOVD R13, R15
	MOVD panel_cStride(R10), R19
	LSL  $2, R19
	STORE_ROW(V0, V1, V2, V3, next)
	STORE_ROW(V4, V5, V6, V7, next)
	STORE_ROW(V8, V9, V10, V11, next)
	STORE_ROW(V12, V13, V14, V15, next)
	STORE_ROW(V16, V17, V18, V19, next)
	STORE_ROW(V20, V21, V22, V23, next)

next:
	SUBS $6, R11
	BLE  end
	MOVD $24, R15
	MOVD panel_aStride(R10), R19
	MADD R19, R12, R15, R12
	MOVD panel_cStride(R10), R19
	MADD R19, R13, R15, R13
	CBZ  R14, tile
	MOVD panel_resStride(R10), R19
	MADD R19, R14, R15, R14
	B    tile

end:
	RET
