// Stores what the invocation brought, nextLeft and nextRight, to shared memory.
[[unroll]] for (uint p = 0u; p < uint(LEFT); p++) {
    uint row = (p * uint(THREADS) + t) >> 2;
    uint at = (t & 3u) * uint(BM) + ((row >> 2) ^ ((t & 3u) << 1));
    [[unroll]] for (uint j = 0u; j < 4u; j++) {
        left[at + j * uint(BM / 4)][row & 3u] = nextLeft[p][j];
    }
}
[[unroll]] for (uint p = 0u; p < uint(RIGHT); p++) {
    right[p * uint(THREADS) + t] = nextRight[p];
}
