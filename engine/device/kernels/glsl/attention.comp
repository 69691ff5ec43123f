#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Y = softmax(scale * Q K^T) V for every window and head on its own: window w has query rows from w*queries and key rows
// from w*keys, head h columns from h*dim. A workgroup takes QUERIES queries of one window and head and walks over the
// keys, KEYS at a time, with a running maximum and sum (online softmax: Milakov and Gimelshein 2018; Dao et al. 2022), so
// that scores are never stored.
//
// WIDTH is the most columns of a head, a multiple of 32; less is padded with zeros. SLOTS, 4*TX, is KEYS or a little more:
// memory for a tile of keys, of which KEYS are used, so that one workgroup's memory stays within 32 KiB.
// With VECTOR dim and all places are multiples of four elements; without, they are any.
#define QUERIES (4 * TY * RQ)
#define SLOTS (4 * TX)
#define THREADS (TX * TY)
#define COLUMNS (WIDTH / SLOTS)
layout(local_size_x = THREADS) in;
layout(push_constant) uniform Push {
    uint first; // this call's first block of queries
    uint last;  // the block after its last
    uint blocks; // of queries in a window and head
    uint queries, keys; // of a window
    uint heads, dim;
    float scale; // times log2(e)
    Place q, k, v, y;
} p;
#if VECTOR
#define WORDS uvec2
#else
#define WORDS uint
#endif
layout(set = 0, binding = 1, std430) readonly buffer Q { WORDS v[]; } queries;
layout(set = 0, binding = 2, std430) readonly buffer K { WORDS v[]; } keys;
layout(set = 0, binding = 3, std430) readonly buffer V { WORDS v[]; } values;
layout(set = 0, binding = 4, std430) buffer Y { WORDS v[]; } y;

