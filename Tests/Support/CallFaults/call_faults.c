// A library that is loaded before all others into a process of the tests. It stands between the
// process and the system's calls on files of one directory, counts them, and makes one of them fail,
// or all from one on. Calls on other files pass through.
//
// It is built when a test asks for it, and is part of no target: see CallFaultLibrary.swift.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// The kinds of calls, in the order of `CallFault.Call` in CallFault.swift.
enum call {
    CALL_OPEN, CALL_CLOSE, CALL_READ, CALL_WRITE, CALL_TRUNCATE, CALL_STATUS, CALL_LOCK,
    CALL_WHOLE_LOCK, CALL_SYNC, CALL_MAP, CALL_ACCESS, CALL_READ_LINK, CALL_LINK, CALL_RENAME,
    CALL_UNLINK, CALL_MODE, CALL_DIRECTORY, CALL_COUNT
};

enum { MOST_FILES = 4096 };

/// Which calls fail; read and changed by any thread.
static struct {
    atomic_int call, error, is_lasting;
    atomic_long after;
    atomic_long counts[CALL_COUNT];
    atomic_long failures;
    /// Whether a descriptor is one of a watched file.
    atomic_char is_watched[MOST_FILES];
    /// Whether a directory is watched; it is set before, and not changed while it is.
    atomic_int is_armed;
    char directory[PATH_MAX];
    size_t length;
} faults;

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

/// Lets no call fail.
void call_faults_disarm(void) { atomic_store(&faults.is_armed, 0); }

/// Lets a call on the files of a directory fail, the one after a number of its kind, and all later
/// ones of its kind if it is lasting.
void call_faults_arm(const char *directory, int call, long after, int error, int is_lasting) {
    call_faults_disarm();
    strncpy(faults.directory, directory, sizeof faults.directory - 1);
    faults.length = strlen(faults.directory);
    for (int kind = 0; kind < CALL_COUNT; kind++) atomic_store(&faults.counts[kind], 0);
    atomic_store(&faults.failures, 0);
    atomic_store(&faults.call, call);
    atomic_store(&faults.after, after);
    atomic_store(&faults.error, error);
    atomic_store(&faults.is_lasting, is_lasting);
    atomic_store(&faults.is_armed, 1);
}

/// How many calls of a kind there were since the directory is watched.
long call_faults_count(int call) { return atomic_load(&faults.counts[call]); }

/// How many calls have failed.
long call_faults_failures(void) { return atomic_load(&faults.failures); }

static int is_watched_path(const char *path) {
    return path && atomic_load(&faults.is_armed)
        && (strncmp(path, faults.directory, faults.length) == 0
            || strcmp(path, "/proc/self/mountinfo") == 0);
}

static int is_watched_file(int file) {
    return file >= 0 && file < MOST_FILES && atomic_load(&faults.is_armed)
        && atomic_load(&faults.is_watched[file]);
}

static void watch(int file, int is_watched) {
    if (file >= 0 && file < MOST_FILES) atomic_store(&faults.is_watched[file], is_watched);
}

/// Counts a call and tells whether it fails, in which case the error is set.
static int fails(enum call call) {
    long number = atomic_fetch_add(&faults.counts[call], 1);
    if ((int)call != atomic_load(&faults.call)) return 0;
    long after = atomic_load(&faults.after);
    if (number != after && !(number > after && atomic_load(&faults.is_lasting))) return 0;
    atomic_fetch_add(&faults.failures, 1);
    errno = atomic_load(&faults.error);
    return 1;
}

static int path_fails(const char *path, enum call call) {
    return is_watched_path(path) && fails(call);
}

/// A process that has no descriptor left has none for any file.
static int has_no_descriptor(void) {
    return atomic_load(&faults.is_armed) && atomic_load(&faults.failures) > 0
        && atomic_load(&faults.error) == EMFILE && atomic_load(&faults.is_lasting);
}

static int file_fails(int file, enum call call) { return is_watched_file(file) && fails(call); }

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        if (path_fails(path, CALL_OPEN)) return -1; \
        if (has_no_descriptor()) { errno = EMFILE; return -1; } \
        int file = real(path, flags, mode); \
        watch(file, is_watched_path(path)); \
        return file; \
    }
OPEN(open)
OPEN(open64)

#define OPEN_AT(name) \
    int name(int directory, const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        int is_watched = is_watched_path(path) || is_watched_file(directory); \
        if (is_watched && fails(CALL_OPEN)) return -1; \
        int file = real(directory, path, flags, mode); \
        watch(file, is_watched); \
        return file; \
    }
OPEN_AT(openat)
OPEN_AT(openat64)

int close(int file) {
    REAL(close);
    int has_failed = file_fails(file, CALL_CLOSE);
    int error = errno;
    watch(file, 0);
    // The descriptor is free all the same (close(2)).
    int result = real(file);
    if (!has_failed) return result;
    errno = error;
    return -1;
}

