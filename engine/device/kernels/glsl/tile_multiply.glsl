// Adds the product of the tiles in shared memory to sum.
#ifdef UNROLL
[[unroll]]
#else
[[dont_unroll]]
#endif
for (uint quarter = 0u; quarter < 4u; quarter++) {
    [[unroll]] for (uint j = 0u; j < 4u; j++) {
        uint k = quarter * 4u + j;
        vec4 a[RM], b[RN];
        [[unroll]] for (uint r = 0u; r < uint(RM); r++) {
            a[r] = left[k * uint(BM / 4) + ((ty + uint(TY) * r) ^ (quarter << 1))];
        }
        [[unroll]] for (uint c = 0u; c < uint(RN); c++) {
            b[c] = right[k * uint(BN / 4) + tx + uint(TX) * c];
        }
        [[unroll]] for (uint r = 0u; r < uint(RM); r++) {
            [[unroll]] for (uint c = 0u; c < uint(RN); c++) {
                [[unroll]] for (uint i = 0u; i < 4u; i++) {
                    sum[4u * r + i][c] += a[r][i] * b[c];
                }
            }
        }
    }
}
