#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
#include "pairs.glsl"
// Y[j] = the element-wise maximum of X[4j] to X[4j+3].
layout(push_constant) uniform Push {
    PAIRS
    Place x, y;
} p;
layout(set = 0, binding = 1, std430) readonly buffer X { uint v[]; } x;
layout(set = 0, binding = 2, std430) buffer Y { uint v[]; } y;
READS(readX1, x)
READS2(readX, readX1)
WRITES(writeY1, y)
WRITES2(writeY, writeY1, y)

void main() {
    PAIR
    uint from = p.x.base + 4u * row * p.x.stride + column;
    vec2 v = readX(from, p.x.type, n);
    [[unroll]] for (uint i = 1u; i < 4u; i++) {
        v = max(v, readX(from + i * p.x.stride, p.x.type, n));
    }
    writeY(p.y.base + row * p.y.stride + column, p.y.type, v, n);
}
