#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// GroupNorm statistics, second stage: a workgroup a group merges the moments of all chunks, X [chunks, groups, 3], to
// Y [groups, 2] float32: mean and 1/sqrt(variance + eps).
#define THREADS 256
layout(local_size_x = THREADS) in;
layout(push_constant) uniform Push {
    uint chunks, groups;
    float eps;
} p;
layout(set = 0, binding = 1, std430) readonly buffer X { float v[]; } x;
layout(set = 0, binding = 2, std430) writeonly buffer Y { float v[]; } y;

shared float count[THREADS];
shared float mean[THREADS];
shared float square[THREADS];

void main() {
    uint t = gl_LocalInvocationIndex, group = groupIndex();
    if (group >= p.groups) {
        return;
    }
    float n = 0.0, m = 0.0, q = 0.0;
    [[dont_unroll]] for (uint i = t; i < p.chunks; i += uint(THREADS)) {
        uint at = (i * p.groups + group) * 3u;
        float more = x.v[at], total = n + more, d = x.v[at + 1u] - m;
        q += x.v[at + 2u] + d * d * (n * (more / total));
        m += d * (more / total);
        n = total;
    }
    count[t] = n;
    mean[t] = m;
    square[t] = q;
    [[dont_unroll]] for (uint s = uint(THREADS) / 2u; s > 0u; s /= 2u) {
        barrier();
        if (t < s && count[t + s] > 0.0) {
            float total = count[t] + count[t + s], d = mean[t + s] - mean[t], share = count[t + s] / total;
            square[t] += square[t + s] + d * d * (count[t] * share);
            mean[t] += d * share;
            count[t] = total;
        }
    }
    if (t == 0u) {
        y.v[2u * group] = mean[0];
        y.v[2u * group + 1u] = 1.0 / sqrt(square[0] / count[0] + p.eps);
    }
}
