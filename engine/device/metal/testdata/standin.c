// A stand-in for the Objective-C runtime, Foundation and Metal: as much of them as the host calls, with the types that
// Apple's headers give. It is strict where they are lenient or would crash: it counts references, and it notes as a
// fault every message that an object does not answer to, every use of an object after its end, every object that is
// autoreleased outside a pool, and every command that is encoded or sent out of order. Kernels run in the callbacks that
// the test sets.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned long NSUInteger;
typedef long NSInteger;
typedef struct { NSUInteger width, height, depth; } MTLSize;
typedef const char *SEL;

enum { alive = 0x616c6976, dead = 0x64656164, mostBuffers = 31, mostBytes = 4096 };

typedef struct Object {
    uint32_t magic;
    const char *class; // a name with a plus is a class's own
    long references;
    struct Object *next; // in its pool
    // What the object is made of; what a class does not need stays 0.
    char *text;
    void *memory;
    NSUInteger length, code, maxThreads;
    bool fastMath;
    NSUInteger version;
    uintptr_t kernel;
    struct Object *other; // of an encoder its command buffer, of a function its library, of a descriptor its function
    // Of a command buffer.
    int status;
    bool encoding;
    struct Dispatch *first, **last;
    double start, end;
    // Of an encoder: what is set now.
    struct Object *pipeline;
    struct Slot { struct Object *buffer; NSUInteger offset; char *bytes; } slots[mostBuffers];
} Object;

typedef struct Dispatch {
    struct Dispatch *next;
    Object *pipeline;
    struct Slot slots[mostBuffers];
    MTLSize groups, threads;
} Dispatch;

// Settings and observations of the test.
struct {
    long noDevice, noQueue, noBuffer;
    long workingSet, maxBuffer, pipelineThreads;
    long failure; // the error code of the next command buffer; 0 lets it complete
    long live, used, pools, commandBuffers, dispatches;
    char fault[512];
    // compile returns a kernel, 0 where it cannot; run runs it and returns 0 where it could.
    uintptr_t (*compile)(const char *source, const char *entry);
    uintptr_t (*run)(uintptr_t kernel, void **buffers, const uint32_t *groups, const uint32_t *size);
} standin = {.workingSet = 1 << 30, .maxBuffer = 1 << 29, .pipelineThreads = 1024};

// standin_value is a setting or an observation by its name.
long *standin_value(const char *name) {
    static long none;
    struct { const char *name; long *value; } all[] = {
        {"no device", &standin.noDevice}, {"no queue", &standin.noQueue}, {"no buffer", &standin.noBuffer},
        {"working set", &standin.workingSet}, {"longest buffer", &standin.maxBuffer},
        {"threads", &standin.pipelineThreads}, {"failure", &standin.failure}, {"live", &standin.live}, {"used", &standin.used},
        {"pools", &standin.pools}, {"command buffers", &standin.commandBuffers}, {"dispatches", &standin.dispatches},
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].name, name)) return all[i].value;
    return &none;
}

// standin_faults is the first fault; empty where there was none.
const char *standin_faults(void) { return standin.fault; }

void standin_callbacks(void *compile, void *run) { standin.compile = compile, standin.run = run; }

static void fault(const char *what, const char *about) {
    if (!standin.fault[0]) snprintf(standin.fault, sizeof standin.fault, "%s: %s", what, about);
}

static __thread Object *pool; // the innermost of this thread; its objects hang on next, the pool outside it on other

static Object *new(const char *class) {
    Object *o = calloc(1, sizeof *o);
    o->magic = alive, o->class = class, o->references = 1;
    standin.live++;
    return o;
}

static Object *autoreleased(Object *o) {
    if (!pool) fault("autoreleased outside a pool", o->class);
    else o->next = pool->next, pool->next = o;
    return o;
}

static Object *retained(Object *o) { o->references++; return o; }

// release ends an object when its last owner gives it up. Its memory stays, so that later uses are found.
static void release(Object *o) {
    if (--o->references > 0) return;
    if (o->references < 0) { fault("released too often", o->class); return; }
    if (o->status >= 2 && o->status < 4) fault("given up before it was waited for", o->class);
    if (o->encoding) fault("given up while encoding", o->class);
    o->magic = dead;
    standin.live--;
    if (!strcmp(o->class, "MTLBuffer")) standin.used -= o->length, free(o->memory);
    else if (o->other) release(o->other);
}

