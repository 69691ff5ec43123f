#include "go_asm.h"
#include "textflag.h"
#include "vector_amd64.h"
#include "panel_amd64.h"

// K_STEP multiplies column k of six rows with row k of the panel.
#define K_STEP(a, b) \
	VMOVUPS      b(BX), Y12      \
	VMOVUPS      (b+32)(BX), Y13 \
	VBROADCASTSS a(R8), Y14      \
	VBROADCASTSS a(R9), Y15      \
	VFMADD231PS  Y12, Y14, Y0    \
	VFMADD231PS  Y13, Y14, Y1    \
	VFMADD231PS  Y12, Y15, Y2    \
	VFMADD231PS  Y13, Y15, Y3    \
	VBROADCASTSS a(R10), Y14     \
	VBROADCASTSS a(R11), Y15     \
	VFMADD231PS  Y12, Y14, Y4    \
	VFMADD231PS  Y13, Y14, Y5    \
	VFMADD231PS  Y12, Y15, Y6    \
	VFMADD231PS  Y13, Y15, Y7    \
	VBROADCASTSS a(R12), Y14     \
	VBROADCASTSS a(R13), Y15     \
	VFMADD231PS  Y12, Y14, Y8    \
	VFMADD231PS  Y13, Y14, Y9    \
	VFMADD231PS  Y12, Y15, Y10   \
	VFMADD231PS  Y13, Y15, Y11

#define ADVANCE_A(bytes) \
	ADDQ bytes, R8  \
	ADDQ bytes, R9  \
	ADDQ bytes, R10 \
	ADDQ bytes, R11 \
	ADDQ bytes, R12 \
	ADDQ bytes, R13

// SPILL writes the sums to the frame's tile, FILL reads them back.
#define SPILL \
	VMOVUPS Y0, TILE(0)    \
	VMOVUPS Y1, TILE(32)   \
	VMOVUPS Y2, TILE(64)   \
	VMOVUPS Y3, TILE(96)   \
	VMOVUPS Y4, TILE(128)  \
	VMOVUPS Y5, TILE(160)  \
	VMOVUPS Y6, TILE(192)  \
	VMOVUPS Y7, TILE(224)  \
	VMOVUPS Y8, TILE(256)  \
	VMOVUPS Y9, TILE(288)  \
	VMOVUPS Y10, TILE(320) \
	VMOVUPS Y11, TILE(352)

#define FILL \
	VMOVUPS TILE(0), Y0    \
	VMOVUPS TILE(32), Y1   \
	VMOVUPS TILE(64), Y2   \
	VMOVUPS TILE(96), Y3   \
	VMOVUPS TILE(128), Y4  \
	VMOVUPS TILE(160), Y5  \
	VMOVUPS TILE(192), Y6  \
	VMOVUPS TILE(224), Y7  \
	VMOVUPS TILE(256), Y8  \
	VMOVUPS TILE(288), Y9  \
	VMOVUPS TILE(320), Y10 \
	VMOVUPS TILE(352), Y11

// ADD_ROW adds a row of the residual at AX and leaves for done after the last of CX rows.
#define ADD_ROW(low, high, done) \
	VADDPS (AX), low, low     \
	VADDPS 32(AX), high, high \
	DECQ   CX                 \
	JZ     done               \
	ADDQ   DX, AX

// STORE_ROW stores a row of c at DI and leaves for done after the last of CX rows.
#define STORE_ROW(low, high, done) \
	VMOVUPS low, (DI)    \
	VMOVUPS high, 32(DI) \
	DECQ    CX           \
	JZ      done         \
	ADDQ    DX, DI

// func panel16AVX2(p *panel)
//
// Six rows by sixteen columns at a time. SI is p; R8 to R13 point into the six rows of A, BX into the panel;
// AX walks the segments' steps, DX counts segments and CX columns of a segment. Y0 to Y11 are the sums, two
// vectors a row. They start with the bias.
TEXT ·panel16AVX2(SB), NOSPLIT, $608-8
	MOVQ    p+0(FP), SI
	XORQ    R8, R8
	MOVQ    $8, R9
	SET_MASK(0)
	SET_MASK(1)
	VXORPS  Y0, Y0, Y0
	VMOVUPS Y0, BIAS(0)
	VMOVUPS Y0, BIAS(32)
	MOVQ    panel_bias(SI), DX
	TESTQ   DX, DX
	JZ      start
	SET_BIAS(0)
	SET_BIAS(1)

start:
	MOVQ panel_rows(SI), AX
	MOVQ AX, ROWS_LEFT
	MOVQ panel_a(SI), AX
	MOVQ AX, TILE_A
	MOVQ panel_c(SI), AX
	MOVQ AX, TILE_C
	MOVQ panel_residual(SI), AX
	MOVQ AX, TILE_RESIDUAL

tile:
	MOVQ    TILE_A, R8
	MOVQ    ROWS_LEFT, CX
	MOVQ    panel_aStride(SI), DX
	ROW_POINTER(1, R8, R9)
	ROW_POINTER(2, R9, R10)
	ROW_POINTER(3, R10, R11)
	ROW_POINTER(4, R11, R12)
	ROW_POINTER(5, R12, R13)
	MOVQ    panel_b(SI), BX
	VMOVUPS BIAS(0), Y0
	VMOVUPS BIAS(32), Y1
	VMOVAPS Y0, Y2
	VMOVAPS Y1, Y3
	VMOVAPS Y0, Y4
	VMOVAPS Y1, Y5
	VMOVAPS Y0, Y6
	VMOVAPS Y1, Y7
	VMOVAPS Y0, Y8
	VMOVAPS Y1, Y9
	VMOVAPS Y0, Y10
	VMOVAPS Y1, Y11
	MOVQ    panel_steps(SI), AX
	MOVQ    panel_steps+8(SI), DX

