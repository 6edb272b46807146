// Volumes: which directories are watched, what happened there, and what is to fail.

#include "volume.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// Guards the list.
static pthread_mutex_t volumes_lock = PTHREAD_MUTEX_INITIALIZER;
static fault_volume *volumes;

fault_volume *volume_of(const char *path) {
    if (path == NULL) return NULL;
    pthread_mutex_lock(&volumes_lock);
    fault_volume *found = volumes;
    while (found && strncmp(path, found->directory, strlen(found->directory)) != 0) found = found->next;
    pthread_mutex_unlock(&volumes_lock);
    return found;
}

const char *name_in(const fault_volume *volume, const char *path) {
    return path + strlen(volume->directory);
}

entry *entry_of(fault_volume *volume, const char *name) {
    for (int i = 0; i < volume->entry_count; i++)
        if (strcmp(volume->entries[i].name, name) == 0) return &volume->entries[i];
    volume->entries = realloc(volume->entries, (size_t)(volume->entry_count + 1) * sizeof(entry));
    entry *made = &volume->entries[volume->entry_count++];
    *made = (entry){.name = strdup(name), .file = -1};
    return made;
}

void note(
    fault_volume *volume, enum event_kind kind, int file, int64_t offset, const void *bytes, int64_t length
) {
    if (!volume->is_recording) return;
    if (volume->event_count == volume->event_capacity) {
        volume->event_capacity = volume->event_capacity ? volume->event_capacity * 2 : 256;
        volume->events = realloc(volume->events, (size_t)volume->event_capacity * sizeof(event));
    }
    unsigned char *copy = NULL;
    if (bytes) {
        copy = malloc((size_t)length + 1);
        memcpy(copy, bytes, (size_t)length);
        copy[length] = 0;
    }
    volume->events[volume->event_count++] = (event){kind, file, offset, length, copy};
}

int begin_operation(fault_volume *volume, enum fault_operation operation, int kind, bool *is_partial) {
    pthread_mutex_lock(&volume->lock);
    fault_hook hook = volume->hook;
    void *context = volume->hook_context;
    pthread_mutex_unlock(&volume->lock);
    // Without the lock, since it may wait for other operations.
    if (hook) hook(context, operation, kind);

    int result = SQLITE_OK;
    pthread_mutex_lock(&volume->lock);
    volume->counts[operation][kind]++;
    fault_plan *plan = &volume->plan;
    if (volume->has_plan && plan->operation == operation && (plan->files & kind)) {
        if (plan->after > 0) {
            plan->after--;
        } else if (plan->times != 0) {
            if (plan->times > 0) plan->times--;
            volume->failures++;
            result = plan->result;
            if (is_partial) *is_partial = plan->is_partial;
        }
    }
    pthread_mutex_unlock(&volume->lock);
    return result;
}

/// Takes over what is in the directory as synced.
static void load(fault_volume *volume) {
    DIR *directory = opendir(volume->directory);
    struct dirent *item;
    while (directory && (item = readdir(directory))) {
        char path[4096];
        struct stat status;
        snprintf(path, sizeof path, "%s%s", volume->directory, item->d_name);
        if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) continue;
        entry *found = entry_of(volume, item->d_name);
        found->file = volume->file_count++;
        found->size = status.st_size;
        note(volume, EVENT_CREATE, found->file, 0, item->d_name, (int64_t)strlen(item->d_name));
        FILE *stream = fopen(path, "rb");
        unsigned char *bytes = malloc((size_t)status.st_size + 1);
        size_t length = stream ? fread(bytes, 1, (size_t)status.st_size, stream) : 0;
        note(volume, EVENT_WRITE, found->file, 0, bytes, (int64_t)length);
        note(volume, EVENT_SYNC, found->file, volume->event_count, NULL, 0);
        free(bytes);
        if (stream) fclose(stream);
    }
    if (directory) closedir(directory);
    note(volume, EVENT_DIRECTORY_SYNC, -1, 0, NULL, 0);
}

fault_volume *fault_volume_create(const char *directory) {
    char *resolved = realpath(directory, NULL);
    if (resolved == NULL) return NULL;
    fault_volume *volume = calloc(1, sizeof *volume);
    size_t length = strlen(resolved);
    volume->directory = malloc(length + 2);
    snprintf(volume->directory, length + 2, "%s/", resolved);
    free(resolved);
    pthread_mutex_init(&volume->lock, NULL);
    volume->users = 1;
    volume->is_recording = true;
    volume->limit = -1;
    load(volume);
    pthread_mutex_lock(&volumes_lock);
    volume->next = volumes;
    volumes = volume;
    pthread_mutex_unlock(&volumes_lock);
    return volume;
}

void volume_retain(fault_volume *volume) {
    pthread_mutex_lock(&volumes_lock);
    volume->users++;
    pthread_mutex_unlock(&volumes_lock);
}

void volume_release(fault_volume *volume) {
    pthread_mutex_lock(&volumes_lock);
    int users = --volume->users;
    pthread_mutex_unlock(&volumes_lock);
    if (users > 0) return;
    for (int64_t i = 0; i < volume->event_count; i++) free(volume->events[i].bytes);
    for (int i = 0; i < volume->entry_count; i++) free(volume->entries[i].name);
    free(volume->events);
    free(volume->entries);
    free(volume->directory);
    pthread_mutex_destroy(&volume->lock);
    free(volume);
}

void fault_volume_free(fault_volume *volume) {
    pthread_mutex_lock(&volumes_lock);
    for (fault_volume **link = &volumes; *link; link = &(*link)->next)
        if (*link == volume) {
            *link = volume->next;
            break;
        }
    pthread_mutex_unlock(&volumes_lock);
    // A test that was cancelled may leave a store that is still being closed.
    pthread_mutex_lock(&volume->lock);
    volume->is_recording = false;
    volume->has_plan = false;
    volume->limit = -1;
    volume->hook = NULL;
    pthread_mutex_unlock(&volume->lock);
    volume_release(volume);
}

#define LOCKED(statement)                     \
    do {                                      \
        pthread_mutex_lock(&volume->lock);    \
        statement;                            \
        pthread_mutex_unlock(&volume->lock);  \
    } while (0)

void fault_volume_record(fault_volume *volume, bool is_recording) {
    LOCKED(volume->is_recording = is_recording);
}

void fault_volume_lie(fault_volume *volume, int lies) { LOCKED(volume->lies = lies); }

void fault_volume_fail(fault_volume *volume, const fault_plan *plan) {
    LOCKED(volume->has_plan = plan != NULL; if (plan) volume->plan = *plan);
}

void fault_volume_limit(fault_volume *volume, int64_t bytes) { LOCKED(volume->limit = bytes); }

void fault_volume_set_hook(fault_volume *volume, fault_hook hook, void *context) {
    LOCKED(volume->hook = hook; volume->hook_context = context);
}

int64_t fault_volume_count(fault_volume *volume, enum fault_operation operation, int files) {
    int64_t sum = 0;
    LOCKED(for (int kind = 1; kind <= FAULT_RESERVE; kind <<= 1) if (files & kind) sum +=
           volume->counts[operation][kind]);
    return sum;
}

int64_t fault_volume_failures(fault_volume *volume) {
    int64_t failures;
    LOCKED(failures = volume->failures);
    return failures;
}

void fault_volume_mark(fault_volume *volume, int64_t promise) {
    LOCKED(note(volume, EVENT_MARK, -1, promise, NULL, 0));
}

int64_t fault_volume_length(fault_volume *volume) {
    int64_t length;
    LOCKED(length = volume->event_count);
    return length;
}