#define ON_FILE(result, name, call, parameters, ...) \
    result name parameters { \
        REAL(name); \
        return file_fails(file, call) ? (result)-1 : real(__VA_ARGS__); \
    }
#define ON_PATH(result, name, call, parameters, ...) \
    result name parameters { \
        REAL(name); \
        return path_fails(path, call) ? (result)-1 : real(__VA_ARGS__); \
    }

ON_FILE(ssize_t, read, CALL_READ, (int file, void *bytes, size_t count), file, bytes, count)
ON_FILE(ssize_t, pread, CALL_READ, (int file, void *bytes, size_t count, off_t offset), file,
        bytes, count, offset)
ON_FILE(ssize_t, pread64, CALL_READ, (int file, void *bytes, size_t count, off64_t offset), file,
        bytes, count, offset)
ON_FILE(ssize_t, write, CALL_WRITE, (int file, const void *bytes, size_t count), file, bytes,
        count)
ON_FILE(ssize_t, pwrite, CALL_WRITE, (int file, const void *bytes, size_t count, off_t offset),
        file, bytes, count, offset)
ON_FILE(ssize_t, pwrite64, CALL_WRITE,
        (int file, const void *bytes, size_t count, off64_t offset), file, bytes, count, offset)
ON_FILE(int, ftruncate, CALL_TRUNCATE, (int file, off_t size), file, size)
ON_FILE(int, ftruncate64, CALL_TRUNCATE, (int file, off64_t size), file, size)
ON_FILE(int, fstat, CALL_STATUS, (int file, struct stat *status), file, status)
ON_FILE(int, fstat64, CALL_STATUS, (int file, struct stat64 *status), file, status)
ON_PATH(int, stat, CALL_STATUS, (const char *path, struct stat *status), path, status)
ON_PATH(int, stat64, CALL_STATUS, (const char *path, struct stat64 *status), path, status)
ON_PATH(int, lstat, CALL_STATUS, (const char *path, struct stat *status), path, status)
ON_PATH(int, lstat64, CALL_STATUS, (const char *path, struct stat64 *status), path, status)
ON_FILE(int, flock, CALL_WHOLE_LOCK, (int file, int operation), file, operation)
ON_FILE(int, fsync, CALL_SYNC, (int file), file)
ON_FILE(int, fdatasync, CALL_SYNC, (int file), file)
ON_FILE(int, fchmod, CALL_MODE, (int file, mode_t mode), file, mode)
ON_FILE(int, fchown, CALL_MODE, (int file, uid_t user, gid_t group), file, user, group)
ON_PATH(int, access, CALL_ACCESS, (const char *path, int mode), path, mode)
ON_PATH(ssize_t, readlink, CALL_READ_LINK, (const char *path, char *text, size_t size), path,
        text, size)
ON_PATH(int, link, CALL_LINK, (const char *path, const char *name), path, name)
ON_PATH(int, rename, CALL_RENAME, (const char *path, const char *name), path, name)
ON_PATH(int, unlink, CALL_UNLINK, (const char *path), path)

int statx(int directory, const char *path, int flags, unsigned mask, struct statx *status) {
    REAL(statx);
    int is_watched = is_watched_path(path) || is_watched_file(directory);
    return is_watched && fails(CALL_STATUS) ? -1 : real(directory, path, flags, mask, status);
}

int renameat2(int old, const char *path, int directory, const char *name, unsigned flags) {
    REAL(renameat2);
    return path_fails(path, CALL_RENAME) ? -1 : real(old, path, directory, name, flags);
}

// Its own calls do not pass through here.
char *realpath(const char *path, char *resolved) {
    REAL(realpath);
    return path_fails(path, CALL_READ_LINK) ? NULL : real(path, resolved);
}

char *getcwd(char *path, size_t size) {
    REAL(getcwd);
    return atomic_load(&faults.is_armed) && fails(CALL_DIRECTORY) ? NULL : real(path, size);
}

#define MAP(name, offset_type) \
    void *name(void *place, size_t size, int protection, int flags, int file, offset_type offset) { \
        REAL(name); \
        if (file_fails(file, CALL_MAP)) return MAP_FAILED; \
        return real(place, size, protection, flags, file, offset); \
    }
MAP(mmap, off_t)
MAP(mmap64, off64_t)

#define CONTROL(name) \
    int name(int file, int command, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, command); \
        void *argument = va_arg(rest, void *); \
        va_end(rest); \
        /* Giving a lock up does not fail on a local disk, and SQLite relies on that. */ \
        int is_lock = command == F_GETLK || ((command == F_SETLK || command == F_SETLKW) \
            && ((struct flock *)argument)->l_type != F_UNLCK); \
        if (is_lock && file_fails(file, CALL_LOCK)) return -1; \
        int result = real(file, command, argument); \
        if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) watch(result, is_watched_file(file)); \
        return result; \
    }
CONTROL(fcntl)
CONTROL(fcntl64)
