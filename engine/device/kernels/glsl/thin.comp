#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
#include "activation.glsl"
// Y [rows, n] = act(X [rows, k] * W + bias) + residual for n of at most four columns: an invocation a row. W as
// PackWeight lays it out. Rows of X go through shared memory, so that they are read side by side.
#define ROWS 128
#define STEP 16
layout(local_size_x = ROWS) in;
layout(push_constant) uniform Push {
    uint first; // row of this call's first workgroup
    uint rows;  // the row after its last
    uint n, k;
    uint columns; // of the packed weight
    uint weight;  // type of the packed weight
    uint act, hasBias, hasResidual;
    Place x, y, residual;
} p;
layout(set = 0, binding = 1, std430) readonly buffer X { uint v[]; } x;
layout(set = 0, binding = 2, std430) readonly buffer W { uvec2 v[]; } w;
layout(set = 0, binding = 3, std430) readonly buffer B { uint v[]; } bias;
layout(set = 0, binding = 4, std430) readonly buffer R { uint v[]; } residual;
layout(set = 0, binding = 5, std430) buffer Y { uint v[]; } y;
READS(readX, x)
READS4(readWeight, w)
READS(readResidual, residual)
WRITES(writeY, y)

// One column more than it holds, so that rows begin in different banks.
shared float rows[ROWS * (STEP + 1)];
shared vec4 weights[STEP];

void main() {
    uint t = gl_LocalInvocationIndex;
    uint m0 = p.first + groupIndex() * uint(ROWS);
    if (m0 >= p.rows) {
        return;
    }
    vec4 sum = vec4(0.0);
    [[dont_unroll]] for (uint k0 = 0u; k0 < p.k; k0 += uint(STEP)) {
        barrier();
        [[dont_unroll]] for (uint i = t; i < uint(ROWS * STEP); i += uint(ROWS)) {
            uint m = m0 + i / uint(STEP), k = k0 + i % uint(STEP);
            float v = 0.0;
            if (m < p.rows && k < p.k) {
                v = readX(p.x.base + m * p.x.stride + k, p.x.type);
            }
            rows[i / uint(STEP) * uint(STEP + 1) + i % uint(STEP)] = v;
        }
        if (t < uint(STEP)) {
            weights[t] = readWeight((k0 + t) * p.columns, p.weight);
        }
        barrier();
        [[unroll]] for (uint k = 0u; k < uint(STEP); k++) {
            sum += rows[t * uint(STEP + 1) + k] * weights[k];
        }
    }
    uint m = m0 + t;
    if (m >= p.rows) {
        return;
    }
    [[unroll]] for (uint j = 0u; j < 4u; j++) {
        if (p.hasBias != 0u && j < p.n) {
            sum[j] += uintBitsToFloat(bias.v[j]);
        }
    }
    sum = activate(sum, p.act);
    uint from = p.residual.base + m * p.residual.stride, to = p.y.base + m * p.y.stride;
    [[dont_unroll]] for (uint j = 0u; j < p.n; j++) {
        writeY(to + j, p.y.type, p.hasResidual != 0u ? sum[j] + readResidual(from + j, p.residual.type) : sum[j]);
    }
}
