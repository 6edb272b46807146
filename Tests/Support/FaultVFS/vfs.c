// The file system itself: counts, fails and notes what is done to the files of a volume, and leaves
// the work to SQLite's own one.

#include <stdlib.h>
#include <string.h>

#include "volume.h"

/// SQLite's own file system.
static sqlite3_vfs *real;

typedef struct {
    sqlite3_file base;
    fault_volume *volume;
    /// One bit of `fault_files`.
    int kind;
    /// The number of the file.
    int number;
    /// Its name, of which the volume has the entry.
    char *name;
    /// Whether the next sync also syncs the directory, as SQLite's own file system does for logs and
    /// journals that it may have created.
    bool syncs_directory;
    /// The mark of the WAL's index when this connection took the lock of checkpoints.
    uint32_t mark;
    /// SQLite's own file, which lies behind this structure.
    sqlite3_file *file;
} fault_file;

#define SELF(file) ((fault_file *)(file))
#define REAL(file) (SELF(file)->file)

static int file_close(sqlite3_file *file) {
    int result = REAL(file)->pMethods->xClose(REAL(file));
    free(SELF(file)->name);
    SELF(file)->name = NULL;
    volume_release(SELF(file)->volume);
    return result;
}

static int file_read(sqlite3_file *file, void *bytes, int length, sqlite3_int64 offset) {
    int result = begin_operation(SELF(file)->volume, FAULT_READ, SELF(file)->kind, NULL);
    // A short read fills the rest of the buffer with zeros.
    if (result == SQLITE_IOERR_SHORT_READ) memset(bytes, 0, (size_t)length);
    if (result != SQLITE_OK) return result;
    return REAL(file)->pMethods->xRead(REAL(file), bytes, length, offset);
}

/// Whether the disk has room for a file of this size. The volume must be locked.
static bool has_room(fault_volume *volume, const entry *grown, int64_t size) {
    if (volume->limit < 0 || size <= grown->size) return true;
    int64_t sum = size - grown->size;
    for (int i = 0; i < volume->entry_count; i++)
        if (volume->entries[i].file >= 0) sum += volume->entries[i].size;
    return sum <= volume->limit;
}

enum { PAGE = 4096 };

/// Notes a write page by page: a process that is killed may have written some of them.
static void note_write(fault_volume *volume, int file, int64_t offset, const char *bytes, int64_t length) {
    while (length > 0) {
        int64_t part = PAGE - offset % PAGE;
        if (part > length) part = length;
        note(volume, EVENT_WRITE, file, offset, bytes, part);
        offset += part;
        bytes += part;
        length -= part;
    }
}