static Object *string(const char *text) {
    Object *o = new("NSString");
    o->text = strdup(text);
    return o;
}

static void problem(Object **out, const char *text, NSUInteger code) {
    Object *e = autoreleased(new("NSError"));
    e->text = strdup(text), e->code = code;
    if (out) *out = e;
}

// The methods. Their parameters are those of Apple's headers; the second is the selector.

static Object *alloc(Object *class, SEL s) { return new(class->class + 1); }
static Object *init(Object *o, SEL s) { return o; }
static void releaseMethod(Object *o, SEL s) { release(o); }

static Object *initPool(Object *o, SEL s) { o->other = pool; pool = o; standin.pools++; return o; }
static void drain(Object *o, SEL s) {
    if (pool != o) { fault("drained out of order or on another thread", o->class); return; }
    while (o->next) {
        Object *x = o->next;
        o->next = x->next;
        release(x);
    }
    pool = o->other, o->other = NULL;
    standin.pools--;
    release(o);
}

static Object *stringWithUTF8String(Object *class, SEL s, const char *text) { return autoreleased(string(text)); }
static const char *utf8String(Object *o, SEL s) { return o->text; }

static Object *processInfo(Object *class, SEL s) {
    static Object *only;
    if (!only) only = new("NSProcessInfo"), standin.live--;
    return only;
}
static Object *operatingSystemVersionString(Object *o, SEL s) { return autoreleased(string("Version 15.1 (Build 24B83)")); }

static Object *errorDescription(Object *o, SEL s) { return autoreleased(string(o->text)); }
static NSInteger errorCode(Object *o, SEL s) { return o->code; }

Object *MTLCreateSystemDefaultDevice(void) { return standin.noDevice ? NULL : new("MTLDevice"); }
static Object *deviceName(Object *o, SEL s) { return autoreleased(string("Apple M4 Pro")); }
static bool hasUnifiedMemory(Object *o, SEL s) { return true; }
static bool supportsFamily(Object *o, SEL s, NSInteger family) { return family == 1007 || family == 1008 || family == 1009 || family == 5001; }
static uint64_t recommendedMaxWorkingSetSize(Object *o, SEL s) { return standin.workingSet; }
static NSUInteger currentAllocatedSize(Object *o, SEL s) { return standin.used; }
static NSUInteger maxBufferLength(Object *o, SEL s) { return standin.maxBuffer; }
static NSUInteger maxThreadgroupMemoryLength(Object *o, SEL s) { return 32768; }
static Object *newCommandQueue(Object *o, SEL s) { return standin.noQueue ? NULL : new("MTLCommandQueue"); }

static Object *newBuffer(Object *o, SEL s, NSUInteger length, NSUInteger options) {
    if (options != 0) fault("other options than shared memory", "MTLBuffer");
    if (length == 0 || length > standin.maxBuffer) fault("a length that is not possible", "MTLBuffer");
    if (standin.noBuffer) return NULL;
    Object *b = new("MTLBuffer");
    b->length = length;
    b->memory = aligned_alloc(4096, (length + 4095) / 4096 * 4096);
    memset(b->memory, 0xff, length);
    standin.used += length;
    return b;
}
static void *contents(Object *o, SEL s) { return o->memory; }

static void setFastMathEnabled(Object *o, SEL s, bool on) { o->fastMath = on; }
static void setLanguageVersion(Object *o, SEL s, NSUInteger v) { o->version = v; }
static Object *initOptions(Object *o, SEL s) { o->fastMath = true; return o; }

