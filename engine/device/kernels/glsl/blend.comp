#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Adds a tile to a frame: Y [h, w, C] at (left, top) += weight * X [tileH, tileW, C], where the weight of a pixel is
// across[x] * down[y]. What lies outside the frame is left out. X's last column but one call's columns may be more
// than Y's: with sum, column C of Y takes the weights themselves. One invocation a pixel of the tile.
layout(local_size_x = 256) in;
layout(push_constant) uniform Push {
    uint first; // this call's first pixel
    uint rows;  // the pixel after its last
    uint columns;
    uint sum;
    uint tileW, w, h, left, top;
    Place x, y;
} p;
layout(set = 0, binding = 1, std430) readonly buffer X { uint v[]; } x;
layout(set = 0, binding = 2, std430) readonly buffer A { float v[]; } across;
layout(set = 0, binding = 3, std430) readonly buffer D { float v[]; } down;
layout(set = 0, binding = 4, std430) buffer Y { uint v[]; } y;
READS(readX, x)
READS(readY, y)
WRITES(writeY, y)

void main() {
    uint pixel = p.first + groupIndex() * 256u + gl_LocalInvocationIndex;
    if (pixel >= p.rows) {
        return;
    }
    uint tx = pixel % p.tileW, ty = pixel / p.tileW;
    uint fx = p.left + tx, fy = p.top + ty;
    float weight = across.v[tx] * down.v[ty];
    if (fx >= p.w || fy >= p.h || weight == 0.0) {
        return;
    }
    uint from = p.x.base + pixel * p.x.stride, to = p.y.base + (fy * p.w + fx) * p.y.stride;
    [[dont_unroll]] for (uint c = 0u; c < p.columns; c++) {
        writeY(to + c, p.y.type, readY(to + c, p.y.type) + weight * readX(from + c, p.x.type));
    }
    if (p.sum != 0u) {
        writeY(to + p.columns, p.y.type, readY(to + p.columns, p.y.type) + weight);
    }
}
