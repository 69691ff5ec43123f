#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Y = S V for every window and head on its own: S [windows * heads * queries, keys]; window w has query rows from w*queries
// of Y and key rows from w*keys of V, head h columns from h*dim. Tiles of 32 x 32, four results an invocation.
#define TILE 32
layout(local_size_x = 256) in;
layout(push_constant) uniform Push {
    uint first; // this call's first tile
    uint last;  // the tile after its last
    uint down, across; // tiles of a window and head
    uint queries, keys; // of a window
    uint heads, dim;
    Place s, v, y;
} p;
layout(set = 0, binding = 1, std430) readonly buffer S { uint v[]; } scores;
layout(set = 0, binding = 2, std430) readonly buffer V { uint v[]; } values;
layout(set = 0, binding = 3, std430) buffer Y { uint v[]; } y;
READS(readS, scores)
READS(readV, values)
WRITES(writeY1, y)

shared float left[TILE * TILE];
shared float right[TILE * TILE];

void main() {
    uint t = gl_LocalInvocationIndex, tx = t % uint(TILE), ty = t / uint(TILE);
    uint tile = p.first + groupIndex();
    if (tile >= p.last) {
        return;
    }
    uint group = tile / (p.down * p.across), place = tile % (p.down * p.across);
    uint q0 = place / p.across * uint(TILE), d0 = place % p.across * uint(TILE);
    uint window = group / p.heads, column = group % p.heads * p.dim;
    float sum[4] = float[4](0.0, 0.0, 0.0, 0.0);
    [[dont_unroll]] for (uint k0 = 0u; k0 < p.keys; k0 += uint(TILE)) {
        barrier();
        [[unroll]] for (uint i = 0u; i < 4u; i++) {
            uint row = ty + 8u * i;
            float a = 0.0, b = 0.0;
            if (q0 + row < p.queries && k0 + tx < p.keys) {
                a = readS(p.s.base + (group * p.queries + q0 + row) * p.s.stride + k0 + tx, p.s.type);
            }
            if (k0 + row < p.keys && d0 + tx < p.dim) {
                b = readV(p.v.base + (window * p.keys + k0 + row) * p.v.stride + column + d0 + tx, p.v.type);
            }
            left[row * uint(TILE) + tx] = a;
            right[row * uint(TILE) + tx] = b;
        }
        barrier();
        [[dont_unroll]] for (uint k = 0u; k < uint(TILE); k++) {
            float b = right[k * uint(TILE) + tx];
            [[unroll]] for (uint i = 0u; i < 4u; i++) {
                sum[i] += left[(ty + 8u * i) * uint(TILE) + k] * b;
            }
        }
    }
    [[unroll]] for (uint i = 0u; i < 4u; i++) {
        uint q = q0 + ty + 8u * i, d = d0 + tx;
        if (q < p.queries && d < p.dim) {
            writeY1(p.y.base + (window * p.queries + q) * p.y.stride + column + d, p.y.type, sum[i]);
        }
    }
}
