// Images: the files that a loss of power leaves, and a look at them through SQLite without a disk.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk.h"

typedef struct {
    char *name;
    contents bytes;
} image_file;

struct fault_image {
    image_file *files;
    int count, capacity;
};

fault_image *image_create(int capacity) {
    fault_image *image = calloc(1, sizeof *image);
    image->files = calloc((size_t)capacity + 1, sizeof(image_file));
    image->capacity = capacity;
    return image;
}

void image_add(fault_image *image, const char *name, contents bytes) {
    if (image->count == image->capacity) {
        image->capacity = image->capacity * 2 + 1;
        image->files = realloc(image->files, (size_t)image->capacity * sizeof(image_file));
    }
    image->files[image->count++] = (image_file){strdup(name), bytes};
}

void fault_image_free(fault_image *image) {
    for (int i = 0; i < image->count; i++) {
        free(image->files[i].name);
        free(image->files[i].bytes.bytes);
    }
    free(image->files);
    free(image);
}

static image_file *find(const fault_image *image, const char *name) {
    for (int i = 0; i < image->count; i++)
        if (strcmp(image->files[i].name, name) == 0) return &image->files[i];
    return NULL;
}

bool fault_image_has(const fault_image *image, const char *name) { return find(image, name) != NULL; }

bool fault_image_write(const fault_image *image, const char *directory) {
    for (int i = 0; i < image->count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", directory, image->files[i].name);
        FILE *stream = fopen(path, "wb");
        if (stream == NULL) return false;
        size_t size = (size_t)image->files[i].bytes.size;
        bool is_written = fwrite(image->files[i].bytes.bytes, 1, size, stream) == size;
        if (fclose(stream) != 0 || !is_written) return false;
    }
    return true;
}

// A file system of the files of one image.

/// The copy of an image that a query of this thread works on.
static _Thread_local fault_image *current;

typedef struct {
    sqlite3_file base;
    char *name;
} memory_file;

static contents *bytes_of(sqlite3_file *file) {
    image_file *found = find(current, ((memory_file *)file)->name);
    return found ? &found->bytes : NULL;
}

static int memory_close(sqlite3_file *file) {
    free(((memory_file *)file)->name);
    return SQLITE_OK;
}

static int memory_read(sqlite3_file *file, void *bytes, int length, sqlite3_int64 offset) {
    contents *own = bytes_of(file);
    int64_t there = own == NULL || offset >= own->size ? 0 : own->size - offset;
    if (there > length) there = length;
    if (there > 0) memcpy(bytes, own->bytes + offset, (size_t)there);
    memset((char *)bytes + there, 0, (size_t)(length - there));
    return there == length ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int memory_write(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset) {
    contents *own = bytes_of(file);
    if (own) contents_write(own, offset, bytes, length);
    return SQLITE_OK;
}

static int memory_truncate(sqlite3_file *file, sqlite3_int64 size) {
    contents *own = bytes_of(file);
    if (own) contents_truncate(own, size);
    return SQLITE_OK;
}

static int memory_size(sqlite3_file *file, sqlite3_int64 *size) {
    contents *own = bytes_of(file);
    *size = own ? own->size : 0;
    return SQLITE_OK;
}

static int memory_sync(sqlite3_file *file, int flags) { return (void)file, (void)flags, SQLITE_OK; }

static int memory_lock(sqlite3_file *file, int level) { return (void)file, (void)level, SQLITE_OK; }

static int memory_is_reserved(sqlite3_file *file, int *result) {
    (void)file;
    *result = 0;
    return SQLITE_OK;
}

static int memory_control(sqlite3_file *file, int operation, void *argument) {
    return (void)file, (void)operation, (void)argument, SQLITE_NOTFOUND;
}

static int memory_sector_size(sqlite3_file *file) { return (void)file, 512; }

static int memory_characteristics(sqlite3_file *file) { return (void)file, SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

// Without shared memory: a WAL is read in exclusive mode.
static const sqlite3_io_methods memory_methods = {
    .iVersion = 1,
    .xClose = memory_close,
    .xRead = memory_read,
    .xWrite = memory_write,
    .xTruncate = memory_truncate,
    .xSync = memory_sync,
    .xFileSize = memory_size,
    .xLock = memory_lock,
    .xUnlock = memory_lock,
    .xCheckReservedLock = memory_is_reserved,
    .xFileControl = memory_control,
    .xSectorSize = memory_sector_size,
    .xDeviceCharacteristics = memory_characteristics,
};

static int image_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
    (void)vfs;
    memset(file, 0, sizeof(memory_file));
    if (name == NULL) return SQLITE_CANTOPEN;
    if (find(current, name) == NULL) {
        if (!(flags & SQLITE_OPEN_CREATE)) return SQLITE_CANTOPEN;
        image_add(current, name, (contents){0});
    }
    ((memory_file *)file)->name = strdup(name);
    file->pMethods = &memory_methods;
    if (out_flags) *out_flags = flags;
    return SQLITE_OK;
}

static int image_delete(sqlite3_vfs *vfs, const char *name, int syncs_directory) {
    (void)vfs, (void)syncs_directory;
    image_file *found = find(current, name);
    if (found == NULL) return SQLITE_IOERR_DELETE_NOENT;
    free(found->name);
    free(found->bytes.bytes);
    *found = current->files[--current->count];
    return SQLITE_OK;
}

static int image_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
    (void)vfs, (void)flags;
    *result = find(current, name) != NULL;
    return SQLITE_OK;
}

