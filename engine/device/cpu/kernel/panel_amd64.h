// The parts that the panel kernels of both widths share. The frame of a kernel:
//   0      a tile of results, 384 bytes
//   384    the bias, padded to the panel's width, 96 bytes
//   480    the masks of the panel's vectors, 96 bytes
//   576    rows left
//   584    a, 592 c, 600 residual: where the tile starts
#define TILE(offset) offset(SP)
#define BIAS(offset) (384+offset)(SP)
#define MASK(offset) (480+offset)(SP)
#define ROWS_LEFT 576(SP)
#define TILE_A 584(SP)
#define TILE_C 592(SP)
#define TILE_RESIDUAL 600(SP)

// SET_MASK stores the mask of vector i of the panel: cols-8*i lanes, at most 8. R8 holds zero, R9 eight.
#define SET_MASK(i) \
	MOVQ    panel_cols(SI), CX    \
	SUBQ    $(8*i), CX            \
	CMOVQLT R8, CX                \
	CMPQ    CX, R9                \
	CMOVQGT R9, CX                \
	LEAQ    masks<>+32(SB), AX    \
	SHLQ    $2, CX                \
	SUBQ    CX, AX                \
	VMOVUPS (AX), Y0              \
	VMOVUPS Y0, MASK(32*i)        \

// SET_BIAS stores vector i of the bias. DX holds the bias, not nil.
#define SET_BIAS(i) \
	VMOVUPS    MASK(32*i), Y0     \
	VMASKMOVPS (32*i)(DX), Y0, Y1 \
	VMOVUPS    Y1, BIAS(32*i)

// ROW_POINTER makes pointer to row i, or to row 0 (R8) where the tile has fewer rows (CX). DX is the stride.
#define ROW_POINTER(i, previous, pointer) \
	LEAQ    (previous)(DX*4), pointer \
	CMPQ    CX, $i                    \
	CMOVQLE R8, pointer
