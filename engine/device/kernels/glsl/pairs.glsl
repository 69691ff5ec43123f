// Kernels over rows, two neighbouring columns an invocation. Push begins with PAIRS; the macro PAIR, at the start of main,
// makes row, column and n, how many of the two columns there are, and returns where there is nothing to do.
#define PAIRS \
    uint first;   /* this call's first row */ \
    uint rows;    /* the row after its last */ \
    uint columns; \
    uint pairs;   /* of columns, the last of which may be single */

#define PAIR \
    uint invocation = groupIndex() * 256u + gl_LocalInvocationIndex; \
    uint row = p.first + invocation / p.pairs, column = 2u * (invocation % p.pairs); \
    if (row >= p.rows) { \
        return; \
    } \
    uint n = min(2u, p.columns - column);

// READS2 defines NAME(i, type, n), elements i and, if n is 2, i+1. It needs NAME1 from READS.
#define READS2(NAME, NAME1) \
    vec2 NAME(uint i, uint type, uint n) { \
        return vec2(NAME1(i, type), n == 2u ? NAME1(i + 1u, type) : 0.0); \
    }
layout(local_size_x = 256) in;
