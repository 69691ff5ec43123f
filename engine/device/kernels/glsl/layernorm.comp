#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Y = (X - mean) / sqrt(variance + eps) * gamma + beta, mean and variance over the columns of each row. lanes
// invocations, a power of two, share a row.
#define THREADS 256
layout(local_size_x = THREADS) in;
layout(push_constant) uniform Push {
    uint first; // row of this call's first workgroup
    uint rows;  // the row after its last
    uint columns;
    uint lanes;
    float eps;
    Place x, y;
} p;
layout(set = 0, binding = 1, std430) readonly buffer X { uint v[]; } x;
layout(set = 0, binding = 2, std430) readonly buffer G { float v[]; } gamma;
layout(set = 0, binding = 3, std430) readonly buffer B { float v[]; } beta;
layout(set = 0, binding = 4, std430) buffer Y { uint v[]; } y;
READS(readX, x)
WRITES(writeY, y)
WRITES2(writeY2, writeY, y)

shared float sums[THREADS];

void main() {
    uint t = gl_LocalInvocationIndex, lane = t % p.lanes;
    uint row = p.first + groupIndex() * (uint(THREADS) / p.lanes) + t / p.lanes;
    bool there = row < p.rows;
    uint from = p.x.base + row * p.x.stride, to = p.y.base + row * p.y.stride;

    float sum = 0.0;
    if (there) {
        [[dont_unroll]] for (uint c = lane; c < p.columns; c += p.lanes) {
            sum += readX(from + c, p.x.type);
        }
    }
    sums[t] = sum;
    [[dont_unroll]] for (uint s = p.lanes / 2u; s > 0u; s /= 2u) {
        barrier();
        if (lane < s) {
            sums[t] += sums[t + s];
        }
    }
    barrier();
    float mean = sums[t - lane] / float(p.columns);
    barrier();

    float square = 0.0;
    if (there) {
        [[dont_unroll]] for (uint c = lane; c < p.columns; c += p.lanes) {
            float d = readX(from + c, p.x.type) - mean;
            square += d * d;
        }
    }
    sums[t] = square;
    [[dont_unroll]] for (uint s = p.lanes / 2u; s > 0u; s /= 2u) {
        barrier();
        if (lane < s) {
            sums[t] += sums[t + s];
        }
    }
    barrier();
    float scale = 1.0 / sqrt(sums[t - lane] / float(p.columns) + p.eps);
    if (!there) {
        return;
    }
    [[dont_unroll]] for (uint c = 2u * lane; c < p.columns; c += 2u * p.lanes) {
        uint n = min(2u, p.columns - c);
        vec2 v;
        v.x = (readX(from + c, p.x.type) - mean) * scale * gamma.v[c] + beta.v[c];
        if (n == 2u) {
            v.y = (readX(from + c + 1u, p.x.type) - mean) * scale * gamma.v[c + 1u] + beta.v[c + 1u];
        }
        writeY2(to + c, p.y.type, v, n);
    }
}