segment:
	MOVQ (AX), CX
	SHLQ $2, CX
	ADDQ $8, AX
	ADVANCE_A(CX)
	MOVQ panel_segLen(SI), CX
	SUBQ $4, CX
	JLT  few

four:
	K_STEP(0, 0)
	K_STEP(4, 64)
	K_STEP(8, 128)
	K_STEP(12, 192)
	ADVANCE_A($16)
	ADDQ $256, BX
	SUBQ $4, CX
	JGE  four

few:
	ADDQ $4, CX
	JZ   nextSegment

one:
	K_STEP(0, 0)
	ADVANCE_A($4)
	ADDQ $64, BX
	DECQ CX
	JNZ  one

nextSegment:
	DECQ DX
	JNZ  segment

	MOVBLZX panel_act(SI), AX
	TESTQ   AX, AX
	JZ      activated
	CMPQ    AX, $const_ReLU
	JEQ     relu
	SPILL
	LEAQ    TILE(0), AX
	MOVQ    $6, CX

gelu:
	VMOVUPS (AX), Y0
	VMOVUPS 32(AX), Y1
	GELU_VECTOR(Y0, Y2, Y3, Y4)
	GELU_VECTOR(Y1, Y5, Y6, Y7)
	VMOVUPS Y0, (AX)
	VMOVUPS Y1, 32(AX)
	ADDQ    $64, AX
	DECQ    CX
	JNZ     gelu
	FILL
	JMP     activated

relu:
	VXORPS Y15, Y15, Y15
	VMAXPS Y0, Y15, Y0
	VMAXPS Y1, Y15, Y1
	VMAXPS Y2, Y15, Y2
	VMAXPS Y3, Y15, Y3
	VMAXPS Y4, Y15, Y4
	VMAXPS Y5, Y15, Y5
	VMAXPS Y6, Y15, Y6
	VMAXPS Y7, Y15, Y7
	VMAXPS Y8, Y15, Y8
	VMAXPS Y9, Y15, Y9
	VMAXPS Y10, Y15, Y10
	VMAXPS Y11, Y15, Y11

activated:
	MOVQ  panel_cols(SI), AX
	CMPQ  AX, $16
	JLT   narrow
	MOVQ  TILE_RESIDUAL, AX
	TESTQ AX, AX
	JZ    store
	MOVQ  ROWS_LEFT, CX
	MOVQ  panel_resStride(SI), DX
	SHLQ  $2, DX
	ADD_ROW(Y0, Y1, store)
	ADD_ROW(Y2, Y3, store)
	ADD_ROW(Y4, Y5, store)
	ADD_ROW(Y6, Y7, store)
	ADD_ROW(Y8, Y9, store)
	ADD_ROW(Y10, Y11, store)

store:
	MOVQ ROWS_LEFT, CX
	MOVQ TILE_C, DI
	MOVQ panel_cStride(SI), DX
	SHLQ $2, DX
	STORE_ROW(Y0, Y1, next)
	STORE_ROW(Y2, Y3, next)
	STORE_ROW(Y4, Y5, next)
	STORE_ROW(Y6, Y7, next)
	STORE_ROW(Y8, Y9, next)
	STORE_ROW(Y10, Y11, next)

next:
	SUBQ  $6, ROWS_LEFT
	JLE   end
	MOVQ  panel_aStride(SI), DX
	IMULQ $24, DX
	ADDQ  DX, TILE_A
	MOVQ  panel_cStride(SI), DX
	IMULQ $24, DX
	ADDQ  DX, TILE_C
	CMPQ  TILE_RESIDUAL, $0
	JEQ   tile
	MOVQ  panel_resStride(SI), DX
	IMULQ $24, DX
	ADDQ  DX, TILE_RESIDUAL
	JMP   tile

// The panel has fewer columns: row by row under the masks, from the frame.
narrow:
	SPILL
	LEAQ TILE(0), BX
	MOVQ ROWS_LEFT, CX
	CMPQ CX, $6
	JLE  narrowRows
	MOVQ $6, CX

narrowRows:
	MOVQ    TILE_RESIDUAL, AX
	MOVQ    TILE_C, DI
	VMOVUPS MASK(0), Y8
	VMOVUPS MASK(32), Y9

narrowRow:
	VMOVUPS    0(BX), Y0
	VMOVUPS    32(BX), Y1
	TESTQ      AX, AX
	JZ         narrowStore
	VMASKMOVPS 0(AX), Y8, Y4
	VADDPS     Y4, Y0, Y0
	VMASKMOVPS 32(AX), Y9, Y5
	VADDPS     Y5, Y1, Y1
	MOVQ       panel_resStride(SI), DX
	LEAQ       (AX)(DX*4), AX

narrowStore:
	CMPQ       panel_cols(SI), $4
	JEQ        narrowFour
	VMASKMOVPS Y0, Y8, (DI)
	CMPQ       panel_cols(SI), $8
	JLE        narrowNext
	VMASKMOVPS Y1, Y9, 32(DI)
	JMP        narrowNext

// Four columns are common and masked stores slow.
narrowFour:
	VMOVUPS X0, (DI)

narrowNext:
	MOVQ panel_cStride(SI), DX
	LEAQ (DI)(DX*4), DI
	ADDQ $64, BX
	DECQ CX
	JNZ  narrowRow
	JMP  next

end:
	VZEROUPPER
	RET
