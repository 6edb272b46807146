#include "CHeap.h"

#ifdef __GLIBC__
#include <malloc.h>

int64_t heap_bytes_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.uordblks + info.hblkhd);
}
#else
int64_t heap_bytes_in_use(void) { return -1; }
#endif
