#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Y = scale * Q K^T for every window and head on its own: Y [windows * heads * queries, keys] float32. Window w has query
// rows from w*queries and key rows from w*keys, head h columns from h*dim. Tiles of 32 x 32, four scores an invocation.
#define TILE 32
layout(local_size_x = 256) in;
layout(push_constant) uniform Push {
    uint first; // this call's first tile
    uint last;  // the tile after its last
    uint down, across; // tiles of a window and head
    uint queries, keys; // of a window
    uint heads, dim;
    float scale;
    Place q, k, y;
} p;
layout(set = 0, binding = 1, std430) readonly buffer Q { uint v[]; } queries;
layout(set = 0, binding = 2, std430) readonly buffer K { uint v[]; } keys;
layout(set = 0, binding = 3, std430) buffer Y { uint v[]; } y;
READS(readQ, queries)
READS(readK, keys)
WRITES(writeY, y)

// One column more than they hold, so that rows begin in different banks.
shared float left[TILE * (TILE + 1)];
shared float right[TILE * (TILE + 1)];

void main() {
    uint t = gl_LocalInvocationIndex, tx = t % uint(TILE), ty = t / uint(TILE);
    uint tile = p.first + groupIndex();
    if (tile >= p.last) {
        return;
    }
    uint group = tile / (p.down * p.across), place = tile % (p.down * p.across);
    uint q0 = place / p.across * uint(TILE), k0 = place % p.across * uint(TILE);
    uint window = group / p.heads, column = group % p.heads * p.dim;
    float sum[4] = float[4](0.0, 0.0, 0.0, 0.0);
    [[dont_unroll]] for (uint d0 = 0u; d0 < p.dim; d0 += uint(TILE)) {
        barrier();
        [[unroll]] for (uint i = 0u; i < 4u; i++) {
            uint row = ty + 8u * i, d = d0 + tx;
            float a = 0.0, b = 0.0;
            if (d < p.dim && q0 + row < p.queries) {
                a = readQ(p.q.base + (window * p.queries + q0 + row) * p.q.stride + column + d, p.q.type);
            }
            if (d < p.dim && k0 + row < p.keys) {
                b = readK(p.k.base + (window * p.keys + k0 + row) * p.k.stride + column + d, p.k.type);
            }
            left[row * uint(TILE + 1) + tx] = a;
            right[row * uint(TILE + 1) + tx] = b;
        }
        barrier();
        [[dont_unroll]] for (uint d = 0u; d < uint(TILE); d++) {
            float b = right[tx * uint(TILE + 1) + d];
            [[unroll]] for (uint i = 0u; i < 4u; i++) {
                sum[i] += left[(ty + 8u * i) * uint(TILE + 1) + d] * b;
            }
        }
    }
    [[unroll]] for (uint i = 0u; i < 4u; i++) {
        uint q = q0 + ty + 8u * i, k = k0 + tx;
        if (q < p.queries && k < p.keys) {
            writeY(p.y.base + (group * p.queries + q) * p.y.stride + k, p.y.type, sum[i] * p.scale);
        }
    }
}