// fetch4 defines NAME(i, type, n), elements i to i+3 of a row of which n are left; those past the last are 0.
#if VECTOR
#define FETCHES(NAME, BUFFER) \
    READS4(NAME##4, BUFFER) \
    vec4 NAME(uint i, uint type, uint n) { return NAME##4(i, type); }
WRITES4(writeY4, y)
void writeY(uint i, uint type, vec4 value, uint n) { writeY4(i, type, value); }
#else
#define FETCHES(NAME, BUFFER) \
    READS(NAME##1, BUFFER) \
    vec4 NAME(uint i, uint type, uint n) { \
        vec4 a = vec4(0.0); \
        [[dont_unroll]] for (uint j = 0u; j < min(n, 4u); j++) { \
            a[j] = NAME##1(i + j, type); \
        } \
        return a; \
    }
WRITES(writeY1, y)
void writeY(uint i, uint type, vec4 value, uint n) {
    [[dont_unroll]] for (uint j = 0u; j < min(n, 4u); j++) {
        writeY1(i + j, type, value[j]);
    }
}
#endif
FETCHES(readQ, queries)
FETCHES(readK, keys)
FETCHES(readV, values)

// Queries, transposed and scaled: [WIDTH][QUERIES]. Elements, of which four neighbours make a vector.
shared vec4 q4[PADDED * QUERIES / 4];
// First the keys, transposed: [WIDTH][SLOTS]; then their scores, also transposed: [KEYS][QUERIES], and after those
// what each query's sum and result are to be multiplied by: [QUERIES].
#define KEY_WORDS (PADDED * SLOTS)
#define SCORE_WORDS (KEYS * QUERIES + QUERIES)
shared vec4 k4[(KEY_WORDS > SCORE_WORDS ? KEY_WORDS : SCORE_WORDS) / 4];
// The values: [KEYS][WIDTH].
shared vec4 v4[KEYS * WIDTH / 4];

void main() {
    uint t = gl_LocalInvocationIndex, tx = t % uint(TX), ty = t / uint(TX);
    uint block = p.first + groupIndex();
    if (block >= p.last) {
        return;
    }
    uint q0 = block % p.blocks * uint(QUERIES), head = block / p.blocks % p.heads, window = block / p.blocks / p.heads;
    uint column = head * p.dim;
    uint steps = (p.dim + 3u) / 4u;

    [[dont_unroll]] for (uint i = t; i < steps * uint(QUERIES); i += uint(THREADS)) {
        uint at = i % uint(QUERIES), d = i / uint(QUERIES) * 4u;
        vec4 a = vec4(0.0);
        if (q0 + at < p.queries) {
            uint row = window * p.queries + q0 + at;
            a = readQ(p.q.base + row * p.q.stride + column + d, p.q.type, p.dim - d) * p.scale;
        }
        [[unroll]] for (uint j = 0u; j < 4u; j++) {
            q4[(d + j) * uint(QUERIES / 4) + (at >> 2)][at & 3u] = a[j];
        }
    }
    vec4 result[4 * RQ][COLUMNS];
    [[unroll]] for (uint i = 0u; i < uint(4 * RQ); i++) {
        [[unroll]] for (uint c = 0u; c < uint(COLUMNS); c++) {
            result[i][c] = vec4(0.0);
        }
    }
    // Of query t, for t < QUERIES.
    float most = -3.0e38, sum = 0.0;

    [[dont_unroll]] for (uint k0 = 0u; k0 < p.keys; k0 += uint(KEYS)) {
        uint there = min(uint(KEYS), p.keys - k0);
        barrier();
        // Neighbouring invocations take neighbouring keys: they store to different banks.
        [[dont_unroll]] for (uint i = t; i < steps * uint(SLOTS); i += uint(THREADS)) {
            uint at = i % uint(SLOTS), d = i / uint(SLOTS) * 4u;
            vec4 a = vec4(0.0);
            if (at < there) {
                uint row = window * p.keys + k0 + at;
                a = readK(p.k.base + row * p.k.stride + column + d, p.k.type, p.dim - d);
            }
            [[unroll]] for (uint j = 0u; j < 4u; j++) {
                k4[(d + j) * uint(SLOTS / 4) + (at >> 2)][at & 3u] = a[j];
            }
        }
        [[dont_unroll]] for (uint i = t; i < uint(KEYS * WIDTH / 4); i += uint(THREADS)) {
            uint at = i / uint(WIDTH / 4), d = i % uint(WIDTH / 4) * 4u;
            vec4 a = vec4(0.0);
            if (at < there && d < p.dim) {
                uint row = window * p.keys + k0 + at;
                a = readV(p.v.base + row * p.v.stride + column + d, p.v.type, p.dim - d);
            }
            v4[i] = a;
        }
        barrier();

        vec4 score[4 * RQ];
        [[unroll]] for (uint i = 0u; i < uint(4 * RQ); i++) {
            score[i] = vec4(0.0);
        }
        [[dont_unroll]] for (uint s = 0u; s < steps; s++) {
            [[unroll]] for (uint j = 0u; j < 4u; j++) {
                uint d = 4u * s + j;
                vec4 b = k4[d * uint(SLOTS / 4) + tx];
                [[unroll]] for (uint r = 0u; r < uint(RQ); r++) {
                    vec4 a = q4[d * uint(QUERIES / 4) + ty + uint(TY) * r];
                    [[unroll]] for (uint i = 0u; i < 4u; i++) {
                        score[4u * r + i] += a[i] * b;
                    }
                }
            }
        }
        barrier();
        // The keys are no longer needed: their memory takes the scores.
        [[unroll]] for (uint j = 0u; j < 4u; j++) {
            uint key = 4u * tx + j;
            if (key < uint(KEYS)) {
                [[unroll]] for (uint r = 0u; r < uint(RQ); r++) {
                    k4[key * uint(QUERIES / 4) + ty + uint(TY) * r] =
                        vec4(score[4u * r][j], score[4u * r + 1u][j], score[4u * r + 2u][j], score[4u * r + 3u][j]);
                }
            }
        }
        barrier();
        if (t < uint(QUERIES)) {
            float before = most;
            [[dont_unroll]] for (uint key = 0u; key < there; key++) {
                most = max(most, k4[key * uint(QUERIES / 4) + (t >> 2)][t & 3u]);
            }
            float added = 0.0;
            [[dont_unroll]] for (uint key = 0u; key < uint(KEYS); key++) {
                uint at = key * uint(QUERIES / 4) + (t >> 2);
                float e = key < there ? exp2(k4[at][t & 3u] - most) : 0.0;
                k4[at][t & 3u] = e;
                added += e;
            }
            float less = exp2(before - most);
            sum = sum * less + added;
            k4[KEYS * QUERIES / 4 + (t >> 2)][t & 3u] = less;
        }
        barrier();
        [[unroll]] for (uint r = 0u; r < uint(RQ); r++) {
            vec4 less = k4[uint(KEYS * QUERIES / 4) + ty + uint(TY) * r];
            [[unroll]] for (uint i = 0u; i < 4u; i++) {
                [[unroll]] for (uint c = 0u; c < uint(COLUMNS); c++) {
                    result[4u * r + i][c] *= less[i];
                }
            }
        }
        [[dont_unroll]] for (uint group = 0u; group < uint(KEYS / 2); group++) {
            [[unroll]] for (uint j = 0u; j < 2u; j++) {
                uint key = 2u * group + j;
                [[unroll]] for (uint r = 0u; r < uint(RQ); r++) {
                    vec4 a = k4[key * uint(QUERIES / 4) + ty + uint(TY) * r];
                    [[unroll]] for (uint c = 0u; c < uint(COLUMNS); c++) {
                        vec4 b = v4[key * uint(WIDTH / 4) + tx + uint(TX) * c];
                        [[unroll]] for (uint i = 0u; i < 4u; i++) {
                            result[4u * r + i][c] += a[i] * b;
                        }
                    }
                }
            }
        }
    }
    barrier();
    if (t < uint(QUERIES)) {
        k4[t >> 2][t & 3u] = 1.0 / sum;
    }
    barrier();
    [[unroll]] for (uint r = 0u; r < uint(RQ); r++) {
        vec4 share = k4[ty + uint(TY) * r];
        [[unroll]] for (uint i = 0u; i < 4u; i++) {
            uint query = q0 + 4u * (ty + uint(TY) * r) + i;
            [[unroll]] for (uint c = 0u; c < uint(COLUMNS); c++) {
                uint d = 4u * (tx + uint(TX) * c);
                if (query < p.queries && d < p.dim) {
                    uint row = window * p.queries + query;
                    writeY(p.y.base + row * p.y.stride + column + d, p.y.type, result[4u * r + i][c] * share[i], p.dim - d);
                }
            }
        }
    }
}
