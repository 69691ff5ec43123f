#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
#include "pairs.glsl"
// Y = X / Z, X [rows, C] and Z [rows, 1] the weights that came together in each row; 0 where they are 0. Y may be X's
// memory if the types are the same.
layout(push_constant) uniform Push {
    PAIRS
    Place x, z, y;
} p;
layout(set = 0, binding = 1, std430) readonly buffer X { uint v[]; } x;
layout(set = 0, binding = 2, std430) readonly buffer Z { uint v[]; } z;
layout(set = 0, binding = 3, std430) buffer Y { uint v[]; } y;
READS(readX1, x)
READS2(readX, readX1)
READS(readZ, z)
WRITES(writeY1, y)
WRITES2(writeY, writeY1, y)

void main() {
    PAIR
    float weight = readZ(p.z.base + row * p.z.stride, p.z.type);
    vec2 v = readX(p.x.base + row * p.x.stride + column, p.x.type, n);
    writeY(p.y.base + row * p.y.stride + column, p.y.type, weight == 0.0 ? vec2(0.0) : v / weight, n);
}
