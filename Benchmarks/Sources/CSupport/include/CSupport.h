#pragma once
#include <stdint.h>

/// How many bytes of the heap are in use, or -1 where that cannot be told.
int64_t heap_bytes_in_use(void);

/// Calls a function. What runs inside is what callgrind is told to count: of a C function it knows
/// the name, whatever an optimiser does.
void counted_part(void (*body)(void *), void *argument);
