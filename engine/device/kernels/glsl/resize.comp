#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
#include "pairs.glsl"
// Bilinear resampling of a map X [h, w, C] to Y [outH, outW, C], pixel centres at half-integers, edges clamped; with
// accumulate it is added to Y.
layout(push_constant) uniform Push {
    PAIRS
    uint h, w, outH, outW;
    uint accumulate;
    Place x, y;
} p;
layout(set = 0, binding = 1, std430) readonly buffer X { uint v[]; } x;
layout(set = 0, binding = 2, std430) buffer Y { uint v[]; } y;
READS(readX1, x)
READS2(readX, readX1)
READS(readY1, y)
READS2(readY, readY1)
WRITES(writeY1, y)
WRITES2(writeY, writeY1, y)

// sample returns the first of the two input positions that output position i lies between; part is how far it is
// from that. In whole numbers, so that nothing is rounded far from the origin.
uint between(uint i, uint n, uint outN, out float part) {
    int twice = int((2u * i + 1u) * n) - int(outN);
    uint at = uint(max(twice, 0));
    part = float(at % (2u * outN)) / float(2u * outN);
    return min(at / (2u * outN), n - 1u);
}

void main() {
    PAIR
    float right, down;
    uint x0 = between(row % p.outW, p.w, p.outW, right), y0 = between(row / p.outW, p.h, p.outH, down);
    uint x1 = min(x0 + 1u, p.w - 1u), y1 = min(y0 + 1u, p.h - 1u);
    uint from = p.x.base + column;
    vec2 a = readX(from + (y0 * p.w + x0) * p.x.stride, p.x.type, n);
    vec2 b = readX(from + (y0 * p.w + x1) * p.x.stride, p.x.type, n);
    vec2 c = readX(from + (y1 * p.w + x0) * p.x.stride, p.x.type, n);
    vec2 d = readX(from + (y1 * p.w + x1) * p.x.stride, p.x.type, n);
    a += (c - a) * down;
    b += (d - b) * down;
    vec2 v = a + (b - a) * right;
    uint to = p.y.base + row * p.y.stride + column;
    if (p.accumulate != 0u) {
        v += readY(to, p.y.type, n);
    }
    writeY(to, p.y.type, v, n);
}
