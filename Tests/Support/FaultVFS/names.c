// Changes of names that are made past SQLite, by calls of the system: of a backup that is given its
// name, for instance. In a program that this file is linked into, they come through here.

#if defined(__linux__)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "volume.h"

/// Threads that come here at the same time find the same function.
#define REAL(name) \
    static _Atomic(void *) known; \
    void *found = atomic_load_explicit(&known, memory_order_acquire); \
    if (!found) atomic_store_explicit(&known, found = dlsym(RTLD_NEXT, #name), memory_order_release); \
    __typeof__(name) *real = (__typeof__(name) *)found

/// Notes that a name stands for a file from now on. The volume must be locked.
static void note_name(fault_volume *volume, const char *name, int file, int64_t size) {
    entry *made = entry_of(volume, name);
    made->file = file;
    made->size = size;
    note(volume, EVENT_CREATE, file, 0, name, (int64_t)strlen(name));
}

/// Notes that a name stands for nothing any more, unless SQLite's deletion has. The volume must be
/// locked.
static void note_removal(fault_volume *volume, const char *name) {
    entry *found = entry_of(volume, name);
    if (found->file < 0) return;
    note(volume, EVENT_DELETE, found->file, 0, name, (int64_t)strlen(name));
    found->file = -1;
    found->size = 0;
}

/// Gives a file of a volume another name, or one more; the call has succeeded.
static void note_move(const char *path, const char *name, int is_link) {
    fault_volume *volume = volume_of(path);
    if (volume == NULL || volume_of(name) != volume) return;
    pthread_mutex_lock(&volume->lock);
    entry old = *entry_of(volume, name_in(volume, path));
    if (old.file >= 0) {
        // One change, so that there is no moment without a file under the new name.
        note_name(volume, name_in(volume, name), old.file, old.size);
        if (!is_link) note_removal(volume, name_in(volume, path));
    }
    pthread_mutex_unlock(&volume->lock);
}

int rename(const char *path, const char *name) {
    REAL(rename);
    int result = real(path, name);
    if (result == 0) note_move(path, name, 0);
    return result;
}

// The package calls it with whole paths.
int renameat2(int from, const char *path, int to, const char *name, unsigned flags) {
    REAL(renameat2);
    int result = real(from, path, to, name, flags);
    if (result == 0) note_move(path, name, 0);
    return result;
}

int link(const char *path, const char *name) {
    REAL(link);
    int result = real(path, name);
    if (result == 0) note_move(path, name, 1);
    return result;
}

int unlink(const char *path) {
    REAL(unlink);
    int result = real(path);
    fault_volume *volume = result == 0 ? volume_of(path) : NULL;
    if (volume) {
        pthread_mutex_lock(&volume->lock);
        note_removal(volume, name_in(volume, path));
        pthread_mutex_unlock(&volume->lock);
    }
    return result;
}

/// The volume whose directory a descriptor is open for, or `NULL`.
static fault_volume *volume_of_directory(int descriptor) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 2);
    if (length <= 0) return NULL;
    memcpy(path + length, "/", 2);
    fault_volume *volume = volume_of(path);
    return volume && name_in(volume, path)[0] == 0 ? volume : NULL;
}

int fsync(int descriptor) {
    REAL(fsync);
    fault_volume *volume = volume_of_directory(descriptor);
    if (volume == NULL) return real(descriptor);
    pthread_mutex_lock(&volume->lock);
    if (!(volume->lies & FAULT_LIE_DIRECTORY_SYNC)) note(volume, EVENT_DIRECTORY_SYNC, -1, 0, NULL, 0);
    pthread_mutex_unlock(&volume->lock);
    return 0;
}

#endif
