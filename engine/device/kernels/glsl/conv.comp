#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
#include "activation.glsl"
// Y [outH, outW, n] = act(conv(f(X [h, w, channels])) + bias), with zero padding, as a product of matrices: a row for
// every output pixel, inner dimension (kernel row, kernel column, channel), W as PackWeight lays it out. f is the
// identity or, with hasPre, relu(x * scale + shift) by channel; the padding comes after it.
// With VECTOR channels, n and all places are multiples of four elements; without, they are any.
layout(local_size_x = TX * TY) in;
layout(push_constant) uniform Push {
    uint first; // output pixel of this call's first tile
    uint rows;  // the output pixel after its last
    uint n, k;
    uint columns; // of the packed weight
    uint tilesN;  // tiles of output channels
    uint weight;  // type of the packed weight
    uint act, hasBias, hasPre;
    uint h, w, channels, outW;
    uint size, step, pad, dilation;
    Place x, y;
} p;
#if VECTOR
#define WORDS uvec2
#else
#define WORDS uint
#endif
layout(set = 0, binding = 1, std430) readonly buffer X { WORDS v[]; } x;
layout(set = 0, binding = 2, std430) readonly buffer W { uvec2 v[]; } w;
layout(set = 0, binding = 3, std430) readonly buffer B { uint v[]; } bias;
// [2, channels]: scale, shift.
layout(set = 0, binding = 4, std430) readonly buffer P { WORDS v[]; } pre;
layout(set = 0, binding = 5, std430) buffer Y { WORDS v[]; } y;
READS4(readWeight, w)
#if VECTOR
READS4(readX, x)
READS4(readPre, pre)
WRITES4(writeY, y)
#else
READS(readX, x)
READS(readPre, pre)
WRITES(writeY, y)
#endif
#include "tile.glsl"

// inside reports whether tap (row, column) of the output pixel whose window begins at corner lies in the map, and which
// row of X it is.
bool inside(uint tap, ivec2 corner, out uint row) {
    ivec2 at = corner + ivec2(tap % p.size, tap / p.size) * int(p.dilation);
    row = uint(at.y) * p.w + uint(at.x);
    return at.x >= 0 && at.y >= 0 && at.x < int(p.w) && at.y < int(p.h);
}

// finish writes channels n to n+3 of output pixel m, as far as there are so many.
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
    uint to = p.y.base + m * p.y.stride + n;
#if VECTOR
    writeY(to, p.y.type, v);
#else
    [[dont_unroll]] for (uint j = 0u; j < count; j++) {
        writeY(to + j, p.y.type, v[j]);
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
    // The corners of the windows of the output pixels that this invocation brings. Pixels past the last have theirs
    // far outside the map.
    ivec2 corner[LEFT];
    [[unroll]] for (uint i = 0u; i < uint(LEFT); i++) {
        uint m = m0 + ((i * uint(THREADS) + t) >> 2);
        corner[i] = m < p.rows ? ivec2(m % p.outW, m / p.outW) * int(p.step) - int(p.pad) : ivec2(-0x40000000);
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
#if VECTOR
            uint tap = k / p.channels, c = k % p.channels;
            vec4 scale, shift;
            if (p.hasPre != 0u && k < p.k) {
                scale = readPre(c, 0u);
                shift = readPre(p.channels + c, 0u);
            }
            [[unroll]] for (uint i = 0u; i < uint(LEFT); i++) {
                uint row;
                vec4 v = vec4(0.0);
                if (k < p.k && inside(tap, corner[i], row)) {
                    v = readX(p.x.base + row * p.x.stride + c, p.x.type);
                    if (p.hasPre != 0u) {
                        v = relu(v * scale + shift);
                    }
                }
                nextLeft[i] = v;
            }
#else
            [[unroll]] for (uint j = 0u; j < 4u; j++) {
                uint tap = (k + j) / p.channels, c = (k + j) % p.channels;
                [[unroll]] for (uint i = 0u; i < uint(LEFT); i++) {
                    uint row;
                    float v = 0.0;
                    if (k + j < p.k && inside(tap, corner[i], row)) {
                        v = readX(p.x.base + row * p.x.stride + c, p.x.type);
                        if (p.hasPre != 0u) {
                            v = relu(vec4(v * readPre(c, 0u) + readPre(p.channels + c, 0u))).x;
                        }
                    }
                    nextLeft[i][j] = v;
                }
            }
#endif
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
