#version 450
#extension GL_GOOGLE_include_directive : enable
#include "common.glsl"
// Y = softmax(scale * Q K^T) V for every window and head on its own: window w has query rows from w*queries and key rows
// from w*keys, head h columns from h*dim. A workgroup takes QUERIES queries of one window and head and walks over the
// keys, KEYS at a time, with a running maximum and sum (online softmax: Milakov and Gimelshein 2018; Dao et al. 2022), so
// that scores are never stored.
//
// An invocation (tx, ty) has scores of queries 4*ty + i with keys 4*tx + j, and result columns 4*(tx + TX*c) + j of the same
// queries. WIDTH is the most columns of a head; less is padded with zeros.
// With VECTOR dim and all places are multiples of four elements; without, they are any.
#define QUERIES (4 * TY)
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
// The keys, transposed: [WIDTH][KEYS]; then their weights, also transposed: [KEYS][QUERIES].
shared vec4 k4[(WIDTH > QUERIES ? WIDTH : QUERIES) * KEYS / 4];
// The values: [KEYS][WIDTH].
shared vec4 v4[VECTORS];
// The largest score of every query among the keys of each tx: [TX][QUERIES].
shared vec4 most4[TX * TY];

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
            q4[(d + j) * uint(TY) + (at >> 2)][at & 3u] = a[j];
        }
    }
    vec4 result[4][COLUMNS];
    [[unroll]] for (uint i = 0u; i < 4u; i++) {
        [[unroll]] for (uint c = 0u; c < uint(COLUMNS); c++) {
            result[i][c] = vec4(0.0);
        }
    }
    // Of each query the largest score so far, and the sum of the weights of this invocation's keys.
    vec4 most = vec4(-3.0e38), sum = vec4(0.0);

    vec4 nextK[LOADS], nextV[LOADS];
    [[dont_unroll]] for (uint k0 = 0u;; k0 += uint(KEYS)) {
        if (k0 > 0u) {
            barrier();
            [[unroll]] for (uint l = 0u; l < uint(LOADS); l++) {
                uint i = l * uint(THREADS) + t;
                if (i < uint(VECTORS)) {
                    // Neighbouring invocations have neighbouring keys: they store to different banks.
                    uint at = i % uint(KEYS), d = i / uint(KEYS) * 4u;
                    [[unroll]] for (uint j = 0u; j < 4u; j++) {
                        k4[(d + j) * uint(TX) + (at >> 2)][at & 3u] = nextK[l][j];
                    }
                    v4[i] = nextV[l];
                }
            }
            barrier();
        }
        // The next tile is on its way while this one is multiplied.
        [[unroll]] for (uint l = 0u; l < uint(LOADS); l++) {
            uint i = l * uint(THREADS) + t;
            uint at = i % uint(KEYS), d = i / uint(KEYS) * 4u, key = k0 + at;
            nextK[l] = vec4(0.0);
            if (key < p.keys && d < p.dim) {
                nextK[l] = readK(p.k.base + (window * p.keys + key) * p.k.stride + column + d, p.k.type, p.dim - d);
            }
            at = i / uint(WIDTH / 4);
            d = i % uint(WIDTH / 4) * 4u;
            key = k0 + at;
            nextV[l] = vec4(0.0);
            if (i < uint(VECTORS) && key < p.keys && d < p.dim) {
                nextV[l] = readV(p.v.base + (window * p.keys + key) * p.v.stride + column + d, p.v.type, p.dim - d);
            }
        }
        if (k0 == 0u) {
            continue;
        }

        vec4 score[4]; // [query], of the four keys
        [[unroll]] for (uint i = 0u; i < 4u; i++) {
            score[i] = vec4(0.0);
        }
        [[dont_unroll]] for (uint s = 0u; s < steps; s++) {
            [[unroll]] for (uint j = 0u; j < 4u; j++) {
                vec4 a = q4[(4u * s + j) * uint(TY) + ty], b = k4[(4u * s + j) * uint(TX) + tx];
                [[unroll]] for (uint i = 0u; i < 4u; i++) {
                    score[i] += a[i] * b;
                }
            }
        }
        // Keys past the last weigh nothing.
        vec4 largest;
        [[unroll]] for (uint i = 0u; i < 4u; i++) {
            [[unroll]] for (uint j = 0u; j < 4u; j++) {
                if (k0 - uint(KEYS) + 4u * tx + j >= p.keys) {
                    score[i][j] = -3.0e38;
                }
            }
            largest[i] = max(max(score[i].x, score[i].y), max(score[i].z, score[i].w));
        }
        most4[tx * uint(TY) + ty] = largest;
        barrier();
        vec4 before = most;
        [[unroll]] for (uint x = 0u; x < uint(TX); x++) {
            most = max(most, most4[x * uint(TY) + ty]);
        }
        vec4 less = exp2(before - most);
        sum *= less;
        [[unroll]] for (uint i = 0u; i < 4u; i++) {
            score[i] = exp2(score[i] - most[i]);
            sum[i] += score[i].x + score[i].y + score[i].z + score[i].w;
            [[unroll]] for (uint c = 0u; c < uint(COLUMNS); c++) {
                result[i][c] *= less[i];
            }
        }
        // Nobody needs the keys any more: their memory takes the weights.
        [[unroll]] for (uint j = 0u; j < 4u; j++) {
            k4[(4u * tx + j) * uint(TY) + ty] = vec4(score[0][j], score[1][j], score[2][j], score[3][j]);
        }
        barrier();
        [[dont_unroll]] for (uint s = 0u; s < uint(TX); s++) {
            [[unroll]] for (uint j = 0u; j < 4u; j++) {
                uint key = 4u * s + j;
                vec4 a = k4[key * uint(TY) + ty];
                [[unroll]] for (uint c = 0u; c < uint(COLUMNS); c++) {
                    // Columns past WIDTH are never written; they read what is there.
                    vec4 b = v4[key * uint(WIDTH / 4) + min(tx + uint(TX) * c, uint(WIDTH / 4 - 1))];
                    [[unroll]] for (uint i = 0u; i < 4u; i++) {
                        result[i][c] += a[i] * b;
                    }
                }
            }
        }
        if (k0 >= p.keys) {
            break;
        }
    }
    barrier();
    most4[tx * uint(TY) + ty] = sum;
    barrier();
    sum = vec4(0.0);
    [[unroll]] for (uint x = 0u; x < uint(TX); x++) {
        sum += most4[x * uint(TY) + ty];
    }
    [[unroll]] for (uint i = 0u; i < 4u; i++) {
        uint query = q0 + 4u * ty + i;
        [[unroll]] for (uint c = 0u; c < uint(COLUMNS); c++) {
            uint d = 4u * (tx + uint(TX) * c);
            if (query < p.queries && d < p.dim) {
                uint row = window * p.queries + query;
                writeY(p.y.base + row * p.y.stride + column + d, p.y.type, result[i][c] / sum[i], p.dim - d);
            }
        }
    }
}
