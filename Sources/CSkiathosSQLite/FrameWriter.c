#include "CSkiathosSQLite.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The format of a WAL: sqlite.org/fileformat2.html, 4.1 and 4.2.
enum {
    wal_header_size = 32,
    frame_header_size = 24,
    // In the header of the WAL.
    wal_salts_offset = 16,
    wal_checksum_offset = 24,
    // In the header of a frame.
    salts_offset = 8,
    checksum_offset = 16,
    salts_size = 8,
    checksum_size = 8,

    // From here on another frame saves little.
    frame_limit = 16,
    // SQLite's own file system takes the length of a write modulo 131,072 (seekAndWriteFd in
    // sqlite.org/src/file/src/os_unix.c).
    write_limit = 131071,
};

/// Takes the place of the methods of a WAL's file: joins the writes of frames that follow each other, and
/// gives frames the checksums that SQLite omits.
///
/// What waits belongs to a transaction that is not committed, or was rolled back. So it is never synced,
/// and no other connection reads it.
///
/// SQLite writes a page a second time into the frame that the transaction already has for it. From then on it
/// leaves salts and checksums out, and writes those of all frames from that one on with the commit. It does
/// not know that a savepoint before that frame was rolled back (sqlite3WalSavepointUndo and
/// walRewriteChecksums in sqlite.org/src/file/src/wal.c): new frames then begin earlier, and those up to the
/// old place stay without. Recovery would end there and lose this commit and all that follow. They get theirs
/// here, before they are written.
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
    /// The first frame whose page was written a second time by this transaction; 0 for none.
    sqlite3_int64 rewritten;
    /// The frame with which a transaction ended before `rewritten`, and its checksum; 0 for none.
    sqlite3_int64 early_commit;
    unsigned char early_checksum[checksum_size];
    /// Where the bytes belong that are not written yet.
    sqlite3_int64 start;
    /// How many there are: whole frames, and perhaps a header.
    int count;
    unsigned char bytes[];
} frame_writer;

static frame_writer *writer_of(sqlite3_file *file) { return (frame_writer *)file->pMethods; }

static int frame_size_of(const frame_writer *self) { return frame_header_size + self->page_size; }

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

