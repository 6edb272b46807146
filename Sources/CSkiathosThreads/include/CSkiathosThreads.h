#ifndef C_SKIATHOS_THREADS_H
#define C_SKIATHOS_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__ELF__)
// Found at a fixed distance from the pointer of the thread, where the default for libraries calls a
// function. A library that is loaded later takes the bytes from those that the C library keeps in
// reserve for this; there are few of them.
#define SKIATHOS_THREAD_LOCAL static _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define SKIATHOS_THREAD_LOCAL static _Thread_local
#endif

// Variables of threads, at a quarter of the cost of pthread_getspecific. Functions and no inline
// ones, so that no address of a variable is kept across a point where a task changes its thread.

/// What the innermost access of this thread has set; NULL outside of every access.
void *_Nullable skiathos_innermost_access(void);
void skiathos_set_innermost_access(void *_Nullable access);

/// Sets it and returns what was set before.
void *_Nullable skiathos_exchange_innermost_access(void *_Nullable access);

/// What the innermost closure of a query that runs on this thread has set; NULL outside of all.
void *_Nullable skiathos_innermost_closure(void);
void skiathos_set_innermost_closure(void *_Nullable closure);

/// The number of the slot that the last read of this thread had, 0 before the first.
intptr_t skiathos_last_slot(void);
void skiathos_set_last_slot(intptr_t slot);

/// The coarse time at which the present share of this thread has begun; 0 before the first.
int64_t skiathos_last_moment(void);
void skiathos_set_last_moment(int64_t moment);

/// Tells the processor that this thread waits in a loop; takes some tens of nanoseconds.
static inline void skiathos_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

/// Prefetches the cache lines of one byte or more, which this thread alone reads or writes soon; the
/// address need not be valid.
static inline void skiathos_prefetch(const void *_Nonnull start, intptr_t count) {
    // Lines have 64 bytes or more; longer ones are named more than once, which costs little.
    for (intptr_t offset = 0; offset < count; offset += 64)
        __builtin_prefetch((const char *)start + offset, 1);
    __builtin_prefetch((const char *)start + count - 1, 1);
}

/// A thread that calls a function again and again.
typedef struct skiathos_ticker skiathos_ticker;

/// How long the thread waits before a call, in nanoseconds.
typedef struct {
    /// How long it waits at least.
    int64_t deaf;
    /// How long it waits if there is nothing to read from the descriptor in the meantime.
    int64_t longest;
} skiathos_pause;

/// Starts a thread with a name of up to 15 bytes, which calls `tick` after each pause; `tick` returns
/// the next one.
///
/// The descriptor, or -1 for none, has to stay open until `release`, which the thread calls when it
/// ends, not in a child of a fork. Returns 0 or an error number.
int skiathos_start_ticker(
    const char *_Nonnull name, skiathos_pause first, int descriptor,
    skiathos_pause (*_Nonnull tick)(void *_Nonnull context),
    void (*_Nonnull release)(void *_Nonnull context), void *_Nonnull context,
    skiathos_ticker *_Nullable *_Nonnull ticker);

/// Ends the thread, at once or after the call of `tick` that is under way, for which it does not
/// wait. From any thread, also from `tick`. Called once.
void skiathos_stop_ticker(skiathos_ticker *_Nonnull ticker);

#endif
