#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// X = softmax of each row of X over its columns, in place. lanes invocations, a power of two, share a row.
#define THREADS 256
layout(local_size_x = THREADS) in;
layout(push_constant) uniform Push {
    uint first; // row of this call's first workgroup
    uint rows;  // the row after its last
    uint columns;
    uint lanes;
    Place x;
} p;
layout(set = 0, binding = 1, std430) buffer X { uint v[]; } x;
READS(readX, x)
WRITES(writeX, x)
WRITES2(writeX2, writeX, x)

shared float values[THREADS];

const float LOG2E = 1.4426950408889634;

void main() {
    uint t = gl_LocalInvocationIndex, lane = t % p.lanes;
    uint row = p.first + groupIndex() * (uint(THREADS) / p.lanes) + t / p.lanes;
    bool there = row < p.rows;
    uint from = p.x.base + row * p.x.stride;

    float most = -3.0e38;
    if (there) {
        [[dont_unroll]] for (uint c = lane; c < p.columns; c += p.lanes) {
            most = max(most, readX(from + c, p.x.type));
        }
    }
    values[t] = most;
    [[dont_unroll]] for (uint s = p.lanes / 2u; s > 0u; s /= 2u) {
        barrier();
        if (lane < s) {
            values[t] = max(values[t], values[t + s]);
        }
    }
    barrier();
    most = values[t - lane];
    barrier();

    float sum = 0.0;
    if (there) {
        [[dont_unroll]] for (uint c = lane; c < p.columns; c += p.lanes) {
            sum += exp2((readX(from + c, p.x.type) - most) * LOG2E);
        }
    }
    values[t] = sum;
    [[dont_unroll]] for (uint s = p.lanes / 2u; s > 0u; s /= 2u) {
        barrier();
        if (lane < s) {
            values[t] += values[t + s];
        }
    }
    barrier();
    float scale = 1.0 / values[t - lane];
    if (!there) {
        return;
    }
    // Each pair of columns is one invocation's, so that nobody reads what another has written.
    [[dont_unroll]] for (uint c = 2u * lane; c < p.columns; c += 2u * p.lanes) {
        uint n = min(2u, p.columns - c);
        vec2 v;
        v.x = exp2((readX(from + c, p.x.type) - most) * LOG2E) * scale;
        if (n == 2u) {
            v.y = exp2((readX(from + c + 1u, p.x.type) - most) * LOG2E) * scale;
        }
        writeX2(from + c, p.x.type, v, n);
    }
}
