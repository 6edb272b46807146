#define _GNU_SOURCE

#include "CSkiathosFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#if defined(__linux__)
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>
#endif

int skiathos_identify_file(const char *path, bool with_time, skiathos_file_identity *identity) {
    identity->modified = 0;
#ifdef STATX_INO
    struct statx status;
    unsigned mask = STATX_TYPE | STATX_INO | STATX_SIZE | (with_time ? STATX_MTIME : 0);
    if (statx(AT_FDCWD, path, 0, mask, &status) == 0) {
        if (with_time) {
            identity->modified =
                (int64_t)status.stx_mtime.tv_sec * 1000000000 + status.stx_mtime.tv_nsec;
        }
        identity->device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
        identity->inode = status.stx_ino;
        identity->size = (int64_t)status.stx_size;
        return 0;
    }
#else
    struct stat status;
    if (stat(path, &status) == 0) {
#ifdef __APPLE__
        struct timespec modified = status.st_mtimespec;
#else
        struct timespec modified = status.st_mtim;
#endif
        if (with_time) identity->modified = (int64_t)modified.tv_sec * 1000000000 + modified.tv_nsec;
        identity->device = (uint64_t)status.st_dev;
        identity->inode = (uint64_t)status.st_ino;
        identity->size = (int64_t)status.st_size;
        return 0;
    }
#endif
    return errno;
}

int skiathos_open_for_writeback(const char *path) {
#if defined(__linux__)
    return open(path, O_RDONLY | O_CLOEXEC);
#else
    (void)path;
    return -1;
#endif
}

bool skiathos_begin_writeback(int descriptor) {
#if defined(__linux__)
    // From the beginning to the end of the file.
    return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE) == 0;
#else
    (void)descriptor;
    return false;
#endif
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

#if defined(__linux__)
/// Whether a file system is one on which every write to a file is made by this kernel, which so tells of
/// all of them (the numbers of linux/magic.h and of the file systems themselves).
static bool tells_of_all_writes(const char *path) {
    struct statfs status;
    if (statfs(path, &status) != 0) return false;
    switch ((uint32_t)status.f_type) {
    case 0xEF53:     // ext2, ext3, ext4
    case 0x58465342: // XFS
    case 0x9123683E: // Btrfs
    case 0x01021994: // tmpfs
    case 0xF2F52010: // F2FS
    case 0x2FC12FC1: // ZFS
    case 0xCA451A4E: // bcachefs
    case 0x794C7630: // overlayfs
        return true;
    default:
        return false;
    }
}
#endif

int skiathos_open_write_watch(void) {
#if defined(__linux__)
    return inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
#else
    return -1;
#endif
}

bool skiathos_watch_writes(int watch, const char *path) {
#if defined(__linux__)
    return tells_of_all_writes(path)
        && inotify_add_watch(watch, path, IN_MODIFY | IN_MOVE_SELF | IN_DELETE_SELF) >= 0;
#else
    (void)watch;
    (void)path;
    return false;
#endif
}

skiathos_writes skiathos_take_writes(int watch) {
    skiathos_writes writes = {false, false};
#if defined(__linux__)
    _Alignas(struct inotify_event) char buffer[4096];
    for (;;) {
        ssize_t count = read(watch, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return writes;
        for (ssize_t at = 0; at < count;) {
            const struct inotify_event *event = (const void *)(buffer + at);
            // Also if there were more than the system keeps.
            writes.any = true;
            if (!(event->mask & IN_MODIFY)) writes.is_other_file = true;
            at += (ssize_t)sizeof *event + event->len;
        }
    }
#else
    (void)watch;
    return writes;
#endif
}
