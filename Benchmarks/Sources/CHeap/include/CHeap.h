#pragma once
#include <stdint.h>

/// How many bytes of the heap are in use, or -1 where that cannot be told.
int64_t heap_bytes_in_use(void);
