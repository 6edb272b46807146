#define _GNU_SOURCE

#include "CSkiathosFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

int skiathos_identify_file(const char *path, skiathos_file_identity *identity) {
#ifdef STATX_INO
    struct statx status;
    if (statx(AT_FDCWD, path, 0, STATX_TYPE | STATX_INO | STATX_SIZE, &status) == 0) {
        identity->device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
        identity->inode = status.stx_ino;
        identity->size = (int64_t)status.stx_size;
        return 0;
    }
#else
    struct stat status;
    if (stat(path, &status) == 0) {
        identity->device = (uint64_t)status.st_dev;
        identity->inode = (uint64_t)status.st_ino;
        identity->size = (int64_t)status.st_size;
        return 0;
    }
#endif
    return errno;
}

int skiathos_rename_exclusively(const char *from, const char *to) {
#if defined(__APPLE__)
    return renamex_np(from, to, RENAME_EXCL) == 0 ? 0 : errno;
#elif defined(__GLIBC__)
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0 ? 0 : errno;
#elif defined(SYS_renameat2)
    // Not every C library has a function for it.
    const unsigned no_replace = 1;
    return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, no_replace) == 0 ? 0 : errno;
#else
    (void)from;
    (void)to;
    return ENOSYS;
#endif
}

int64_t skiathos_free_space(const char *path) {
    struct statvfs status;
    if (statvfs(path, &status) != 0) return -1;
    uint64_t unit = status.f_frsize ? status.f_frsize : status.f_bsize;
    // Some file systems of programs say nothing of what they have.
    if (unit == 0 || status.f_blocks == 0) return -1;
    uint64_t limit = (uint64_t)INT64_MAX / unit;
    uint64_t count = status.f_bavail < limit ? status.f_bavail : limit;
    return (int64_t)(count * unit);
}
