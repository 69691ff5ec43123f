#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// GroupNorm statistics, first stage: for every chunk of rows and every group of columns, how many values there are,
// their mean and the sum of squared deviations from it: Y [chunks, groups, 3] float32. Which invocation sums what
// depends on sizes alone, so that results repeat.
//
// An invocation sums deviations from the first value it sees, so that squares do not cancel; then moments are merged
// (Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances", 1979).
#define THREADS 256
layout(local_size_x = THREADS) in;
layout(push_constant) uniform Push {
    uint first; // this call's first chunk
    uint rows;  // the row after its last
    uint columns, groups;
    uint chunk; // rows of a chunk
    Place x;
} p;
layout(set = 0, binding = 1, std430) readonly buffer X { uint v[]; } x;
layout(set = 0, binding = 2, std430) writeonly buffer Y { float v[]; } y;
READS(readX, x)

shared float count[THREADS];
shared float mean[THREADS];
shared float square[THREADS];

void main() {
    uint t = gl_LocalInvocationIndex;
    uint chunk = p.first + groupIndex();
    uint from = chunk * p.chunk, to = min(from + p.chunk, p.rows);
    if (from >= p.rows) {
        return;
    }
    uint width = p.columns / p.groups;
    // Moments of group t, for t < groups.
    float n = 0.0, m = 0.0, q = 0.0;
    [[dont_unroll]] for (uint c0 = 0u; c0 < p.columns; c0 += uint(THREADS)) {
        uint columns = min(p.columns - c0, uint(THREADS)), lanes = uint(THREADS) / columns;
        uint c = t % columns, lane = t / columns;
        float values = 0.0, shift = 0.0, sum = 0.0, squares = 0.0;
        if (lane < lanes && from + lane < to) {
            shift = readX(p.x.base + (from + lane) * p.x.stride + c0 + c, p.x.type);
            [[dont_unroll]] for (uint row = from + lane; row < to; row += lanes) {
                float d = readX(p.x.base + row * p.x.stride + c0 + c, p.x.type) - shift;
                values += 1.0;
                sum += d;
                squares += d * d;
            }
        }
        float over = sum / max(values, 1.0);
        count[t] = values;
        mean[t] = shift + over;
        square[t] = max(squares - sum * over, 0.0);
        barrier();
        if (t < p.groups) {
            uint low = max(t * width, c0), high = min((t + 1u) * width, c0 + columns);
            [[dont_unroll]] for (uint l = 0u; l < lanes; l++) {
                [[dont_unroll]] for (uint at = low; at < high; at++) {
                    uint i = l * columns + at - c0;
                    if (count[i] > 0.0) {
                        float total = n + count[i], d = mean[i] - m;
                        q += square[i] + d * d * (n * (count[i] / total));
                        m += d * (count[i] / total);
                        n = total;
                    }
                }
            }
        }
        barrier();
    }
    if (t < p.groups) {
        uint at = (chunk * p.groups + t) * 3u;
        y.v[at] = n;
        y.v[at + 1u] = m;
        y.v[at + 2u] = q;
    }
}
