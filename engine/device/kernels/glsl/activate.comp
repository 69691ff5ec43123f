#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
#include "activation.glsl"
#include "pairs.glsl"
// Y = act(X), element by element. With the identity it copies, and converts where the types differ. Y may be X's
// memory if the types are the same.
layout(push_constant) uniform Push {
    PAIRS
    uint act;
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
    vec2 v = readX(p.x.base + row * p.x.stride + column, p.x.type, n);
    writeY(p.y.base + row * p.y.stride + column, p.y.type, activate(vec4(v, v), p.act).xy, n);
}
