#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Y = softmax(scale * Q K^T) V for every window and head on its own: window w has query rows from w*queries and key rows
// from w*keys, head h columns from h*dim. A workgroup takes QUERIES queries of one window and head and walks over the
// keys, KEYS at a time, with a running maximum and sum (online softmax: Milakov and Gimelshein 2018; Dao et al. 2022), so
// that scores are never stored.
//
// An invocation (tx, ty) has scores of queries 4*(ty + TY*r) + i with keys 4*tx + j, and result columns 4*(tx + TX*c) + j of
// the same queries, r < RQ. WIDTH, a multiple of 8, is the most columns of a head; less is padded with zeros.
// With VECTOR dim and all places are multiples of four elements; without, they are any.
#define ROWS (TY * RQ) // vectors of four queries
#define QUERIES (4 * ROWS)
#define KEYS (4 * TX)
#define THREADS (TX * TY)
// Vectors of four that an invocation has: of results, and of each tile of keys and of values.
#define COLUMNS ((WIDTH / 4 + TX - 1) / TX)
#define VECTORS (WIDTH / 4 * KEYS)
#define LOADS ((VECTORS + THREADS - 1) / THREADS)
// How many columns of a head, and how many groups of four keys, are written out in one step of a loop. Wide heads have
// many columns in a step already, and tiles of keys too large for registers: theirs are not fetched ahead.
#define AHEAD (WIDTH <= 64)
#if !AHEAD
#define STEP 4u
#define BATCH 1u
#else
#define STEP 8u
#define BATCH 2u
#endif
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

