#ifndef C_SKIATHOS_FILES_H
#define C_SKIATHOS_FILES_H

#include <stdbool.h>
#include <stdint.h>

/// Which file a path leads to, and how long it is.
typedef struct {
    uint64_t device;
    uint64_t inode;
    int64_t size;
    /// When the file was last written, in nanoseconds since 1970; 0 where that was not asked for.
    int64_t modified;
} skiathos_file_identity;

/// Looks at a file; returns 0, or the number of the error.
///
/// The time is asked for only where it is needed: Linux since 6.13 gives a file whose times were asked for a new time at its next write, however
/// soon that is, and the sync after that write has to bring the time to the disk: it takes half
/// as long again (Documentation/filesystems/multigrain-ts.rst).
int skiathos_identify_file(const char *path, bool with_time, skiathos_file_identity *identity);

/// Opens a descriptor with which a file can be written out early, or -1 where the system cannot do that.
int skiathos_open_for_writeback(const char *path);

/// Has the system begin to write a file's changes to the disk (sync_file_range of Linux); returns whether it
/// can.
///
/// It does not wait, flushes no cache of the disk and reports no failed write: a sync has to follow, and
/// reports that.
bool skiathos_begin_writeback(int descriptor);

/// Gives a file another name in one step, unless there is something under that name; returns 0, or
/// the number of the error: EEXIST if there is, EINVAL or ENOSYS where the file system or the system
/// does not know how.
int skiathos_rename_exclusively(const char *from, const char *to);

/// How many bytes of the file system at a path this process may still use; below zero where the
/// system does not say.
int64_t skiathos_free_space(const char *path);

/// Opens a descriptor that can be read when one of the watched files was written (inotify of Linux), or
/// -1 where the system does not tell.
int skiathos_open_write_watch(void);

/// Watches a file, from now on, or again after it was replaced; false if there is none, or if it lies on
/// a file system where others than this system may write it unnoticed.
bool skiathos_watch_writes(int watch, const char *path);

/// What a watch has told.
typedef struct {
    /// Whether there was anything.
    bool any;
    /// Whether the path may lead to another file, or to none.
    bool is_other_file;
} skiathos_writes;

/// Takes what the watch tells by now, without waiting.
skiathos_writes skiathos_take_writes(int watch);

#endif
