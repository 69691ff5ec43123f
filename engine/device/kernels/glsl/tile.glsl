// The tile of a product of matrices: BM rows by BN columns, STEP of the inner dimension at a time, in a workgroup of
// TX x TY invocations, each with 4*RM rows by 4*RN columns. Needs TX, TY, RM and RN.
//
// Invocation (tx, ty) has rows 4*(ty + TY*r) + i and columns 4*(tx + TX*c) + j.
#define STEP 16
#define BM (4 * TY * RM)
#define BN (4 * TX * RN)
#define THREADS (TX * TY)
// How many vectors of four each invocation brings of the left and of the right matrix.
#define LEFT (BM * 4 / THREADS)
#define RIGHT (BN * 4 / THREADS)

// left is transposed: left[k] holds column k of the tile, four rows a vector. Vector v of it stands at
// v ^ (k/4 % 4 * 2), so that the invocations that store four columns of eight rows use 32 different banks.
shared vec4 left[STEP * BM / 4];
shared vec4 right[STEP * BN / 4];
