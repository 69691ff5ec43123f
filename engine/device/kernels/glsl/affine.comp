#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// What a GroupNorm does to each column as scale and shift: Y [2, columns] float32 with
// (x - mean) * rstd * gamma + beta = x * Y[0] + Y[1].
layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
    uint columns;
    uint width; // columns of a group
} p;
layout(set = 0, binding = 1, std430) readonly buffer S { float v[]; } statistics; // [groups, 2]: mean, rstd
layout(set = 0, binding = 2, std430) readonly buffer G { float v[]; } gamma;
layout(set = 0, binding = 3, std430) readonly buffer B { float v[]; } beta;
layout(set = 0, binding = 4, std430) writeonly buffer Y { float v[]; } y;

void main() {
    uint c = groupIndex() * 64u + gl_LocalInvocationIndex;
    if (c >= p.columns) {
        return;
    }
    uint g = c / p.width;
    float scale = statistics.v[2u * g + 1u] * gamma.v[c];
    y.v[c] = scale;
    y.v[p.columns + c] = beta.v[c] - statistics.v[2u * g] * scale;
}
