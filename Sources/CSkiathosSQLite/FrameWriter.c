#include "CSkiathosSQLite.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    wal_header_size = 32,
    frame_header_size = 24,
    // From here on another frame saves little.
    frame_limit = 16,
    // SQLite's own file system takes the length of a write modulo 131,072 (seekAndWriteFd in
    // sqlite.org/src/file/src/os_unix.c).
    write_limit = 131071,
};

/// Takes the place of the methods of a WAL's file, and joins the writes of frames that follow each other.
///
/// What waits belongs to a transaction that is not committed, or was rolled back. So it is never synced,
/// and no other connection reads it.
///
/// Guarded by the connection, in whose calls alone SQLite uses the file.
typedef struct {
    /// What SQLite calls. First, so that a pointer to it is one to the whole.
    sqlite3_io_methods methods;
    /// The methods of the file itself.
    const sqlite3_io_methods *base;
    int page_size;
    /// How many bytes may wait: whole frames.
    int capacity;
    /// Where the last write to the file has ended; -1 if that is not known.
    sqlite3_int64 end;
    /// Where the bytes belong that are not written yet.
    sqlite3_int64 start;
    /// How many there are: whole frames, and perhaps a header.
    int count;
    /// Whether the last header is that of a frame that ends a transaction.
    bool is_commit;
    unsigned char bytes[];
} frame_writer;

static frame_writer *writer_of(sqlite3_file *file) { return (frame_writer *)file->pMethods; }

static int write_through(
    frame_writer *self, sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset) {
    int code = self->base->xWrite(file, bytes, length, offset);
    self->end = code == SQLITE_OK ? offset + length : -1;
    return code;
}

/// Writes what waits, which goes on waiting if that fails: nothing may be published without it.
static int flush(frame_writer *self, sqlite3_file *file) {
    if (self->count == 0) return SQLITE_OK;
    int code = write_through(self, file, self->bytes, self->count, self->start);
    if (code == SQLITE_OK) self->count = 0;
    return code;
}

static void append(frame_writer *self, const void *bytes, int length) {
    memcpy(self->bytes + self->count, bytes, (size_t)length);
    self->count += length;
}

static void append_header(frame_writer *self, const unsigned char *bytes) {
    append(self, bytes, frame_header_size);
    // The size of the database after a transaction, else zero (sqlite.org/fileformat2.html, 4.1).
    self->is_commit = (bytes[4] | bytes[5] | bytes[6] | bytes[7]) != 0;
}

static int file_write(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset) {
    frame_writer *self = writer_of(file);
    int frame_size = frame_header_size + self->page_size;
    if (self->count > 0) {
        sqlite3_int64 at = offset - self->start;
        bool expects_page = self->count % frame_size != 0;
        if (at == self->count && length == (expects_page ? self->page_size : frame_header_size)) {
            if (!expects_page) {
                append_header(self, bytes);
                return SQLITE_OK;
            }
            append(self, bytes, length);
            // SQLite publishes a commit after this call.
            bool is_full = self->count == self->capacity;
            return self->is_commit || is_full ? flush(self, file) : SQLITE_OK;
        }
        if (length == self->page_size && at >= 0 && at + length <= self->count) {
            // A page has changed again before the commit.
            memcpy(self->bytes + at, bytes, (size_t)length);
            return SQLITE_OK;
        }
        if (length != self->page_size && at < self->count) {
            // What was to follow was rolled back: headers of earlier frames are written again only after a
            // commit, when nothing waits.
            self->count = at > 0 ? (int)(at - at % frame_size) : 0;
        }
        int code = flush(self, file);
        if (code != SQLITE_OK) return code;
    }
    // Only what is appended may wait.
    if (length == frame_header_size && offset == self->end && offset >= wal_header_size) {
        self->start = offset;
        append_header(self, bytes);
        return SQLITE_OK;
    }
    return write_through(self, file, bytes, length, offset);
}

static int file_read(sqlite3_file *file, void *bytes, int length, sqlite3_int64 offset) {
    frame_writer *self = writer_of(file);
    if (self->count > 0) {
        sqlite3_int64 at = offset - self->start;
        if (at >= 0 && at + length <= self->count) {
            memcpy(bytes, self->bytes + at, (size_t)length);
            return SQLITE_OK;
        }
        if (at + length > 0) {
            int code = flush(self, file);
            if (code != SQLITE_OK) return code;
        }
    }
    return self->base->xRead(file, bytes, length, offset);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    frame_writer *self = writer_of(file);
    int code = self->base->xFileSize(file, size);
    if (code == SQLITE_OK && self->count > 0 && *size < self->start + self->count)
        *size = self->start + self->count;
    return code;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    frame_writer *self = writer_of(file);
    // Called between transactions, when at most frames wait that were rolled back.
    self->count = 0;
    self->end = -1;
    return self->base->xTruncate(file, size);
}

static int file_close(sqlite3_file *file) {
    frame_writer *self = writer_of(file);
    // What waits was not committed.
    file->pMethods = self->base;
    free(self);
    return file->pMethods->xClose(file);
}

int skiathos_join_frame_writes(struct sqlite3 *connection, int page_size) {
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (file == NULL || file->pMethods == NULL) return SQLITE_NOTFOUND;
    int frame_size = frame_header_size + page_size;
    int frames = write_limit / frame_size;
    int capacity = (frames < frame_limit ? frames : frame_limit) * frame_size;
    frame_writer *self = malloc(sizeof *self + (size_t)capacity);
    if (self == NULL) return SQLITE_NOMEM;
    const sqlite3_io_methods *base = file->pMethods;
    // Each version has more methods, and an older table ends before them. Newer ones are left out.
    memset(self, 0, sizeof *self);
    size_t known = base->iVersion < 2   ? offsetof(sqlite3_io_methods, xShmMap)
                   : base->iVersion < 3 ? offsetof(sqlite3_io_methods, xFetch)
                                        : sizeof *base;
    memcpy(&self->methods, base, known);
    if (base->iVersion > 3) self->methods.iVersion = 3;
    self->base = base;
    self->page_size = page_size;
    self->capacity = capacity;
    self->end = -1;
    self->methods.xWrite = file_write;
    self->methods.xRead = file_read;
    self->methods.xFileSize = file_size;
    self->methods.xTruncate = file_truncate;
    self->methods.xClose = file_close;
    file->pMethods = &self->methods;
    return SQLITE_OK;
}
