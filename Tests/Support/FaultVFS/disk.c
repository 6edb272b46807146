// What a disk holds for certain after a number of changes, and the images that are possible then.
//
// The model: a sync of a file makes sure of everything written to it before it began; a sync of the
// directory makes sure of its names. Of the rest any part may be there, in sectors of 512 bytes, in
// any order; what is missing before the end of a file reads as zeros or as garbage.

#include "disk.h"

#include <stdlib.h>
#include <string.h>

enum { SECTOR = 512 };

/// The numbers of changes that are not certain, in order.
typedef struct {
    int64_t *events;
    int count, capacity;
} pending;

/// A file with what is certain.
typedef struct {
    contents synced;
    pending changes;
} disk_file;

struct fault_disk {
    fault_volume *volume;
    int64_t moment;
    int64_t promise;
    disk_file *files;
    int file_count;
    /// The directory with what is certain, by the numbers of the volume's entries.
    int *names;
    int name_count;
    pending name_changes;
};

static void append(pending *list, int64_t event) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 16;
        list->events = realloc(list->events, (size_t)list->capacity * sizeof(int64_t));
    }
    list->events[list->count++] = event;
}

void contents_write(contents *file, int64_t offset, const unsigned char *bytes, int64_t length) {
    int64_t end = offset + length;
    if (end > file->capacity) {
        file->capacity = end * 2;
        file->bytes = realloc(file->bytes, (size_t)file->capacity);
    }
    if (offset > file->size) memset(file->bytes + file->size, 0, (size_t)(offset - file->size));
    if (length > 0) memcpy(file->bytes + offset, bytes, (size_t)length);
    if (end > file->size) file->size = end;
}

void contents_truncate(contents *file, int64_t size) {
    if (size > file->size) contents_write(file, size, NULL, 0);
    file->size = size;
}

static void apply(contents *file, const event *change) {
    if (change->kind == EVENT_TRUNCATE)
        contents_truncate(file, change->offset);
    else
        contents_write(file, change->offset, change->bytes, change->length);
}

static int index_of_name(const fault_volume *volume, const char *name) {
    for (int i = 0; i < volume->entry_count; i++)
        if (strcmp(volume->entries[i].name, name) == 0) return i;
    abort();
}

static void apply_name(const fault_volume *volume, int *names, const event *change) {
    names[index_of_name(volume, (const char *)change->bytes)] =
        change->kind == EVENT_CREATE ? change->file : -1;
}

fault_disk *fault_disk_create(fault_volume *volume) {
    fault_disk *disk = calloc(1, sizeof *disk);
    disk->volume = volume;
    disk->file_count = volume->file_count;
    disk->files = calloc((size_t)volume->file_count + 1, sizeof(disk_file));
    disk->name_count = volume->entry_count;
    disk->names = malloc(((size_t)volume->entry_count + 1) * sizeof(int));
    for (int i = 0; i < disk->name_count; i++) disk->names[i] = -1;
    return disk;
}

void fault_disk_free(fault_disk *disk) {
    for (int i = 0; i < disk->file_count; i++) {
        free(disk->files[i].synced.bytes);
        free(disk->files[i].changes.events);
    }
    free(disk->files);
    free(disk->names);
    free(disk->name_changes.events);
    free(disk);
}

/// Makes sure of what was written to a file before a moment, or forgets it.
static void settle(fault_disk *disk, int number, int64_t start, bool is_written) {
    disk_file *file = &disk->files[number];
    int done = 0;
    while (done < file->changes.count && file->changes.events[done] < start) {
        if (is_written) apply(&file->synced, &disk->volume->events[file->changes.events[done]]);
        done++;
    }
    memmove(
        file->changes.events, file->changes.events + done, (size_t)(file->changes.count - done) * sizeof(int64_t));
    file->changes.count -= done;
}

void fault_disk_advance(fault_disk *disk, int64_t moment) {
    for (; disk->moment < moment && disk->moment < disk->volume->event_count; disk->moment++) {
        const event *next = &disk->volume->events[disk->moment];
        switch (next->kind) {
        case EVENT_WRITE:
        case EVENT_TRUNCATE: append(&disk->files[next->file].changes, disk->moment); break;
        case EVENT_SYNC: settle(disk, next->file, next->offset, true); break;
        case EVENT_LOSS: settle(disk, next->file, next->offset, false); break;
        case EVENT_CREATE:
        case EVENT_DELETE: append(&disk->name_changes, disk->moment); break;
        case EVENT_DIRECTORY_SYNC:
            for (int i = 0; i < disk->name_changes.count; i++)
                apply_name(disk->volume, disk->names, &disk->volume->events[disk->name_changes.events[i]]);
            disk->name_changes.count = 0;
            break;
        case EVENT_MARK:
            if (next->offset > disk->promise) disk->promise = next->offset;
            break;
        }
    }
}

