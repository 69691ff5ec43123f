#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// The network's input: Y [rows, 4] = (plate - mean) / std by channel, then the hint; without hasHint Y is [rows, 3].
// One invocation a pixel.
layout(local_size_x = 256) in;
layout(push_constant) uniform Push {
    uint first; // this call's first row
    uint rows;  // the row after its last
    uint hasHint;
    float mean0, mean1, mean2;
    float std0, std1, std2;
    Place plate, hint, y;
} p;
layout(set = 0, binding = 1, std430) readonly buffer X { uint v[]; } plate;
layout(set = 0, binding = 2, std430) readonly buffer Z { uint v[]; } hint;
layout(set = 0, binding = 3, std430) buffer Y { uint v[]; } y;
READS(readPlate, plate)
READS(readHint, hint)
WRITES(writeY, y)

void main() {
    uint row = p.first + groupIndex() * 256u + gl_LocalInvocationIndex;
    if (row >= p.rows) {
        return;
    }
    uint from = p.plate.base + row * p.plate.stride, to = p.y.base + row * p.y.stride;
    writeY(to, p.y.type, (readPlate(from, p.plate.type) - p.mean0) / p.std0);
    writeY(to + 1u, p.y.type, (readPlate(from + 1u, p.plate.type) - p.mean1) / p.std1);
    writeY(to + 2u, p.y.type, (readPlate(from + 2u, p.plate.type) - p.mean2) / p.std2);
    if (p.hasHint != 0u) {
        writeY(to + 3u, p.y.type, readHint(p.hint.base + row * p.hint.stride, p.hint.type));
    }
}
