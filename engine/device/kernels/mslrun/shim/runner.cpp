// Runs a kernel's threadgroups one after another on one thread of the system, each of their threads on a stack of
// its own. Threads switch only where they meet, so that a run is the same every time; run in the opposite order, a
// kernel that lacks a barrier gives another result. Compiled once and linked with every kernel.
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <ucontext.h>

// ids is what one thread knows of itself, as kernel.cpp.tmpl hands it to the kernel.
struct ids {
    uint32_t thread_position_in_grid[3], thread_position_in_threadgroup[3], threadgroup_position_in_grid[3];
    uint32_t threadgroups_per_grid[3], threads_per_threadgroup[3];
    uint32_t thread_index_in_threadgroup, thread_index_in_simdgroup, simdgroup_index_in_threadgroup;
    uint32_t threads_per_simdgroup, simdgroups_per_threadgroup;
};

extern "C" void mslrun_thread(void **buffers, const ids *);

// The threadgroup memory of the kernel: a section of its own, which is not there where a kernel has none.
extern "C" char __start_mslrun_shared[] __attribute__((weak, visibility("hidden")));
extern "C" char __stop_mslrun_shared[] __attribute__((weak, visibility("hidden")));

namespace {

constexpr uint32_t mostThreads = 1024, lanes = 32;
constexpr size_t stackBytes = 256 << 10, slotBytes = 16;

enum state { ready, meeting, exchanging, done };

struct fibre {
    jmp_buf at;
    ids self;
    state now;
    bool begun;
    int place;
    int turn; // which of the two rows of slots its SIMD group uses next
};

fibre fibres[mostThreads];
char slots[2][mostThreads * slotBytes];
char *stacks;
jmp_buf scheduler;
sigjmp_buf outside;
ucontext_t unused;
fibre *current;
uint32_t threads;
void **arguments;

void begin() {
    mslrun_thread(arguments, &current->self);
    current->now = done;
    _longjmp(scheduler, 1);
}

void wait(state s, int place) {
    current->now = s;
    current->place = place;
    if (_setjmp(current->at) == 0) _longjmp(scheduler, 1);
}

// resume runs a fibre until it waits or ends.
void resume(uint32_t i) {
    current = &fibres[i];
    if (_setjmp(scheduler) != 0) return;
    if (current->begun) _longjmp(current->at, 1);
    current->begun = true;
    ucontext_t c;
    getcontext(&c);
    c.uc_stack.ss_sp = stacks + i * stackBytes;
    c.uc_stack.ss_size = stackBytes;
    c.uc_link = nullptr;
    makecontext(&c, begin, 0);
    setcontext(&c);
}

// release lets the fibres from first to last go on if all of them wait for the same thing at the same place.
bool release(uint32_t first, uint32_t last, state s) {
    for (uint32_t i = first; i < last; i++)
        if (fibres[i].now != s || fibres[i].place != fibres[first].place) return false;
    for (uint32_t i = first; i < last; i++) fibres[i].now = ready;
    return true;
}

// group runs one threadgroup; false where its threads do not meet.
bool group(bool backwards) {
    if (__start_mslrun_shared) memset(__start_mslrun_shared, 0xff, __stop_mslrun_shared - __start_mslrun_shared);
    for (;;) {
        for (uint32_t k = 0; k < threads; k++) {
            uint32_t i = backwards ? threads - 1 - k : k;
            if (fibres[i].now == ready) resume(i);
        }
        uint32_t ended = 0;
        for (uint32_t i = 0; i < threads; i++) ended += fibres[i].now == done;
        if (ended == threads) return true;
        bool moved = release(0, threads, meeting);
        for (uint32_t i = 0; !moved && i < threads; i += lanes) {
            uint32_t last = i + lanes < threads ? i + lanes : threads;
            if (release(i, last, exchanging)) moved = true;
        }
        if (!moved) return false;
    }
}

void fault(int, siginfo_t *, void *) { siglongjmp(outside, 1); }

} // namespace

extern "C" void mslrun_meet(int place, int) { wait(meeting, place); }

extern "C" const void *mslrun_exchange(int place, const void *mine, uint32_t bytes, uint32_t *lane, uint32_t *count) {
    fibre *f = current;
    uint32_t index = f->self.thread_index_in_threadgroup, first = index / lanes * lanes;
    char *row = slots[f->turn];
    f->turn ^= 1;
    if (bytes > 0) memcpy(row + index * slotBytes, mine, bytes);
    wait(exchanging, place);
    if (lane) *lane = index - first;
    if (count) *count = first + lanes < threads ? lanes : threads - first;
    return row + first * slotBytes;
}

// mslrun_run runs groups threadgroups of size threads. It returns 0, 1 where threads of a group wait at different
// barriers or ended before one, 2 where the kernel touched memory outside its buffers, and 3 where the size is not
// possible.
extern "C" __attribute__((visibility("default"))) int mslrun_run(void **buffers, const uint32_t *groups, const uint32_t *size, int backwards) {
    threads = size[0] * size[1] * size[2];
    if (threads == 0 || threads > mostThreads) return 3;
    if (!stacks) {
        void *m = mmap(nullptr, mostThreads * stackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (m == MAP_FAILED) return 3;
        stacks = (char *)m;
    }
    arguments = buffers;
    struct sigaction catcher = {}, segv, bus;
    catcher.sa_sigaction = fault;
    catcher.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &catcher, &segv);
    sigaction(SIGBUS, &catcher, &bus);
    int result = 0;
    if (sigsetjmp(outside, 1) != 0) {
        result = 2;
    } else {
        uint64_t all = (uint64_t)groups[0] * groups[1] * groups[2];
        for (uint64_t n = 0; n < all && result == 0; n++) {
            uint64_t g = backwards ? all - 1 - n : n;
            uint32_t at[3] = {(uint32_t)(g % groups[0]), (uint32_t)(g / groups[0] % groups[1]), (uint32_t)(g / groups[0] / groups[1])};
            for (uint32_t i = 0; i < threads; i++) {
                fibre &f = fibres[i];
                f.now = ready, f.begun = false, f.turn = 0;
                uint32_t local[3] = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
                for (int d = 0; d < 3; d++) {
                    f.self.thread_position_in_threadgroup[d] = local[d];
                    f.self.threadgroup_position_in_grid[d] = at[d];
                    f.self.thread_position_in_grid[d] = at[d] * size[d] + local[d];
                    f.self.threadgroups_per_grid[d] = groups[d];
                    f.self.threads_per_threadgroup[d] = size[d];
                }
                f.self.thread_index_in_threadgroup = i;
                f.self.thread_index_in_simdgroup = i % lanes;
                f.self.simdgroup_index_in_threadgroup = i / lanes;
                f.self.threads_per_simdgroup = lanes;
                f.self.simdgroups_per_threadgroup = (threads + lanes - 1) / lanes;
            }
            if (!group(backwards)) result = 1;
        }
    }
    sigaction(SIGSEGV, &segv, nullptr);
    sigaction(SIGBUS, &bus, nullptr);
    return result;
}