int64_t fault_disk_promise(const fault_disk *disk) { return disk->promise; }

/// Which of the uncertain changes reach the disk.
enum survival { NONE, ALL, BEGINNING, SOME_CHANGES, SOME_SECTORS, SURVIVAL_COUNT };

/// Writes those sectors of a change that the dice let through.
static void apply_sectors(contents *file, const event *change, uint64_t *random) {
    bool is_garbage = next_random(random) & 1;
    int64_t end = change->offset + change->length;
    for (int64_t from = change->offset; from < end;) {
        int64_t to = (from / SECTOR + 1) * SECTOR;
        if (to > end) to = end;
        if (next_random(random) & 1) {
            contents_write(file, from, change->bytes + (from - change->offset), to - from);
        } else if (to > file->size && next_random(random) & 1) {
            // The file has grown already, but what was to be there is not.
            unsigned char lost[SECTOR];
            for (int i = 0; i < SECTOR; i++) lost[i] = is_garbage ? (unsigned char)next_random(random) : 0;
            int64_t start = from > file->size ? from : file->size;
            contents_write(file, start, lost, to - start);
        }
        from = to;
    }
}

static contents uncertain_contents(
    const fault_disk *disk, const disk_file *file, enum survival survival, uint64_t *random
) {
    contents result = {0};
    contents_write(&result, 0, file->synced.bytes, file->synced.size);
    int count = file->changes.count;
    int beginning = count == 0 ? 0 : (int)(next_random(random) % (uint64_t)(count + 1));
    for (int i = 0; i < count; i++) {
        const event *change = &disk->volume->events[file->changes.events[i]];
        bool is_torn = survival == SOME_SECTORS || (survival == BEGINNING && i == beginning);
        bool survives = survival == ALL || (survival == BEGINNING && i < beginning)
            || ((survival == SOME_CHANGES || is_torn) && (next_random(random) & 1));
        if (is_torn && change->kind == EVENT_WRITE)
            apply_sectors(&result, change, random);
        else if (survives)
            apply(&result, change);
    }
    return result;
}

/// Applies a beginning of the uncertain changes of names, or of those of each name.
static void apply_uncertain_names(const fault_disk *disk, int *names, uint64_t *random) {
    const pending *changes = &disk->name_changes;
    bool is_ordered = next_random(random) & 1;
    int beginning = (int)(next_random(random) % (uint64_t)(changes->count + 1));
    for (int name = 0; name < disk->name_count; name++) {
        int own = is_ordered ? beginning : (int)(next_random(random) % (uint64_t)(changes->count + 1));
        for (int i = 0; i < own; i++) {
            const event *change = &disk->volume->events[changes->events[i]];
            if (index_of_name(disk->volume, (const char *)change->bytes) == name)
                apply_name(disk->volume, names, change);
        }
    }
}

/// - `survival`: Of all files; `SURVIVAL_COUNT` if chance decides for each.
static fault_image *make_image(const fault_disk *disk, enum survival survival, uint64_t seed) {
    uint64_t random = seed;
    int *names = malloc(((size_t)disk->name_count + 1) * sizeof(int));
    memcpy(names, disk->names, (size_t)disk->name_count * sizeof(int));
    if (survival == SURVIVAL_COUNT)
        apply_uncertain_names(disk, names, &random);
    else if (survival == ALL)
        for (int i = 0; i < disk->name_changes.count; i++)
            apply_name(disk->volume, names, &disk->volume->events[disk->name_changes.events[i]]);
    fault_image *image = image_create(disk->name_count);
    for (int name = 0; name < disk->name_count; name++) {
        if (names[name] < 0) continue;
        enum survival own = survival == SURVIVAL_COUNT ? next_random(&random) % SURVIVAL_COUNT : survival;
        contents bytes = uncertain_contents(disk, &disk->files[names[name]], own, &random);
        image_add(image, disk->volume->entries[name].name, bytes);
    }
    free(names);
    return image;
}

fault_image *fault_disk_image(const fault_disk *disk, uint64_t seed) {
    return make_image(disk, SURVIVAL_COUNT, seed);
}

fault_image *fault_disk_extreme_image(const fault_disk *disk, bool survives) {
    return make_image(disk, survives ? ALL : NONE, 0);
}
