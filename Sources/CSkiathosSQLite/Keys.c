#include "CSkiathosSQLite.h"

#include <sqlite3.h>
#include <string.h>

// A virtual table as of sqlite.org/vtab.html; its argument is passed as of sqlite.org/bindptr.html.

/// The type of the pointers that are bound.
static const char *const pointer_type = "skiathos_key";

typedef struct {
    sqlite3_vtab_cursor base;
    /// The key that the statement is bound to; NULL for a query other than ours.
    skiathos_key *key;
    sqlite3_int64 row;
    bool is_at_end;
} cursor;

void skiathos_set_number(skiathos_key *key, int64_t number) {
    key->type = SQLITE_INTEGER;
    key->number = number;
    key->is_pending = true;
}

bool skiathos_set_bytes(skiathos_key *key, int type, const void *bytes, intptr_t count) {
    if (count > (intptr_t)sizeof key->bytes) return false;
    if (count > 0) memcpy(key->bytes, bytes, (size_t)count);
    key->type = type;
    key->byte_count = (int)count;
    key->is_pending = true;
    return true;
}

int skiathos_bind_key(struct sqlite3_stmt *statement, int position, skiathos_key *key) {
    return sqlite3_bind_pointer(statement, position, key, pointer_type, NULL);
}

static int connect_table(
    sqlite3 *connection, void *context, int count, const char *const *arguments,
    sqlite3_vtab **table, char **error) {
    (void)context, (void)count, (void)arguments, (void)error;
    int code = sqlite3_declare_vtab(connection, "CREATE TABLE skiathos_key (id, key HIDDEN)");
    if (code == SQLITE_OK) code = skiathos_forbid_table_in_schema(connection);
    if (code != SQLITE_OK) return code;
    *table = sqlite3_malloc(sizeof **table);
    if (*table == NULL) return SQLITE_NOMEM;
    memset(*table, 0, sizeof **table);
    return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *table) {
    sqlite3_free(table);
    return SQLITE_OK;
}

/// The reported cost is high, so that SQLite makes this the outer loop, and the reported number of rows is
/// low, so that SQLite makes neither an index nor a filter for the table that is looked up.
static int plan(sqlite3_vtab *table, sqlite3_index_info *plan) {
    (void)table;
    plan->estimatedCost = 1e9;
    plan->estimatedRows = 1;
    for (int i = 0; i < plan->nConstraint; i++) {
        if (!plan->aConstraint[i].usable || plan->aConstraint[i].iColumn != 1
            || plan->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
            continue;
        plan->aConstraintUsage[i].argvIndex = 1;
        // A pointer is equal to nothing.
        plan->aConstraintUsage[i].omit = 1;
        break;
    }
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **opened) {
    (void)table;
    cursor *fresh = sqlite3_malloc(sizeof *fresh);
    if (fresh == NULL) return SQLITE_NOMEM;
    memset(fresh, 0, sizeof *fresh);
    *opened = &fresh->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
    sqlite3_free(base);
    return SQLITE_OK;
}

/// Takes the pending ID, or ends the statement if there is none.
static int next(sqlite3_vtab_cursor *base) {
    cursor *at = (cursor *)base;
    at->is_at_end = at->key == NULL || !at->key->is_pending;
    if (at->is_at_end) return SQLITE_OK;
    at->key->is_pending = false;
    at->row++;
    return SQLITE_OK;
}

static int begin(
    sqlite3_vtab_cursor *base, int number, const char *name, int count, sqlite3_value **arguments) {
    (void)number, (void)name;
    ((cursor *)base)->key = count > 0 ? sqlite3_value_pointer(arguments[0], pointer_type) : NULL;
    return next(base);
}

static int is_at_end(sqlite3_vtab_cursor *base) { return ((cursor *)base)->is_at_end; }

static int answer(sqlite3_vtab_cursor *base, sqlite3_context *result, int column) {
    const skiathos_key *key = ((cursor *)base)->key;
    if (key == NULL || column != 0) return SQLITE_OK;
    // The bytes stay until the next ID is set, and then SQLite asks anew before it looks at them.
    switch (key->type) {
    case SQLITE_INTEGER: sqlite3_result_int64(result, key->number); break;
    case SQLITE_TEXT:
        sqlite3_result_text(result, (const char *)key->bytes, key->byte_count, SQLITE_STATIC);
        break;
    default: sqlite3_result_blob(result, key->bytes, key->byte_count, SQLITE_STATIC);
    }
    return SQLITE_OK;
}

static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *number) {
    *number = ((cursor *)base)->row;
    return SQLITE_OK;
}

/// Without `xCreate` no table can be made of it, in any schema.
static const sqlite3_module module = {
    .xConnect = connect_table,
    .xBestIndex = plan,
    .xDisconnect = disconnect_table,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = begin,
    .xNext = next,
    .xEof = is_at_end,
    .xColumn = answer,
    .xRowid = row_number,
};

int skiathos_register_keys(struct sqlite3 *connection) {
    return sqlite3_create_module_v2(connection, pointer_type, &module, NULL, NULL);
}
