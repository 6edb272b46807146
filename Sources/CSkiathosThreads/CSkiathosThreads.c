#include "CSkiathosThreads.h"

SKIATHOS_THREAD_LOCAL void *innermost_access;
SKIATHOS_THREAD_LOCAL void *innermost_closure;
SKIATHOS_THREAD_LOCAL intptr_t last_slot;
SKIATHOS_THREAD_LOCAL int64_t last_moment;

void *skiathos_innermost_access(void) { return innermost_access; }
void skiathos_set_innermost_access(void *access) { innermost_access = access; }

void *skiathos_exchange_innermost_access(void *access) {
    void *outer = innermost_access;
    innermost_access = access;
    return outer;
}

void *skiathos_innermost_closure(void) { return innermost_closure; }
void skiathos_set_innermost_closure(void *closure) { innermost_closure = closure; }

intptr_t skiathos_last_slot(void) { return last_slot; }
void skiathos_set_last_slot(intptr_t slot) { last_slot = slot; }

int64_t skiathos_last_moment(void) { return last_moment; }
void skiathos_set_last_moment(int64_t moment) { last_moment = moment; }
