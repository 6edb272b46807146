#include "CSkiathosThreads.h"

#if defined(__ELF__)
// Found at a fixed distance from the pointer of the thread, where the default for libraries calls a
// function. A library that is loaded later takes the bytes from those that the C library keeps in
// reserve for this; there are few of them.
#define THREAD_LOCAL static _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define THREAD_LOCAL static _Thread_local
#endif

THREAD_LOCAL void *innermost_access;
THREAD_LOCAL intptr_t last_slot;
THREAD_LOCAL int64_t last_moment;

void *skiathos_innermost_access(void) { return innermost_access; }
void skiathos_set_innermost_access(void *access) { innermost_access = access; }

void *skiathos_exchange_innermost_access(void *access) {
    void *outer = innermost_access;
    innermost_access = access;
    return outer;
}

intptr_t skiathos_last_slot(void) { return last_slot; }
void skiathos_set_last_slot(intptr_t slot) { last_slot = slot; }

int64_t skiathos_last_moment(void) { return last_moment; }
void skiathos_set_last_moment(int64_t moment) { last_moment = moment; }
