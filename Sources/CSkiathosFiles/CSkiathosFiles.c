#define _GNU_SOURCE

#include "CSkiathosFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

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