/// Reads bytes, those that wait included.
static int file_read(sqlite3_file *file, void *bytes, int length, sqlite3_int64 offset) {
    frame_writer *self = writer_of(file);
    sqlite3_int64 before_rewritten = self->rewritten - frame_size_of(self);
    if (self->early_commit != 0 && length == checksum_size
        && offset == before_rewritten + checksum_offset && before_rewritten > self->early_commit) {
        // SQLite looks for the checksum before the frame that was rolled back, with which it goes on.
        memcpy(bytes, self->early_checksum, checksum_size);
        return SQLITE_OK;
    }
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

static uint32_t big_endian(const unsigned char *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void put_big_endian(unsigned char *bytes, uint32_t number) {
    for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(number >> (24 - 8 * i));
}

/// Adds bytes to a checksum; their words are in the byte order that the header of the WAL names.
static void add(uint32_t sum[2], const unsigned char *bytes, int length, bool is_big_endian) {
    for (int i = 0; i < length; i += 8) {
        uint32_t words[2];
        for (int k = 0; k < 2; k++) {
            uint32_t word = big_endian(bytes + i + 4 * k);
            words[k] = is_big_endian ? word : __builtin_bswap32(word);
        }
        sum[0] += words[0] + sum[1];
        sum[1] += words[1] + sum[0];
    }
}

/// Gives the last frame that waits its salts and its checksum.
static int seal_last_frame(frame_writer *self, sqlite3_file *file) {
    int size = frame_size_of(self);
    unsigned char *frame = self->bytes + self->count - size;
    sqlite3_int64 offset = self->start + self->count - size;
    unsigned char header[wal_header_size], before[checksum_size];
    int code = file_read(file, header, wal_header_size, 0);
    if (code != SQLITE_OK) return code;
    bool is_first = offset == wal_header_size;
    sqlite3_int64 place = is_first ? wal_checksum_offset : offset - size + checksum_offset;
    code = file_read(file, before, checksum_size, place);
    if (code != SQLITE_OK) return code;

    uint32_t sum[2] = {big_endian(before), big_endian(before + 4)};
    bool is_big_endian = header[3] & 1;
    add(sum, frame, salts_offset, is_big_endian);
    add(sum, frame + frame_header_size, self->page_size, is_big_endian);
    memcpy(frame + salts_offset, header + wal_salts_offset, salts_size);
    put_big_endian(frame + checksum_offset, sum[0]);
    put_big_endian(frame + checksum_offset + 4, sum[1]);
    return SQLITE_OK;
}

/// Whether the header of a frame has neither salts nor a checksum.
static bool is_unsealed(const unsigned char *header) {
    static const unsigned char none[salts_size + checksum_size];
    return memcmp(header + salts_offset, none, sizeof none) == 0;
}

/// Whether the header is that of a frame that ends a transaction: it has the size of the database then.
static bool is_commit(const unsigned char *header) { return big_endian(header + 4) != 0; }

static void append(frame_writer *self, const void *bytes, int length) {
    memcpy(self->bytes + self->count, bytes, (size_t)length);
    self->count += length;
}

static int append_page(frame_writer *self, sqlite3_file *file, const void *bytes) {
    append(self, bytes, self->page_size);
    unsigned char *frame = self->bytes + self->count - frame_size_of(self);
    sqlite3_int64 offset = self->start + self->count - frame_size_of(self);
    bool ends = is_commit(frame);
    if (offset < self->rewritten && is_unsealed(frame)) {
        int code = seal_last_frame(self, file);
        if (code != SQLITE_OK) return code;
        if (ends) {
            self->early_commit = offset;
            memcpy(self->early_checksum, frame + checksum_offset, checksum_size);
        }
    }
    // SQLite publishes a commit after this call.
    return ends || self->count == self->capacity ? flush(self, file) : SQLITE_OK;
}

static int write_header(
    frame_writer *self, sqlite3_file *file, const void *bytes, sqlite3_int64 offset) {
    if (self->count > 0 && offset < self->start + self->count) {
        // What was to follow was rolled back: headers of earlier frames are written again only after a
        // commit, when nothing waits.
        sqlite3_int64 at = offset - self->start;
        self->count = at > 0 ? (int)(at - at % frame_size_of(self)) : 0;
    }
    bool follows = self->count > 0 && offset == self->start + self->count;
    if (!follows) {
        int code = flush(self, file);
        if (code != SQLITE_OK) return code;
    }
    self->early_commit = 0;
    bool is_sealed = !is_unsealed(bytes);
    if (is_sealed) self->rewritten = 0;
    // Other headers may be those of frames that are there.
    if (!follows && is_sealed && offset != self->end) {
        return write_through(self, file, bytes, frame_header_size, offset);
    }
    if (!follows) self->start = offset;
    append(self, bytes, frame_header_size);
    return SQLITE_OK;
}

static int write_page(
    frame_writer *self, sqlite3_file *file, const void *bytes, sqlite3_int64 offset) {
    sqlite3_int64 at = offset - self->start;
    if (self->count % frame_size_of(self) != 0 && at == self->count)
        return append_page(self, file, bytes);
    if (self->count > 0 || offset != self->end) {
        sqlite3_int64 frame = offset - frame_header_size;
        if (self->rewritten == 0 || frame < self->rewritten) self->rewritten = frame;
    }
    if (at >= 0 && at + self->page_size <= self->count) {
        memcpy(self->bytes + at, bytes, (size_t)self->page_size);
        return SQLITE_OK;
    }
    int code = flush(self, file);
    return code == SQLITE_OK ? write_through(self, file, bytes, self->page_size, offset) : code;
}

static int file_write(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset) {
    frame_writer *self = writer_of(file);
    if (length == self->page_size) return write_page(self, file, bytes, offset);
    if (length == frame_header_size && offset >= wal_header_size)
        return write_header(self, file, bytes, offset);
    // The header of a WAL that begins anew, before which everything was checkpointed.
    if (offset == 0) self->count = 0;
    int code = flush(self, file);
    return code == SQLITE_OK ? write_through(self, file, bytes, length, offset) : code;
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

int skiathos_frames_of_one_write(int page_size) {
    int frames = write_limit / (frame_header_size + page_size);
    return frames < frame_limit ? frames : frame_limit;
}

int skiathos_join_frame_writes(struct sqlite3 *connection, int page_size) {
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (file == NULL || file->pMethods == NULL) return SQLITE_NOTFOUND;
    int capacity = skiathos_frames_of_one_write(page_size) * (frame_header_size + page_size);
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
    self->methods.xTruncate = file_truncate;
    self->methods.xClose = file_close;
    file->pMethods = &self->methods;
    return SQLITE_OK;
}
