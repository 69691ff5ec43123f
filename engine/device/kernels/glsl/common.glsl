// What every kernel uses: how tensors lie in memory and how activations are computed.
#extension GL_EXT_control_flow_attributes : enable

// A tensor as the kernel sees it: element base + row*stride + column of a buffer, modulo 2^32. type 0 is float32, an
// element a word; 1 is bfloat16 and 2 float16, IEEE half precision, two a word, the even one in the lower half.
struct Place {
    uint base;
    uint stride;
    uint type;
};

// Workgroups are spread over two axes, because one axis may hold as few as 65535.
uint groupIndex() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

// HALF, where it is set, is the only half-width type that the kernel meets: the question costs where much is computed.
#ifdef HALF
#define FLOAT16(TYPE) (HALF == 2)
#else
#define FLOAT16(TYPE) (TYPE == 2u)
#endif

// wide makes values of the two elements of a word.
vec2 wide(uint word, uint type) {
    if (FLOAT16(type)) {
        return unpackHalf2x16(word);
    }
    return vec2(uintBitsToFloat(word << 16), uintBitsToFloat(word & 0xffff0000u));
}

// toBFloat16 rounds to nearest even; NaN stays NaN.
uvec4 toBFloat16(vec4 x) {
    uvec4 b = floatBitsToUint(x);
    return mix((b + 0x7fffu + ((b >> 16) & 1u)) >> 16, (b >> 16) | 0x40u,
        greaterThan(b & 0x7fffffffu, uvec4(0x7f800000u)));
}

// toFloat16 rounds to nearest even, what is over the largest to infinity; NaN stays NaN. packHalf2x16 rounds as each
// driver likes.
uvec4 toFloat16(vec4 x) {
    uvec4 b = floatBitsToUint(x) & 0x7fffffffu;
    uvec4 h = min((b - 0x38000000u + 0xfffu + ((b >> 13) & 1u)) >> 13, uvec4(0x7c00u));
    // Below 2^-14 it is a multiple of 2^-24, which adding 0.5 leaves in the low bits.
    h = mix(h, floatBitsToUint(uintBitsToFloat(b) + 0.5) - 0x3f000000u, lessThan(b, uvec4(0x38800000u)));
    h = mix(h, uvec4(0x7e00u), greaterThan(b, uvec4(0x7f800000u)));
    return h | ((floatBitsToUint(x) >> 16) & 0x8000u);
}

// narrow makes elements of 16 bits of values.
uvec4 narrow(vec4 x, uint type) {
    if (FLOAT16(type)) {
        return toFloat16(x);
    }
    return toBFloat16(x);
}

// READS defines NAME(i, type), the element i of a buffer of words.
#define READS(NAME, BUFFER) \
    float NAME(uint i, uint type) { \
        if (type == 0u) { \
            return uintBitsToFloat(BUFFER.v[i]); \
        } \
        vec2 pair = wide(BUFFER.v[i >> 1], type); \
        return (i & 1u) == 0u ? pair.x : pair.y; \
    }

// four makes four values of the words that FETCHES4 brought.
vec4 four(uvec4 words, uint type) {
    return type == 0u ? uintBitsToFloat(words) : vec4(wide(words.x, type), wide(words.y, type));
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

// WRITES defines NAME(i, type, value), which writes element i of a buffer of words. The other half of a half-width
// element's word may be another invocation's, hence the atomics.
#define WRITES(NAME, BUFFER) \
    void NAME(uint i, uint type, float value) { \
        if (type == 0u) { \
            BUFFER.v[i] = floatBitsToUint(value); \
            return; \
        } \
        uint shift = (i & 1u) * 16u; \
        atomicAnd(BUFFER.v[i >> 1], 0xffff0000u >> shift); \
        atomicOr(BUFFER.v[i >> 1], narrow(vec4(value), type).x << shift); \
    }

// WRITES2 defines NAME(i, type, value, n), which writes elements i and, if n is 2, i+1. It needs NAME1 from WRITES.
#define WRITES2(NAME, NAME1, BUFFER) \
    void NAME(uint i, uint type, vec2 value, uint n) { \
        if (type != 0u && n == 2u && (i & 1u) == 0u) { \
            uvec4 h = narrow(vec4(value, value), type); \
            BUFFER.v[i >> 1] = h.x | (h.y << 16); \
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
        uvec4 h = narrow(value, type); \
        BUFFER.v[i >> 2] = h.xz | (h.yw << 16); \
    }
