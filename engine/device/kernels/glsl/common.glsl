// What every kernel uses: how tensors lie in memory and how activations are computed.
#extension GL_EXT_control_flow_attributes : enable

// A tensor as the kernel sees it: element base + row*stride + column of a buffer, modulo 2^32. type 0 is float32, an
// element a word; 1 is bfloat16, two a word, the even one in the lower half.
struct Place {
    uint base;
    uint stride;
    uint type;
};

// Workgroups are spread over two axes, because one axis may hold as few as 65535.
uint groupIndex() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

float low(uint word) { return uintBitsToFloat(word << 16); }
float high(uint word) { return uintBitsToFloat(word & 0xffff0000u); }

// bfloat16 rounds to nearest even; NaN stays NaN.
uint bfloat16(float x) {
    uint b = floatBitsToUint(x);
    if ((b & 0x7fffffffu) > 0x7f800000u) {
        return (b >> 16) | 0x40u;
    }
    return (b + 0x7fffu + ((b >> 16) & 1u)) >> 16;
}

uint bfloat16Pair(float x, float y) { return bfloat16(x) | (bfloat16(y) << 16); }

// READS defines NAME(i, type), the element i of a buffer of words.
#define READS(NAME, BUFFER) \
    float NAME(uint i, uint type) { \
        if (type == 0u) { \
            return uintBitsToFloat(BUFFER.v[i]); \
        } \
        uint word = BUFFER.v[i >> 1]; \
        return (i & 1u) == 0u ? low(word) : high(word); \
    }

// four makes four values of the words that FETCHES4 brought.
vec4 four(uvec4 words, uint type) {
    return type == 0u ? uintBitsToFloat(words) : vec4(low(words.x), high(words.x), low(words.y), high(words.y));
}

// FETCHES4 defines NAME(i, type), the words of elements i to i+3 of a buffer of pairs of words; i is a multiple of 4.
// Nothing waits for them until four makes values of them.
#define FETCHES4(NAME, BUFFER) \
    uvec4 NAME(uint i, uint type) { \
        if (type == 0u) { \
            return uvec4(BUFFER.v[i >> 1], BUFFER.v[(i >> 1) + 1u]); \
        } \
        return uvec4(BUFFER.v[i >> 2], 0u, 0u); \
    }

// READS4 defines NAME(i, type), elements i to i+3 of a buffer of pairs of words; i is a multiple of 4.
#define READS4(NAME, BUFFER) \
    FETCHES4(NAME##Words, BUFFER) \
    vec4 NAME(uint i, uint type) { return four(NAME##Words(i, type), type); }

// WRITES defines NAME(i, type, value), which writes element i of a buffer of words. The other half of a bfloat16's word
// may be another invocation's, hence the atomics.
#define WRITES(NAME, BUFFER) \
    void NAME(uint i, uint type, float value) { \
        if (type == 0u) { \
            BUFFER.v[i] = floatBitsToUint(value); \
            return; \
        } \
        uint shift = (i & 1u) * 16u; \
        atomicAnd(BUFFER.v[i >> 1], 0xffff0000u >> shift); \
        atomicOr(BUFFER.v[i >> 1], bfloat16(value) << shift); \
    }

// WRITES2 defines NAME(i, type, value, n), which writes elements i and, if n is 2, i+1. It needs NAME1 from WRITES.
#define WRITES2(NAME, NAME1, BUFFER) \
    void NAME(uint i, uint type, vec2 value, uint n) { \
        if (type != 0u && n == 2u && (i & 1u) == 0u) { \
            BUFFER.v[i >> 1] = bfloat16Pair(value.x, value.y); \
            return; \
        } \
        NAME1(i, type, value.x); \
        if (n == 2u) { \
            NAME1(i + 1u, type, value.y); \
        } \
    }

// WRITES4 defines NAME(i, type, value), which writes elements i to i+3 of a buffer of pairs of words; i is a multiple
// of 4.
#define WRITES4(NAME, BUFFER) \
    void NAME(uint i, uint type, vec4 value) { \
        if (type == 0u) { \
            uvec4 w = floatBitsToUint(value); \
            BUFFER.v[i >> 1] = w.xy; \
            BUFFER.v[(i >> 1) + 1u] = w.zw; \
            return; \
        } \
        BUFFER.v[i >> 2] = uvec2(bfloat16Pair(value.x, value.y), bfloat16Pair(value.z, value.w)); \
    }
