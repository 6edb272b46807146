// A file system for SQLite that can fail, and that remembers what a loss of power would leave.
//
// `fault_vfs_install` puts it before SQLite's own one. Files that lie in the directory of a volume
// are watched; all others are passed through. Every function may be called from any thread unless
// it says otherwise.

#ifndef FAULT_VFS_H
#define FAULT_VFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What is done to a file.
enum fault_operation {
    FAULT_OPEN, FAULT_READ, FAULT_WRITE, FAULT_SYNC, FAULT_TRUNCATE, FAULT_DELETE, FAULT_SHARED_MEMORY,
    FAULT_LOCK,
    FAULT_OPERATION_COUNT
};

/// Kinds of files, as bits.
enum fault_files { FAULT_MAIN = 1, FAULT_WAL = 2, FAULT_JOURNAL = 4, FAULT_WITNESS = 8, FAULT_RESERVE = 16, FAULT_ANY_FILE = 31 };

/// Mistakes that a test plants, as bits, to see that it would notice them.
enum fault_lie {
    /// A sync of the WAL tells success and does nothing.
    FAULT_LIE_WAL_SYNC = 1,
    /// A sync of the main file tells success and does nothing.
    FAULT_LIE_MAIN_SYNC = 2,
    /// The directory is never synced.
    FAULT_LIE_DIRECTORY_SYNC = 4,
    /// A sync of the WAL that fails tells success.
    FAULT_LIE_FAILED_WAL_SYNC = 8,
    /// A sync of the main file that fails tells success.
    FAULT_LIE_FAILED_MAIN_SYNC = 16,
    /// The mark that says how far a WAL was checkpointed cannot be set back.
    FAULT_LIE_CHECKPOINT_MARK = 32,
};

/// Which operations fail, and how.
typedef struct {
    enum fault_operation operation;
    /// Kinds of files, as bits of `fault_files`.
    int files;
    /// How many such operations succeed first.
    int64_t after;
    /// How many fail then; below zero, all.
    int64_t times;
    /// The extended result code of SQLite that they give.
    int result;
    /// Whether the first half of a failing write reaches the file.
    bool is_partial;
} fault_plan;

/// A directory whose files are watched.
typedef struct fault_volume fault_volume;

/// Called before an operation of a volume, on its thread; it may block.
typedef void (*fault_hook)(void *context, enum fault_operation operation, int file);

/// Puts the file system before SQLite's own one; calling it again does nothing.
///
/// Returns SQLite's result code.
int fault_vfs_install(void);

/// Watches a directory from now on; `NULL` if there is none.
///
/// What is in it counts as synced. No store may be open there. Nothing in it is really synced while
/// it is watched.
fault_volume *fault_volume_create(const char *directory);
/// Stops watching: nothing fails any more. A file that is still open can be used until it is closed.
void fault_volume_free(fault_volume *);

/// Whether changes are remembered, which they are from the beginning.
void fault_volume_record(fault_volume *, bool);
void fault_volume_lie(fault_volume *, int lies);
/// Makes operations fail; `NULL` ends that.
void fault_volume_fail(fault_volume *, const fault_plan *);
/// How many bytes the files may have together before the disk is full; below zero, any number.
void fault_volume_limit(fault_volume *, int64_t bytes);
void fault_volume_set_hook(fault_volume *, fault_hook, void *context);
/// How many operations there were, failed ones included, on files of some kinds.
int64_t fault_volume_count(fault_volume *, enum fault_operation, int files);
/// How many operations have failed by plan.
int64_t fault_volume_failures(fault_volume *);
/// Notes that something was promised at this moment.
void fault_volume_mark(fault_volume *, int64_t promise);
/// How many changes and promises were noted.
int64_t fault_volume_length(fault_volume *);

/// What the disk of a volume holds for certain at one moment, and what it may hold.
///
/// One thread at a time; its volume must not be freed before, and changes are best over.
typedef struct fault_disk fault_disk;

/// A disk before the first change.
fault_disk *fault_disk_create(fault_volume *);
void fault_disk_free(fault_disk *);
/// Goes on to the moment after a number of changes and promises, never back.
void fault_disk_advance(fault_disk *, int64_t moment);
/// The largest promise that was noted so far, or 0.
int64_t fault_disk_promise(const fault_disk *);

/// The files that a loss of power leaves.
typedef struct fault_image fault_image;

/// One of the images that are possible at the moment; which one, the seed decides.
fault_image *fault_disk_image(const fault_disk *, uint64_t seed);
/// The image in which everything survives that was written, as after the end of the process, or
/// nothing that is not certain.
fault_image *fault_disk_extreme_image(const fault_disk *, bool survives);
void fault_image_free(fault_image *);
/// Whether a file is in the image.
bool fault_image_has(const fault_image *, const char *name);
/// Writes the files to an empty directory; returns whether that worked.
bool fault_image_write(const fault_image *, const char *directory);
/// Opens a file of the image as a database, which recovers it, and executes a query.
///
/// Returns SQLite's result code. The text is the first column of all rows in lines, or a message;
/// `free` it.
int fault_image_query(const fault_image *, const char *name, const char *sql, char **text);

/// Puts functions that can fail between SQLite and its memory. Only before the first use of SQLite.
///
/// Returns SQLite's result code.
int fault_memory_install(void);
/// Lets allocations of SQLite fail: after a number of them, that many, or all if below zero. A first
/// number below zero ends that.
void fault_memory_fail(int64_t first, int64_t count);
/// How many allocations there were since then, and how many have failed.
int64_t fault_memory_count(void);
int64_t fault_memory_failures(void);

#endif
