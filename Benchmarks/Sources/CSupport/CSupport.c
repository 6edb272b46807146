#include "CSupport.h"

#ifdef __GLIBC__
#include <malloc.h>

int64_t heap_bytes_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.uordblks + info.hblkhd);
}
#else
int64_t heap_bytes_in_use(void) { return -1; }
#endif

__attribute__((noinline)) void counted_part(void (*body)(void *), void *argument) {
    body(argument);
    // Not the last thing it does, so that it is called and not jumped out of.
    __asm__ volatile("" ::: "memory");
}
