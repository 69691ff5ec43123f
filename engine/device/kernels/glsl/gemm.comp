#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
#include "activation.glsl"
// Y [rows, n] = act(X [rows, k] * W + bias) + residual, W as PackWeight lays it out: [k up to 16s, columns up to 8s].
// With VECTOR every row and column of X, residual and Y is a multiple of four elements; without, they are any.
// Y may be the residual's memory: each element is read and written by the same invocation.
layout(local_size_x = TX * TY) in;
layout(push_constant) uniform Push {
    uint first; // row of this call's first tile
    uint rows;  // the row after its last
    uint n, k;
    uint columns;  // of the packed weight
    uint tilesN;   // tiles of columns
    uint weight;   // type of the packed weight
    uint act, hasBias, hasResidual;
    Place x, y, residual;
} p;
#if VECTOR
#define WORDS uvec2
#else
#define WORDS uint
#endif
layout(set = 0, binding = 1, std430) readonly buffer X { WORDS v[]; } x;
layout(set = 0, binding = 2, std430) readonly buffer W { uvec2 v[]; } w;
layout(set = 0, binding = 3, std430) readonly buffer B { uint v[]; } bias;
layout(set = 0, binding = 4, std430) readonly buffer R { WORDS v[]; } residual;
layout(set = 0, binding = 5, std430) buffer Y { WORDS v[]; } y;
READS4(readWeight, w)
#if VECTOR
READS4(readX, x)
READS4(readResidual, residual)
WRITES4(writeY, y)
#else
READS(readX, x)
READS(readResidual, residual)
WRITES(writeY, y)
#endif
#include "tile.glsl"

// finish writes columns n to n+3 of row m, as far as there are so many.
void finish(uint m, uint n, vec4 v) {
    uint count = min(4u, p.n - n);
    if (p.hasBias != 0u) {
        [[unroll]] for (uint j = 0u; j < 4u; j++) {
            if (j < count) {
                v[j] += uintBitsToFloat(bias.v[n + j]);
            }
        }
    }
    v = activate(v, p.act);
    uint from = p.residual.base + m * p.residual.stride + n, to = p.y.base + m * p.y.stride + n;
#if VECTOR
    if (p.hasResidual != 0u) {
        v += readResidual(from, p.residual.type);
    }
    writeY(to, p.y.type, v);
#else
    [[dont_unroll]] for (uint j = 0u; j < count; j++) {
        writeY(to + j, p.y.type, p.hasResidual != 0u ? v[j] + readResidual(from + j, p.residual.type) : v[j]);
    }
#endif
}

void main() {
    uint t = gl_LocalInvocationIndex, tx = t % uint(TX), ty = t / uint(TX);
    uint tile = groupIndex();
    uint m0 = p.first + tile / p.tilesN * uint(BM), n0 = tile % p.tilesN * uint(BN);
    if (m0 >= p.rows) {
        return;
    }
    vec4 sum[4 * RM][RN];
    [[unroll]] for (uint i = 0u; i < uint(4 * RM); i++) {
        [[unroll]] for (uint c = 0u; c < uint(RN); c++) {
            sum[i][c] = vec4(0.0);
        }
    }
    uint steps = (p.k + uint(STEP) - 1u) / uint(STEP);
    vec4 nextLeft[LEFT], nextRight[RIGHT];
    [[dont_unroll]] for (uint s = 0u; s <= steps; s++) {
        if (s > 0u) {
            barrier();
            #include "tile_store.glsl"
            barrier();
        }
        // The next step is on its way while this one is multiplied.
        if (s < steps) {
            uint k = s * uint(STEP) + 4u * (t & 3u);
            [[unroll]] for (uint i = 0u; i < uint(LEFT); i++) {
                uint m = m0 + ((i * uint(THREADS) + t) >> 2);
                nextLeft[i] = vec4(0.0);
#if VECTOR
                if (m < p.rows && k < p.k) {
                    nextLeft[i] = readX(p.x.base + m * p.x.stride + k, p.x.type);
                }
#else
                [[unroll]] for (uint j = 0u; j < 4u; j++) {
                    if (m < p.rows && k + j < p.k) {
                        nextLeft[i][j] = readX(p.x.base + m * p.x.stride + k + j, p.x.type);
                    }
                }
#endif
            }
            [[unroll]] for (uint i = 0u; i < uint(RIGHT); i++) {
                uint at = i * uint(THREADS) + t;
                uint row = s * uint(STEP) + at / uint(BN / 4), n = n0 + 4u * (at % uint(BN / 4));
                nextRight[i] = n < p.columns ? readWeight(row * p.columns + n, p.weight) : vec4(0.0);
            }
        }
        if (s > 0u) {
            #include "tile_multiply.glsl"
        }
    }
    [[unroll]] for (uint i = 0u; i < uint(4 * RM); i++) {
        uint m = m0 + 4u * (ty + uint(TY) * (i / 4u)) + i % 4u;
        [[unroll]] for (uint c = 0u; c < uint(RN); c++) {
            uint n = n0 + 4u * (tx + uint(TX) * c);
            if (m < p.rows && n < p.n) {
                finish(m, n, sum[i][c]);
            }
        }
    }
}
