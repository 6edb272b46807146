// Memory of SQLite that runs out: stands between SQLite and the functions by which it allocates
// (sqlite.org/malloc.html#_out_of_memory_testing_).

#include <stdatomic.h>

#include <sqlite3.h>

#include "FaultVFS.h"

/// SQLite's own functions, which are only set before the first allocation.
static sqlite3_mem_methods real_memory;
/// How many allocations there were since the last order.
static atomic_llong allocations;
/// After how many they fail, and how many of them do; below zero, none or all.
static atomic_llong after = -1, times;
static atomic_llong failures;

static bool fails(void) {
    int64_t number = atomic_fetch_add(&allocations, 1);
    int64_t first = atomic_load(&after), count = atomic_load(&times);
    if (first < 0 || number < first || (count >= 0 && number >= first + count)) return false;
    atomic_fetch_add(&failures, 1);
    return true;
}

static void *memory_allocate(int size) { return fails() ? NULL : real_memory.xMalloc(size); }

static void *memory_reallocate(void *memory, int size) {
    return fails() ? NULL : real_memory.xRealloc(memory, size);
}

int fault_memory_install(void) {
    int code = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real_memory);
    if (code != SQLITE_OK) return code;
    sqlite3_mem_methods methods = real_memory;
    methods.xMalloc = memory_allocate;
    methods.xRealloc = memory_reallocate;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}

void fault_memory_fail(int64_t first, int64_t count) {
    atomic_store(&after, -1);
    atomic_store(&allocations, 0);
    atomic_store(&failures, 0);
    atomic_store(&times, count);
    atomic_store(&after, first);
}

int64_t fault_memory_count(void) { return atomic_load(&allocations); }

int64_t fault_memory_failures(void) { return atomic_load(&failures); }
