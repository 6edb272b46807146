// What the parts of the file system share.

#ifndef FAULT_VOLUME_H
#define FAULT_VOLUME_H

#include <pthread.h>
#include <sqlite3.h>

#include "FaultVFS.h"

enum event_kind {
    EVENT_CREATE, EVENT_DELETE, EVENT_WRITE, EVENT_TRUNCATE,
    /// Everything written to a file before is on the disk.
    EVENT_SYNC,
    /// What was written to a file since its last sync will never reach the disk: systems forget it
    /// when a sync fails.
    EVENT_LOSS,
    EVENT_DIRECTORY_SYNC, EVENT_MARK
};

/// A change or a promise.
typedef struct {
    enum event_kind kind;
    /// The number of the file, which a deleted name does not keep.
    int file;
    /// Where it is written, how long the file is after truncation, or the promise.
    int64_t offset;
    int64_t length;
    /// The bytes or the name.
    unsigned char *bytes;
} event;

/// A name in the directory and the file that it stands for.
typedef struct {
    char *name;
    /// The number of the file, or -1 while there is none.
    int file;
    int64_t size;
} entry;

struct fault_volume {
    /// With a slash at its end.
    char *directory;
    struct fault_volume *next;
    /// The volume's owner and its open files. Guarded by the lock of the list.
    int users;

    /// Guards everything below.
    pthread_mutex_t lock;
    bool is_recording;
    int lies;
    bool has_plan;
    fault_plan plan;
    int64_t failures;
    int64_t limit;
    fault_hook hook;
    void *hook_context;
    /// By operation and by the bits of a kind of file.
    int64_t counts[FAULT_OPERATION_COUNT][FAULT_ANY_FILE + 1];

    event *events;
    int64_t event_count, event_capacity;
    entry *entries;
    int entry_count;
    int file_count;
};

/// The volume that a path lies in, or `NULL`.
fault_volume *volume_of(const char *path);
/// A file of the volume was opened, and keeps it.
void volume_retain(fault_volume *);
/// A file was closed; the last one frees a volume that its owner has given up.
void volume_release(fault_volume *);
/// The name of a path inside of its volume.
const char *name_in(const fault_volume *, const char *path);
/// The entry of a name, made if there is none. The volume must be locked.
entry *entry_of(fault_volume *, const char *name);
/// Notes a change, with a copy of the bytes. The volume must be locked.
void note(fault_volume *, enum event_kind, int file, int64_t offset, const void *bytes, int64_t length);
/// Counts an operation, calls the hook, and returns the code with which it fails, or `SQLITE_OK`.
int begin_operation(fault_volume *, enum fault_operation, int file_kind, bool *is_partial);

/// The next number of a sequence that a seed determines.
///
/// The algorithm is SplitMix64 of Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators" (2014).
static inline uint64_t next_random(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

#endif