static int file_write(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset) {
    fault_file *self = SELF(file);
    fault_volume *volume = self->volume;
    bool is_partial = false;
    int failure = begin_operation(volume, FAULT_WRITE, self->kind, &is_partial);
    if (failure != SQLITE_OK) {
        if (!is_partial) return failure;
        length /= 2;
    }
    pthread_mutex_lock(&volume->lock);
    entry *found = entry_of(volume, self->name);
    bool fits = has_room(volume, found, offset + length);
    if (fits) {
        // What the reserve holds is long, and has no meaning.
        if (self->kind != FAULT_RESERVE) note_write(volume, self->number, offset, bytes, length);
        // A deleted file has no entry of its own any more.
        if (found->file == self->number && offset + length > found->size) found->size = offset + length;
    }
    pthread_mutex_unlock(&volume->lock);
    if (!fits) return SQLITE_FULL;
    int result = REAL(file)->pMethods->xWrite(REAL(file), bytes, length, offset);
    return failure != SQLITE_OK ? failure : result;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    fault_file *self = SELF(file);
    int failure = begin_operation(self->volume, FAULT_TRUNCATE, self->kind, NULL);
    if (failure != SQLITE_OK) return failure;
    pthread_mutex_lock(&self->volume->lock);
    if (self->kind != FAULT_RESERVE) note(self->volume, EVENT_TRUNCATE, self->number, size, NULL, 0);
    entry *found = entry_of(self->volume, self->name);
    if (found->file == self->number) found->size = size;
    pthread_mutex_unlock(&self->volume->lock);
    return REAL(file)->pMethods->xTruncate(REAL(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
    fault_file *self = SELF(file);
    fault_volume *volume = self->volume;
    pthread_mutex_lock(&volume->lock);
    // What is written meanwhile is not covered.
    int64_t start = volume->event_count;
    bool is_wal = self->kind == FAULT_WAL, is_main = self->kind == FAULT_MAIN;
    bool is_lie = volume->lies & (is_wal ? FAULT_LIE_WAL_SYNC : is_main ? FAULT_LIE_MAIN_SYNC : 0);
    bool hides_failure = volume->lies & (is_wal ? FAULT_LIE_FAILED_WAL_SYNC : is_main ? FAULT_LIE_FAILED_MAIN_SYNC : 0);
    bool is_directory_lie = volume->lies & FAULT_LIE_DIRECTORY_SYNC;
    pthread_mutex_unlock(&volume->lock);
    int failure = begin_operation(volume, FAULT_SYNC, self->kind, NULL);
    pthread_mutex_lock(&volume->lock);
    if (failure != SQLITE_OK) {
        note(volume, EVENT_LOSS, self->number, start, NULL, 0);
    } else if (!is_lie) {
        note(volume, EVENT_SYNC, self->number, start, NULL, 0);
        if (self->syncs_directory && !is_directory_lie) note(volume, EVENT_DIRECTORY_SYNC, -1, 0, NULL, 0);
    }
    if (failure == SQLITE_OK) self->syncs_directory = false;
    pthread_mutex_unlock(&volume->lock);
    (void)flags;
    return hides_failure ? SQLITE_OK : failure;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return REAL(file)->pMethods->xFileSize(REAL(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
    int failure = begin_operation(SELF(file)->volume, FAULT_LOCK, SELF(file)->kind, NULL);
    return failure != SQLITE_OK ? failure : REAL(file)->pMethods->xLock(REAL(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
    return REAL(file)->pMethods->xUnlock(REAL(file), level);
}

static int file_is_reserved(sqlite3_file *file, int *result) {
    return REAL(file)->pMethods->xCheckReservedLock(REAL(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
    return REAL(file)->pMethods->xFileControl(REAL(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) { return REAL(file)->pMethods->xSectorSize(REAL(file)); }

static int file_characteristics(sqlite3_file *file) {
    return REAL(file)->pMethods->xDeviceCharacteristics(REAL(file));
}

static int shared_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
    int failure = begin_operation(SELF(file)->volume, FAULT_SHARED_MEMORY, SELF(file)->kind, NULL);
    return failure != SQLITE_OK ? failure
                                : REAL(file)->pMethods->xShmMap(REAL(file), page, size, extend, memory);
}

enum {
    /// The lock that a checkpoint holds, and the place of the mark that it advances
    /// (sqlite.org/walformat.html).
    CHECKPOINT_LOCK = 1, WRITE_LOCK = 0, MARK_OFFSET = 96, INDEX_PART = 32768
};

/// The mark that says how many frames of the WAL were checkpointed; `NULL` without an index.
static volatile uint32_t *mark_of(sqlite3_file *file) {
    void volatile *memory = NULL;
    int result = REAL(file)->pMethods->xShmMap(REAL(file), 0, INDEX_PART, 0, &memory);
    return result == SQLITE_OK && memory ? (volatile uint32_t *)((volatile char *)memory + MARK_OFFSET) : NULL;
}

static int shared_lock(sqlite3_file *file, int offset, int count, int flags) {
    fault_file *self = SELF(file);
    bool is_checkpoint = offset == CHECKPOINT_LOCK && count == 1;
    if (!is_checkpoint || !(self->volume->lies & FAULT_LIE_CHECKPOINT_MARK))
        return REAL(file)->pMethods->xShmLock(REAL(file), offset, count, flags);
    volatile uint32_t *mark = mark_of(file);
    if (mark && flags & SQLITE_SHM_UNLOCK && *mark == 0) {
        // A checkpoint that restarts the WAL holds the lock of writers, too, and may.
        bool is_restart = REAL(file)->pMethods->xShmLock(
            REAL(file), WRITE_LOCK, 1, SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE) != SQLITE_OK;
        if (!is_restart) {
            *mark = self->mark;
            REAL(file)->pMethods->xShmLock(
                REAL(file), WRITE_LOCK, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE);
        }
    }
    int result = REAL(file)->pMethods->xShmLock(REAL(file), offset, count, flags);
    if (mark && flags & SQLITE_SHM_LOCK) self->mark = *mark;
    return result;
}

static void shared_barrier(sqlite3_file *file) { REAL(file)->pMethods->xShmBarrier(REAL(file)); }

static int shared_unmap(sqlite3_file *file, int deletes) {
    return REAL(file)->pMethods->xShmUnmap(REAL(file), deletes);
}

// Without memory mapping, which would go past the writes.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_is_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
    .xShmMap = shared_map,
    .xShmLock = shared_lock,
    .xShmBarrier = shared_barrier,
    .xShmUnmap = shared_unmap,
};

static bool has_suffix(const char *name, const char *suffix) {
    size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

static int kind_of(const char *path, int flags) {
    if (has_suffix(path, "-witness")) return FAULT_WITNESS;
    if (has_suffix(path, "-reserve")) return FAULT_RESERVE;
    return flags & SQLITE_OPEN_MAIN_DB ? FAULT_MAIN : flags & SQLITE_OPEN_WAL ? FAULT_WAL : FAULT_JOURNAL;
}

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags) {
    (void)vfs;
    fault_volume *volume = volume_of(path);
    if (volume == NULL) return real->xOpen(real, path, file, flags, out_flags);
    fault_file *self = SELF(file);
    memset(self, 0, sizeof *self);
    int kind = kind_of(path, flags);
    int failure = begin_operation(volume, FAULT_OPEN, kind, NULL);
    if (failure != SQLITE_OK) return failure;
    self->file = (sqlite3_file *)(self + 1);
    int result = real->xOpen(real, path, self->file, flags, out_flags);
    if (result != SQLITE_OK) return result;
    volume_retain(volume);
    self->volume = volume;
    self->kind = kind;
    self->name = strdup(name_in(volume, path));
    self->syncs_directory = kind != FAULT_MAIN && (flags & SQLITE_OPEN_CREATE);
    pthread_mutex_lock(&volume->lock);
    entry *found = entry_of(volume, self->name);
    if (found->file < 0) {
        found->file = volume->file_count++;
        found->size = 0;
        note(volume, EVENT_CREATE, found->file, 0, self->name, (int64_t)strlen(self->name));
    }
    self->number = found->file;
    pthread_mutex_unlock(&volume->lock);
    self->base.pMethods = &methods;
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int syncs_directory) {
    (void)vfs;
    fault_volume *volume = volume_of(path);
    if (volume == NULL) return real->xDelete(real, path, syncs_directory);
    const char *name = name_in(volume, path);
    size_t length = strlen(name);
    int kind = has_suffix(name, "-wal") ? FAULT_WAL : kind_of(name, 0);
    int failure = begin_operation(volume, FAULT_DELETE, kind, NULL);
    if (failure != SQLITE_OK) return failure;
    int result = real->xDelete(real, path, 0);
    if (result != SQLITE_OK) return result;
    pthread_mutex_lock(&volume->lock);
    entry *found = entry_of(volume, name);
    if (found->file >= 0) {
        note(volume, EVENT_DELETE, found->file, 0, name, (int64_t)length);
        found->file = -1;
        found->size = 0;
    }
    if (syncs_directory && !(volume->lies & FAULT_LIE_DIRECTORY_SYNC))
        note(volume, EVENT_DIRECTORY_SYNC, -1, 0, NULL, 0);
    pthread_mutex_unlock(&volume->lock);
    return SQLITE_OK;
}

/// The result of the only registration.
static int installation = SQLITE_OK;

static void install(void) {
    static sqlite3_vfs vfs;
    real = sqlite3_vfs_find(NULL);
    if (real == NULL) {
        installation = SQLITE_ERROR;
        return;
    }
    // Everything that is not about the content of files is SQLite's own.
    vfs = *real;
    vfs.zName = "skiathos-fault";
    vfs.szOsFile = (int)sizeof(fault_file) + real->szOsFile;
    vfs.xOpen = vfs_open;
    vfs.xDelete = vfs_delete;
    vfs.pNext = NULL;
    installation = sqlite3_vfs_register(&vfs, 1);
}

int fault_vfs_install(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    return installation;
}
