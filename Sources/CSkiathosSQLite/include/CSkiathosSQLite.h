#ifndef C_SKIATHOS_SQLITE_H
#define C_SKIATHOS_SQLITE_H

#include <stdbool.h>
#include <stdint.h>

struct sqlite3;
struct sqlite3_stmt;
struct sqlite3_value;

/// Sets what a connection may do at the word of a file; returns a result code of SQLite.
///
/// SQL cannot damage the file then. Unless the schema is trusted, it calls only functions and virtual
/// tables that say of themselves that they are harmless. Triggers and views of the file work only as
/// far as they are allowed; temporary ones always do. A function of its own, because
/// sqlite3_db_config takes a varying number of arguments.
int skiathos_protect_connection(
    struct sqlite3 *connection, int trusts_schema, int allows_triggers, int allows_views);

/// Has a connection leave the WAL as it is when it closes; returns a result code of SQLite.
int skiathos_keep_wal(struct sqlite3 *connection);

/// Marks the virtual table that is being connected as one for direct queries alone: no trigger or
/// view can name it.
int skiathos_forbid_table_in_schema(struct sqlite3 *connection);

/// Has every statement of the connection compiled again before its next run; returns a result code.
int skiathos_expire_statements(struct sqlite3 *connection);

/// Has a connection write the frames of a transaction to the WAL together; returns a result code.
///
/// SQLite writes each frame with two system calls, one for its header and one for its page. Here they wait
/// in memory until the frame that ends the transaction is written, or sixteen have come together (fewer
/// where pages are large): a small commit takes one call. SQLite publishes a commit only after that frame
/// was written, so nothing else changes for other connections, and an error is reported before.
///
/// Frames that SQLite leaves without checksums after the rollback of a savepoint get theirs, so that
/// recovery after the end of the process reaches the commit.
///
/// Called when the WAL is open; it takes the place of the methods of SQLite's object of that file, as
/// those of a file system of one's own would, until the connection closes the file. Another thread
/// may use the earlier methods meanwhile, which know of everything that is committed.
int skiathos_join_frame_writes(struct sqlite3 *connection, int page_size);

/// How many frames are written together at the most.
int skiathos_frames_of_one_write(int page_size);

/// Where the small values are that are bound to a statement: SQLite would allocate memory for each of them,
/// and free it before the next one.
///
/// Each parameter has a place of its own, so a value stays until another one is bound to its parameter.
/// Guarded by the connection.
typedef struct {
    struct sqlite3_stmt *statement;
    unsigned char *places;
    int place_count;
    /// Whether a value was bound that must not stay with the statement.
    bool has_large_value;
} skiathos_bindings;

/// Sets the bindings of the statement that this thread binds values to, and returns those that were set
/// before.
skiathos_bindings *skiathos_exchange_bindings(skiathos_bindings *bindings);

/// Records that a value was bound to that statement that must not stay with it.
void skiathos_note_large_binding(void);

/// Frees the places, when the statement is not used any more.
void skiathos_free_bindings(skiathos_bindings *bindings);

/// Binds a text, given as UTF-8, or bytes; returns a result code of SQLite.
///
/// The value is copied. The functions that these are made of answer SQLITE_TOOBIG to sizes that others would
/// truncate. Any statement will do; those without bindings on this thread have SQLite copy the value.
int skiathos_bind_text(
    struct sqlite3_stmt *statement, int position, const void *bytes,
    intptr_t count);
int skiathos_bind_blob(
    struct sqlite3_stmt *statement, int position, const void *bytes,
    intptr_t count);

/// The ID that a statement shall look up next; the statement is the only one that reads it.
///
/// Guarded by the connection.
typedef struct {
    /// Whether the ID was set and not read since.
    bool is_pending;
    /// SQLITE_INTEGER, SQLITE_TEXT or SQLITE_BLOB.
    int type;
    int64_t number;
    int byte_count;
    unsigned char bytes[64];
} skiathos_key;

/// Registers the table-valued function `skiathos_key(?)` on a connection; returns a result code.
///
/// It has a row for as long as its argument, a pointer to a key, has a pending ID, and the column `id`. After
/// its row SQLite asks for the next one only when the statement is stepped again: by then another ID can be
/// set.
int skiathos_register_keys(struct sqlite3 *connection);

/// Binds the address of a key, which must outlive the statement; returns a result code.
int skiathos_bind_key(struct sqlite3_stmt *statement, int position, skiathos_key *key);

/// Sets the pending ID to an integer.
void skiathos_set_number(skiathos_key *key, int64_t number);

/// Sets the pending ID to a text or bytes; returns whether they are short enough to be one.
bool skiathos_set_bytes(skiathos_key *key, int type, const void *bytes, intptr_t count);

/// Called before a row changes, with the operation, the names of the schema and the table, and the
/// row's numbers before and afterwards.
typedef void (*skiathos_row_observer)(
    void *context, struct sqlite3 *connection, int operation, const char *schema,
    const char *table, long long number_before, long long number_after);

/// Whether the library was built with the pre-update hook, which the functions below need.
int skiathos_can_observe_rows(void);

/// Has a function called before each change of a row, or none; returns the context of the earlier
/// one.
void *skiathos_observe_rows(
    struct sqlite3 *connection, skiathos_row_observer observer, void *context);

/// How many columns the table of the changing row has. Only inside of an observer, like all below.
int skiathos_observed_column_count(struct sqlite3 *connection);

/// Whether only a part of a blob is overwritten, so that there are no values afterwards.
int skiathos_is_part_of_row(struct sqlite3 *connection);

/// The value of a column before the change; returns a result code.
int skiathos_value_before(struct sqlite3 *connection, int column, struct sqlite3_value **value);

/// The value of a column after the change; returns a result code.
int skiathos_value_after(struct sqlite3 *connection, int column, struct sqlite3_value **value);

#endif