static int image_path(sqlite3_vfs *vfs, const char *name, int size, char *path) {
    (void)vfs;
    snprintf(path, (size_t)size, "%s", name);
    return SQLITE_OK;
}

static sqlite3_vfs image_vfs;

static void install(void) {
    // Time and chance are SQLite's own.
    image_vfs = *sqlite3_vfs_find("unix");
    image_vfs.zName = "skiathos-image";
    image_vfs.szOsFile = sizeof(memory_file);
    image_vfs.xOpen = image_open;
    image_vfs.xDelete = image_delete;
    image_vfs.xAccess = image_access;
    image_vfs.xFullPathname = image_path;
    image_vfs.pNext = NULL;
    sqlite3_vfs_register(&image_vfs, 0);
}

static fault_image *copy_of(const fault_image *image) {
    fault_image *copy = image_create(image->count + 4);
    for (int i = 0; i < image->count; i++) {
        contents bytes = {0};
        contents_write(&bytes, 0, image->files[i].bytes.bytes, image->files[i].bytes.size);
        image_add(copy, image->files[i].name, bytes);
    }
    return copy;
}

static int add_line(void *text, int count, char **values, char **names) {
    (void)names;
    sqlite3_str_appendf(text, "%s\n", count > 0 && values[0] ? values[0] : "");
    return SQLITE_OK;
}

int fault_image_query(const fault_image *image, const char *name, const char *sql, char **text) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    current = copy_of(image);
    sqlite3 *connection = NULL;
    sqlite3_str *lines = sqlite3_str_new(NULL);
    int result = sqlite3_open_v2(name, &connection, SQLITE_OPEN_READWRITE, "skiathos-image");
    if (result == SQLITE_OK)
        result = sqlite3_exec(connection, "PRAGMA locking_mode = EXCLUSIVE", NULL, NULL, NULL);
    if (result == SQLITE_OK) result = sqlite3_exec(connection, sql, add_line, lines, NULL);
    char *all = sqlite3_str_finish(lines);
    *text = strdup(result == SQLITE_OK ? (all ? all : "") : sqlite3_errmsg(connection));
    sqlite3_free(all);
    sqlite3_close(connection);
    fault_image_free(current);
    current = NULL;
    return result;
}