// FETCHES defines NAME(i, type, n), the words of elements i to i+3 of a row of which n are left, and 0 past the last.
#if VECTOR
#define FETCHES(NAME, BUFFER) \
    FETCHES4(NAME##4, BUFFER) \
    uvec4 NAME(uint i, uint type, uint n) { return NAME##4(i, type); }
WRITES4(writeY4, y)
void writeY(uint i, uint type, vec4 value, uint n) { writeY4(i, type, value); }
vec4 values4(uvec4 words, uint type) { return four(words, type); }
#else
#define FETCHES(NAME, BUFFER) \
    READS(NAME##1, BUFFER) \
    uvec4 NAME(uint i, uint type, uint n) { \
        uvec4 a = uvec4(0u); \
        [[dont_unroll]] for (uint j = 0u; j < min(n, 4u); j++) { \
            a[j] = floatBitsToUint(NAME##1(i + j, type)); \
        } \
        return a; \
    }
WRITES(writeY1, y)
void writeY(uint i, uint type, vec4 value, uint n) {
    [[dont_unroll]] for (uint j = 0u; j < min(n, 4u); j++) {
        writeY1(i + j, type, value[j]);
    }
}
vec4 values4(uvec4 words, uint type) { return uintBitsToFloat(words); }
#endif
FETCHES(fetchQ, queries)
FETCHES(fetchK, keys)
FETCHES(fetchV, values)

// Queries, transposed and scaled: [WIDTH][QUERIES]. Four neighbouring elements make a vector.
shared vec4 q4[WIDTH * QUERIES / 4];
// The keys, transposed: [WIDTH][KEYS]; then their weights, also transposed: [KEYS][QUERIES]. The vectors of keys 4*tx to
// 4*tx + 3 are turned by tx, so that neighbouring invocations store to different banks.
shared vec4 k4[(WIDTH > QUERIES ? WIDTH : QUERIES) * KEYS / 4];
// The values: [KEYS][WIDTH].
shared vec4 v4[VECTORS];
// The largest score of every query among the keys of each tx: [TX][QUERIES], turned alike.
shared vec4 most4[TX * ROWS];

// turned is where the vector of four queries at row stands among ROWS, for the keys of tx.
uint turned(uint row, uint tx) { return (row + tx) % uint(ROWS); }

// The first row of the workgroup's keys and the first column of its head, set by main.
uint firstKey, column;

// tileK returns the words of vector i, as k4 holds them by key, of the tile of keys from first.
uvec4 tileK(uint first, uint i) {
    uint d = i / uint(KEYS) * 4u, key = first + i % uint(KEYS);
    if (key < p.keys && d < p.dim) {
        return fetchK(p.k.base + (firstKey + key) * p.k.stride + column + d, p.k.type, p.dim - d);
    }
    return uvec4(0u);
}

// tileV returns the words of vector i of v4 for the tile of keys from first.
uvec4 tileV(uint first, uint i) {
    uint d = i % uint(WIDTH / 4) * 4u, key = first + i / uint(WIDTH / 4);
    if (i < uint(VECTORS) && key < p.keys && d < p.dim) {
        return fetchV(p.v.base + (firstKey + key) * p.v.stride + column + d, p.v.type, p.dim - d);
    }
    return uvec4(0u);
}

void main() {
    uint t = gl_LocalInvocationIndex, tx = t % uint(TX), ty = t / uint(TX);
    uint block = p.first + groupIndex();
    if (block >= p.last) {
        return;
    }
    uint q0 = block % p.blocks * uint(QUERIES), head = block / p.blocks % p.heads, window = block / p.blocks / p.heads;
    column = head * p.dim;
    firstKey = window * p.keys;
    uint steps = (p.dim + STEP - 1u) / STEP;

    [[dont_unroll]] for (uint i = t; i < steps * (STEP / 4u) * uint(QUERIES); i += uint(THREADS)) {
        uint at = i % uint(QUERIES), d = i / uint(QUERIES) * 4u;
        vec4 a = vec4(0.0);
        if (q0 + at < p.queries && d < p.dim) {
            uint row = window * p.queries + q0 + at;
            a = values4(fetchQ(p.q.base + row * p.q.stride + column + d, p.q.type, p.dim - d), p.q.type) * p.scale;
        }
        [[unroll]] for (uint j = 0u; j < 4u; j++) {
            q4[(d + j) * uint(ROWS) + (at >> 2)][at & 3u] = a[j];
        }
    }
    vec4 result[4 * RQ][COLUMNS];
    // Of each query the largest score so far, and the sum of the weights of this invocation's keys.
    vec4 most[RQ], sum[RQ];
    [[unroll]] for (uint r = 0u; r < uint(RQ); r++) {
        most[r] = vec4(-3.0e38);
        sum[r] = vec4(0.0);
        [[unroll]] for (uint i = 0u; i < 4u; i++) {
            [[unroll]] for (uint c = 0u; c < uint(COLUMNS); c++) {
                result[4u * r + i][c] = vec4(0.0);
            }
        }
    }

    // What is fetched next is on its way while the present is multiplied: values during the scores, the next tile's
    // keys during the result.
#if AHEAD
    uvec4 next[LOADS];
#endif
    [[dont_unroll]] for (uint k0 = 0u; k0 < p.keys + uint(KEYS); k0 += uint(KEYS)) {
        if (k0 > 0u) {
            uint first = k0 - uint(KEYS); // of the present tile
            barrier();
#if AHEAD
            [[unroll]] for (uint l = 0u; l < uint(LOADS); l++) {
                uint i = l * uint(THREADS) + t;
                if (i < uint(VECTORS)) {
                    uint at = i % uint(KEYS), d = i / uint(KEYS) * 4u;
                    vec4 a = values4(next[l], p.k.type);
                    [[unroll]] for (uint j = 0u; j < 4u; j++) {
                        k4[(d + j) * uint(TX) + (at >> 2)][at & 3u] = a[j];
                    }
                }
            }
#else
            [[dont_unroll]] for (uint i = t; i < uint(VECTORS); i += uint(THREADS)) {
                uint at = i % uint(KEYS), d = i / uint(KEYS) * 4u;
                vec4 a = values4(tileK(first, i), p.k.type);
                [[unroll]] for (uint j = 0u; j < 4u; j++) {
                    k4[(d + j) * uint(TX) + (at >> 2)][at & 3u] = a[j];
                }
            }
#endif
            barrier();
#if AHEAD
            [[unroll]] for (uint l = 0u; l < uint(LOADS); l++) {
                next[l] = tileV(first, l * uint(THREADS) + t);
            }
#endif
            vec4 score[4 * RQ]; // [query], of the four keys
            [[unroll]] for (uint i = 0u; i < uint(4 * RQ); i++) {
                score[i] = vec4(0.0);
            }
            [[dont_unroll]] for (uint s = 0u; s < steps; s++) {
                [[unroll]] for (uint j = 0u; j < STEP; j++) {
                    vec4 b = k4[(STEP * s + j) * uint(TX) + tx];
                    [[unroll]] for (uint r = 0u; r < uint(RQ); r++) {
                        vec4 a = q4[(STEP * s + j) * uint(ROWS) + ty + uint(TY) * r];
                        [[unroll]] for (uint i = 0u; i < 4u; i++) {
                            score[4u * r + i] += a[i] * b;
                        }
                    }
                }
            }
            [[unroll]] for (uint r = 0u; r < uint(RQ); r++) {
                vec4 largest;
                [[unroll]] for (uint i = 0u; i < 4u; i++) {
                    // Keys past the last weigh nothing.
                    [[unroll]] for (uint j = 0u; j < 4u; j++) {
                        if (first + 4u * tx + j >= p.keys) {
                            score[4u * r + i][j] = -3.0e38;
                        }
                    }
                    vec4 s = score[4u * r + i];
                    largest[i] = max(max(s.x, s.y), max(s.z, s.w));
                }
                most4[tx * uint(ROWS) + turned(ty + uint(TY) * r, tx)] = largest;
            }
            barrier();
            [[unroll]] for (uint r = 0u; r < uint(RQ); r++) {
                uint row = ty + uint(TY) * r;
                vec4 before = most[r];
                [[unroll]] for (uint x = 0u; x < uint(TX); x++) {
                    most[r] = max(most[r], most4[x * uint(ROWS) + turned(row, x)]);
                }
                vec4 less = exp2(before - most[r]);
                sum[r] *= less;
                [[unroll]] for (uint i = 0u; i < 4u; i++) {
                    vec4 s = exp2(score[4u * r + i] - most[r][i]);
                    score[4u * r + i] = s;
                    sum[r][i] += s.x + s.y + s.z + s.w;
                    [[unroll]] for (uint c = 0u; c < uint(COLUMNS); c++) {
                        result[4u * r + i][c] *= less[i];
                    }
                }
                // Nobody needs the keys any more: their memory takes the weights.
                [[unroll]] for (uint j = 0u; j < 4u; j++) {
                    k4[(4u * tx + j) * uint(ROWS) + turned(row, tx)] =
                        vec4(score[4u * r][j], score[4u * r + 1u][j], score[4u * r + 2u][j], score[4u * r + 3u][j]);
                }
            }
#if AHEAD
            [[unroll]] for (uint l = 0u; l < uint(LOADS); l++) {
                uint i = l * uint(THREADS) + t;
                if (i < uint(VECTORS)) {
                    v4[i] = values4(next[l], p.v.type);
                }
            }
#else
            [[dont_unroll]] for (uint i = t; i < uint(VECTORS); i += uint(THREADS)) {
                v4[i] = values4(tileV(first, i), p.v.type);
            }
#endif
            barrier();
        }
#if AHEAD
        [[unroll]] for (uint l = 0u; l < uint(LOADS); l++) {
            next[l] = tileK(k0, l * uint(THREADS) + t);
        }
#endif
        if (k0 > 0u) {
            [[dont_unroll]] for (uint x0 = 0u; x0 < uint(TX); x0 += BATCH) {
                [[unroll]] for (uint k = 0u; k < 4u * BATCH; k++) {
                    uint x = x0 + k / 4u, j = k % 4u;
                    vec4 b[COLUMNS];
                    [[unroll]] for (uint c = 0u; c < uint(COLUMNS); c++) {
                        // Columns past WIDTH are never written; they read what is there.
                        b[c] = v4[(4u * x + j) * uint(WIDTH / 4) + min(tx + uint(TX) * c, uint(WIDTH / 4 - 1))];
                    }
                    [[unroll]] for (uint r = 0u; r < uint(RQ); r++) {
                        vec4 a = k4[(4u * x + j) * uint(ROWS) + turned(ty + uint(TY) * r, x)];
                        [[unroll]] for (uint c = 0u; c < uint(COLUMNS); c++) {
                            [[unroll]] for (uint i = 0u; i < 4u; i++) {
                                result[4u * r + i][c] += a[i] * b[c];
                            }
                        }
                    }
                }
            }
        }
    }
    barrier();
    [[unroll]] for (uint r = 0u; r < uint(RQ); r++) {
        most4[tx * uint(ROWS) + turned(ty + uint(TY) * r, tx)] = sum[r];
    }
    barrier();
    [[unroll]] for (uint r = 0u; r < uint(RQ); r++) {
        uint row = ty + uint(TY) * r;
        vec4 whole = vec4(0.0);
        [[unroll]] for (uint x = 0u; x < uint(TX); x++) {
            whole += most4[x * uint(ROWS) + turned(row, x)];
        }
        [[unroll]] for (uint i = 0u; i < 4u; i++) {
            uint query = q0 + 4u * row + i;
            [[unroll]] for (uint c = 0u; c < uint(COLUMNS); c++) {
                uint d = 4u * (tx + uint(TX) * c);
                if (query < p.queries && d < p.dim) {
                    uint to = p.y.base + (window * p.queries + query) * p.y.stride + column + d;
                    writeY(to, p.y.type, result[4u * r + i][c] / whole[i], p.dim - d);
                }
            }
        }
    }
}
