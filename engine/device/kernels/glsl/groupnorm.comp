#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
#include "activation.glsl"
#include "pairs.glsl"
// Y = act((X - mean) * rstd * gamma + beta + residual), mean and rstd by group of columns. Y may be X's or the residual's
// memory if the types are the same.
layout(push_constant) uniform Push {
    PAIRS
    uint width; // columns of a group
    uint act, hasResidual;
    Place x, residual, y;
} p;
layout(set = 0, binding = 1, std430) readonly buffer X { uint v[]; } x;
layout(set = 0, binding = 2, std430) readonly buffer S { float v[]; } statistics; // [groups, 2]: mean, rstd
layout(set = 0, binding = 3, std430) readonly buffer G { float v[]; } gamma;
layout(set = 0, binding = 4, std430) readonly buffer B { float v[]; } beta;
layout(set = 0, binding = 5, std430) readonly buffer R { uint v[]; } residual;
layout(set = 0, binding = 6, std430) buffer Y { uint v[]; } y;
READS(readX1, x)
READS2(readX, readX1)
READS(readResidual1, residual)
READS2(readResidual, readResidual1)
WRITES(writeY1, y)
WRITES2(writeY, writeY1, y)

float normalise(float v, uint c) {
    uint g = c / p.width;
    return (v - statistics.v[2u * g]) * statistics.v[2u * g + 1u] * gamma.v[c] + beta.v[c];
}

void main() {
    PAIR
    vec2 v = readX(p.x.base + row * p.x.stride + column, p.x.type, n);
    v.x = normalise(v.x, column);
    if (n == 2u) {
        v.y = normalise(v.y, column + 1u);
    }
    if (p.hasResidual != 0u) {
        v += readResidual(p.residual.base + row * p.residual.stride + column, p.residual.type, n);
    }
    writeY(p.y.base + row * p.y.stride + column, p.y.type, activate(vec4(v, v), p.act).xy, n);
}