static Object *newLibrary(Object *o, SEL s, Object *source, Object *options, Object **error) {
    if (options->fastMath || options->version != 0x20003) fault("fast math, or another language than 2.3", "MTLCompileOptions");
    if (!strstr(source->text, "kernel void ")) { problem(error, "no kernel in the source", 3); return NULL; }
    Object *l = new("MTLLibrary");
    l->text = strdup(source->text);
    return l;
}
static Object *newFunction(Object *o, SEL s, Object *name) {
    char declaration[256];
    snprintf(declaration, sizeof declaration, "kernel void %s(", name->text);
    if (!strstr(o->text, declaration)) return NULL;
    Object *f = new("MTLFunction");
    f->text = strdup(name->text), f->other = retained(o);
    return f;
}
static void setComputeFunction(Object *o, SEL s, Object *function) { o->other = retained(function); }
static void setMaxTotalThreads(Object *o, SEL s, NSUInteger n) { o->maxThreads = n; }
static Object *newPipeline(Object *o, SEL s, Object *descriptor, NSUInteger options, Object **reflection, Object **error) {
    Object *function = descriptor->other;
    if (!function || options || reflection) { fault("a descriptor without a function, or options", "MTLComputePipelineDescriptor"); return NULL; }
    uintptr_t kernel = standin.compile(function->other->text, function->text);
    if (!kernel) { problem(error, "the kernel does not compile", 2); return NULL; }
    Object *p = new("MTLComputePipelineState");
    p->kernel = kernel;
    p->maxThreads = standin.pipelineThreads;
    if (descriptor->maxThreads && descriptor->maxThreads < p->maxThreads) p->maxThreads = descriptor->maxThreads;
    return p;
}
static NSUInteger maxTotalThreads(Object *o, SEL s) { return o->maxThreads; }

