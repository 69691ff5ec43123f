#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Y = softmax(scale * Q K^T) V for every window and head on its own: window w has query rows from w*queries and key rows
// from w*keys, head h columns from h*dim. A workgroup takes QUERIES queries of one window and head and walks over the
// keys, KEYS at a time, with a running maximum and sum (online softmax: Milakov and Gimelshein 2018; Dao et al. 2022), so
// that scores are never stored.
//
// An invocation (tx, ty) has scores of queries 4*(ty + TY*r) + i with keys 4*tx + j, and result columns 4*(tx + TX*c) + j of
// the same queries, r < RQ. WIDTH is the most columns of a head; less is padded with zeros.
// With VECTOR dim and all places are multiples of four elements; without, they are any.
#define ROWS (TY * RQ) // vectors of four queries
#define QUERIES (4 * ROWS)
#define KEYS (4 * TX)
#define THREADS (TX * TY)
// Vectors of four that an invocation has: of results, and of each tile of keys and of values.
#define COLUMNS ((WIDTH / 4 + TX - 1) / TX)
#define VECTORS (WIDTH / 4 * KEYS)
#define LOADS ((VECTORS + THREADS - 1) / THREADS)
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
    vec4 next[LOADS];
    [[dont_unroll]] for (uint k0 = 0u; k0 < p.keys + uint(KEYS); k0 += uint(KEYS)) {
        if (k0 > 0u) {
            uint first = k0 - uint(KEYS); // of the present tile
            barrier();
            [[unroll]] for (uint l = 0u; l < uint(LOADS); l++) {
                uint i = l * uint(THREADS) + t;
                if (i < uint(VECTORS)) {
                    uint at = i % uint(KEYS), d = i / uint(KEYS) * 4u;
                    [[unroll]] for (uint j = 0u; j < 4u; j++) {
                        k4[(d + j) * uint(TX) + (at >> 2)][at & 3u] = next[l][j];
                    }
                }
            }
            barrier();
            [[unroll]] for (uint l = 0u; l < uint(LOADS); l++) {
                uint i = l * uint(THREADS) + t;
                uint d = i % uint(WIDTH / 4) * 4u, key = first + i / uint(WIDTH / 4);
                next[l] = vec4(0.0);
                if (i < uint(VECTORS) && key < p.keys && d < p.dim) {
                    next[l] = readV(p.v.base + (window * p.keys + key) * p.v.stride + column + d, p.v.type, p.dim - d);
                }
            }
            vec4 score[4 * RQ]; // [query], of the four keys
            [[unroll]] for (uint i = 0u; i < uint(4 * RQ); i++) {
                score[i] = vec4(0.0);
            }
            [[dont_unroll]] for (uint s = 0u; s < steps; s++) {
                [[unroll]] for (uint j = 0u; j < 4u; j++) {
                    vec4 b = k4[(4u * s + j) * uint(TX) + tx];
                    [[unroll]] for (uint r = 0u; r < uint(RQ); r++) {
                        vec4 a = q4[(4u * s + j) * uint(ROWS) + ty + uint(TY) * r];
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
            [[unroll]] for (uint l = 0u; l < uint(LOADS); l++) {
                uint i = l * uint(THREADS) + t;
                if (i < uint(VECTORS)) {
                    v4[i] = next[l];
                }
            }
            barrier();
        }
        [[unroll]] for (uint l = 0u; l < uint(LOADS); l++) {
            uint i = l * uint(THREADS) + t;
            uint d = i / uint(KEYS) * 4u, key = k0 + i % uint(KEYS);
            next[l] = vec4(0.0);
            if (key < p.keys && d < p.dim) {
                next[l] = readK(p.k.base + (window * p.keys + key) * p.k.stride + column + d, p.k.type, p.dim - d);
            }
        }
        if (k0 > 0u) {
            [[dont_unroll]] for (uint x = 0u; x < uint(TX); x++) {
                [[unroll]] for (uint j = 0u; j < 4u; j++) {
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
