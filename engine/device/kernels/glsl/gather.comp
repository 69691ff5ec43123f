#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
#include "pairs.glsl"
// Y[j] = X[index[j]] + Z[j], row by row; Z with hasZ.
layout(push_constant) uniform Push {
    PAIRS
    uint hasZ;
    Place index, x, z, y;
} p;
layout(set = 0, binding = 1, std430) readonly buffer I { uint v[]; } index;
layout(set = 0, binding = 2, std430) readonly buffer X { uint v[]; } x;
layout(set = 0, binding = 3, std430) readonly buffer Z { uint v[]; } z;
layout(set = 0, binding = 4, std430) buffer Y { uint v[]; } y;
READS(readX1, x)
READS2(readX, readX1)
READS(readZ1, z)
READS2(readZ, readZ1)
WRITES(writeY1, y)
WRITES2(writeY, writeY1, y)

void main() {
    PAIR
    vec2 v = readX(p.x.base + index.v[p.index.base + row] * p.x.stride + column, p.x.type, n);
    if (p.hasZ != 0u) {
        v += readZ(p.z.base + row * p.z.stride + column, p.z.type, n);
    }
    writeY(p.y.base + row * p.y.stride + column, p.y.type, v, n);
}
