// Instructions that the Go assembler lacks, on vectors of four floats; m, n and d are register numbers. Encodings:
// Arm Architecture Reference Manual, C7.2. As elsewhere in Go's assembly the destination comes last.
#define FADD(m, n, d) WORD $(0x4e20d400 | (m)<<16 | (n)<<5 | (d))   // d = n + m
#define FSUB(m, n, d) WORD $(0x4ea0d400 | (m)<<16 | (n)<<5 | (d))   // d = n - m
#define FMUL(m, n, d) WORD $(0x6e20dc00 | (m)<<16 | (n)<<5 | (d))   // d = n * m
#define FMAX(m, n, d) WORD $(0x4e20f400 | (m)<<16 | (n)<<5 | (d))   // NaN if one is
#define FMIN(m, n, d) WORD $(0x4ea0f400 | (m)<<16 | (n)<<5 | (d))
#define FABS(n, d) WORD $(0x4ea0f800 | (n)<<5 | (d))
#define FRINTN(n, d) WORD $(0x4e218800 | (n)<<5 | (d))              // to the nearest integer
#define FCVTNS(n, d) WORD $(0x4e21a800 | (n)<<5 | (d))              // and to int32
#define FMAXV(n, d) WORD $(0x6e30f800 | (n)<<5 | (d))               // the largest lane
#define FADDP(m, n, d) WORD $(0x6e20d400 | (m)<<16 | (n)<<5 | (d))  // sums of pairs
#define FDIV(m, n, d) WORD $(0x6e20fc00 | (m)<<16 | (n)<<5 | (d))   // d = n / m

// EXP2 replaces V2 by 2^V2, for values in [-126, 127]; V3 to V5 are temporaries. V16 to V20 hold the coefficients
// C1 to C5 and V21 one.
#define EXP2 \
	FRINTN(2, 3)                  \
	FSUB(3, 2, 2)                 \
	VMOV  V19.B16, V4.B16         \
	VFMLA V2.S4, V20.S4, V4.S4    \
	VMOV  V18.B16, V5.B16         \
	VFMLA V2.S4, V4.S4, V5.S4     \
	VMOV  V17.B16, V4.B16         \
	VFMLA V2.S4, V5.S4, V4.S4     \
	VMOV  V16.B16, V5.B16         \
	VFMLA V2.S4, V4.S4, V5.S4     \
	VMOV  V21.B16, V4.B16         \
	VFMLA V2.S4, V5.S4, V4.S4     \
	FCVTNS(3, 3)                  \
	VSHL  $23, V3.S4, V3.S4       \
	VADD  V3.S4, V4.S4, V2.S4
