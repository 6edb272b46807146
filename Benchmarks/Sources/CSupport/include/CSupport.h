#pragma once
#include <stddef.h>
#include <stdint.h>

/// How many bytes of the heap are in use, or -1 where that cannot be told.
int64_t heap_bytes_in_use(void);

/// Calls a function. What runs inside is what callgrind is told to count: of a C function it knows
/// the name, whatever an optimiser does.
void counted_part(void (*body)(void *), void *argument);

/// A key or a value of LMDB.
struct lmdb_value {
    size_t size;
    void *data;
};

/// What LMDB tells of one of its databases.
struct lmdb_statistics {
    unsigned int page_size;
    unsigned int depth;
    size_t branch_pages;
    size_t leaf_pages;
    size_t overflow_pages;
    size_t entries;
};