static Object *commandBuffer(Object *o, SEL s) {
    Object *b = autoreleased(new("MTLCommandBuffer"));
    b->last = &b->first;
    standin.commandBuffers++;
    return b;
}
static Object *computeCommandEncoder(Object *o, SEL s) {
    if (o->status || o->encoding) fault("an encoder of a buffer that is encoding or sent", "MTLCommandBuffer");
    o->encoding = true;
    Object *e = autoreleased(new("MTLComputeCommandEncoder"));
    e->other = retained(o);
    return e;
}
static void setPipeline(Object *o, SEL s, Object *pipeline) { o->pipeline = pipeline; }
static struct Slot *slot(Object *o, NSUInteger index) {
    static struct Slot none;
    if (!o->other->encoding) fault("a command after endEncoding", o->class);
    if (index < mostBuffers) return &o->slots[index];
    fault("a buffer index that is not possible", o->class);
    return &none;
}
static void setBytes(Object *o, SEL s, const void *bytes, NSUInteger length, NSUInteger index) {
    if (length == 0 || length > mostBytes) { fault("a length that setBytes does not take", o->class); return; }
    char *copy = aligned_alloc(16, mostBytes);
    memcpy(copy, bytes, length);
    *slot(o, index) = (struct Slot){.bytes = copy};
}
static void setBuffer(Object *o, SEL s, Object *buffer, NSUInteger offset, NSUInteger index) {
    if (buffer->magic != alive || strcmp(buffer->class, "MTLBuffer")) { fault("no buffer", o->class); return; }
    if (offset >= buffer->length || offset % 256) fault("an offset that is not possible", o->class);
    *slot(o, index) = (struct Slot){.buffer = buffer, .offset = offset};
}
static void dispatch(Object *o, SEL s, MTLSize groups, MTLSize threads) {
    slot(o, 0);
    NSUInteger n = threads.width * threads.height * threads.depth;
    if (!o->pipeline) { fault("a dispatch without a pipeline", o->class); return; }
    if (n == 0 || n > o->pipeline->maxThreads) { fault("a group of a size that is not possible", o->class); return; }
    if (!groups.width || !groups.height || !groups.depth) { fault("no groups", o->class); return; }
    Dispatch *d = calloc(1, sizeof *d);
    d->pipeline = o->pipeline, d->groups = groups, d->threads = threads;
    memcpy(d->slots, o->slots, sizeof d->slots);
    for (int i = 0; i < mostBuffers; i++) if (d->slots[i].buffer) retained(d->slots[i].buffer);
    *o->other->last = d, o->other->last = &d->next;
    standin.dispatches++;
}
static void endEncoding(Object *o, SEL s) {
    if (!o->other->encoding) fault("endEncoding twice", o->class);
    o->other->encoding = false;
}
static void commit(Object *o, SEL s) {
    if (o->encoding) fault("commit before endEncoding", o->class);
    if (o->status) fault("commit twice", o->class);
    o->status = 2;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

// waitUntilCompleted is when the work is done: a result that is read before is missing.
static void waitUntilCompleted(Object *o, SEL s) {
    if (o->status != 2) { fault("waited for before it was sent, or twice", o->class); return; }
    o->start = now();
    o->code = standin.failure;
    standin.failure = 0;
    for (Dispatch *d = o->first; d; d = d->next) {
        void *buffers[mostBuffers] = {0};
        for (int i = 0; i < mostBuffers; i++) {
            struct Slot x = d->slots[i];
            if (x.bytes) buffers[i] = x.bytes;
            if (x.buffer) buffers[i] = (char *)x.buffer->memory + x.offset;
        }
        uint32_t groups[3] = {d->groups.width, d->groups.height, d->groups.depth};
        uint32_t threads[3] = {d->threads.width, d->threads.height, d->threads.depth};
        if (!o->code && standin.run(d->pipeline->kernel, buffers, groups, threads)) {
            fault("a kernel", "failed");
            o->code = 1;
        }
        for (int i = 0; i < mostBuffers; i++) if (d->slots[i].buffer) release(d->slots[i].buffer);
    }
    o->end = now();
    o->status = o->code ? 5 : 4;
}
static NSUInteger status(Object *o, SEL s) { return o->status; }
static Object *error(Object *o, SEL s) {
    if (!o->code) return NULL;
    Object *e = NULL;
    problem(&e, o->code == 8 ? "Insufficient Memory" : "Caused GPU Hang Error", o->code);
    return e;
}
static double gpuStartTime(Object *o, SEL s) { return o->start; }
static double gpuEndTime(Object *o, SEL s) { return o->end; }

static const struct Method { const char *class, *selector; void *function; } methods[] = {
    {"+NSAutoreleasePool", "alloc", alloc}, {"NSAutoreleasePool", "init", initPool}, {"NSAutoreleasePool", "drain", drain},
    {"+NSString", "stringWithUTF8String:", stringWithUTF8String}, {"NSString", "UTF8String", utf8String},
    {"+NSProcessInfo", "processInfo", processInfo},
    {"NSProcessInfo", "operatingSystemVersionString", operatingSystemVersionString},
    {"NSError", "localizedDescription", errorDescription}, {"NSError", "code", errorCode},
    {"MTLDevice", "name", deviceName}, {"MTLDevice", "hasUnifiedMemory", hasUnifiedMemory},
    {"MTLDevice", "supportsFamily:", supportsFamily},
    {"MTLDevice", "recommendedMaxWorkingSetSize", recommendedMaxWorkingSetSize},
    {"MTLDevice", "currentAllocatedSize", currentAllocatedSize}, {"MTLDevice", "maxBufferLength", maxBufferLength},
    {"MTLDevice", "maxThreadgroupMemoryLength", maxThreadgroupMemoryLength},
    {"MTLDevice", "newCommandQueue", newCommandQueue}, {"MTLDevice", "newBufferWithLength:options:", newBuffer},
    {"MTLDevice", "newLibraryWithSource:options:error:", newLibrary},
    {"MTLDevice", "newComputePipelineStateWithDescriptor:options:reflection:error:", newPipeline},
    {"MTLDevice", "release", releaseMethod},
    {"MTLBuffer", "contents", contents}, {"MTLBuffer", "release", releaseMethod},
    {"+MTLCompileOptions", "alloc", alloc}, {"MTLCompileOptions", "init", initOptions},
    {"MTLCompileOptions", "setFastMathEnabled:", setFastMathEnabled},
    {"MTLCompileOptions", "setLanguageVersion:", setLanguageVersion}, {"MTLCompileOptions", "release", releaseMethod},
    {"MTLLibrary", "newFunctionWithName:", newFunction}, {"MTLLibrary", "release", releaseMethod},
    {"MTLFunction", "release", releaseMethod},
    {"+MTLComputePipelineDescriptor", "alloc", alloc}, {"MTLComputePipelineDescriptor", "init", init},
    {"MTLComputePipelineDescriptor", "setComputeFunction:", setComputeFunction},
    {"MTLComputePipelineDescriptor", "setMaxTotalThreadsPerThreadgroup:", setMaxTotalThreads},
    {"MTLComputePipelineDescriptor", "release", releaseMethod},
    {"MTLComputePipelineState", "maxTotalThreadsPerThreadgroup", maxTotalThreads},
    {"MTLComputePipelineState", "release", releaseMethod},
    {"MTLCommandQueue", "commandBuffer", commandBuffer}, {"MTLCommandQueue", "release", releaseMethod},
    {"MTLCommandBuffer", "computeCommandEncoder", computeCommandEncoder}, {"MTLCommandBuffer", "commit", commit},
    {"MTLCommandBuffer", "waitUntilCompleted", waitUntilCompleted}, {"MTLCommandBuffer", "status", status},
    {"MTLCommandBuffer", "error", error}, {"MTLCommandBuffer", "GPUStartTime", gpuStartTime},
    {"MTLCommandBuffer", "GPUEndTime", gpuEndTime},
    {"MTLComputeCommandEncoder", "setComputePipelineState:", setPipeline},
    {"MTLComputeCommandEncoder", "setBytes:length:atIndex:", setBytes},
    {"MTLComputeCommandEncoder", "setBuffer:offset:atIndex:", setBuffer},
    {"MTLComputeCommandEncoder", "dispatchThreadgroups:threadsPerThreadgroup:", dispatch},
    {"MTLComputeCommandEncoder", "endEncoding", endEncoding},
};
enum { methodCount = sizeof methods / sizeof *methods };

// The runtime.

SEL sel_registerName(const char *name) {
    static char *names[256];
    for (int i = 0; i < 256; i++) {
        if (!names[i]) names[i] = strdup(name);
        if (!strcmp(names[i], name)) return names[i];
    }
    return NULL;
}

Object *objc_getClass(const char *name) {
    static Object *classes[32];
    for (int i = 0; i < 32; i++) {
        if (!classes[i]) {
            char *own = malloc(strlen(name) + 2);
            sprintf(own, "+%s", name);
            bool known = false;
            for (int m = 0; m < methodCount; m++) known |= !strcmp(methods[m].class, own);
            if (!known) return NULL;
            classes[i] = new(own), standin.live--;
        }
        if (!strcmp(classes[i]->class + 1, name)) return classes[i];
    }
    return NULL;
}

static uintptr_t nothing(Object *o, SEL s) { return 0; }

// standin_method finds what answers to a message.
__attribute__((used)) void *standin_method(Object *o, SEL s) {
    if (o->magic != alive) { fault("sent to an object that is gone", s); return nothing; }
    for (int m = 0; m < methodCount; m++)
        if (!strcmp(methods[m].class, o->class) && !strcmp(methods[m].selector, s)) return methods[m].function;
    char about[128];
    snprintf(about, sizeof about, "%s %s", o->class, s);
    fault("there is no answer to", about);
    return nothing;
}

// objc_msgSend leaves all arguments where they are and jumps to the method; nil answers 0.
#if defined __x86_64__
__asm__(".globl objc_msgSend\n.type objc_msgSend, @function\nobjc_msgSend:\n"
    "test %rdi, %rdi\njz 1f\n"
    "push %rdi\npush %rsi\npush %rdx\npush %rcx\npush %r8\npush %r9\nsub $8, %rsp\n"
    "call standin_method@PLT\n"
    "add $8, %rsp\npop %r9\npop %r8\npop %rcx\npop %rdx\npop %rsi\npop %rdi\njmp *%rax\n"
    "1: xor %eax, %eax\nxor %edx, %edx\npxor %xmm0, %xmm0\nret\n");
#elif defined __aarch64__
__asm__(".globl objc_msgSend\n.type objc_msgSend, %function\nobjc_msgSend:\n"
    "cbz x0, 1f\n"
    "stp x29, x30, [sp, #-80]!\nstp x0, x1, [sp, #16]\nstp x2, x3, [sp, #32]\nstp x4, x5, [sp, #48]\nstp x6, x7, [sp, #64]\n"
    "bl standin_method\nmov x16, x0\n"
    "ldp x0, x1, [sp, #16]\nldp x2, x3, [sp, #32]\nldp x4, x5, [sp, #48]\nldp x6, x7, [sp, #64]\nldp x29, x30, [sp], #80\n"
    "br x16\n"
    "1: mov x0, #0\nmov x1, #0\nfmov d0, xzr\nret\n");
#endif
