#include "CSkiathosSQLite.h"

#include <CSkiathosThreads.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum {
    /// The longest value that has a place, in bytes.
    place_size = 64,
    /// The last parameter that has one.
    last_place = 16,
    /// The longest value that stays with its statement.
    longest_left = 256,
};

SKIATHOS_THREAD_LOCAL skiathos_bindings *current;

skiathos_bindings *skiathos_exchange_bindings(skiathos_bindings *bindings) {
    skiathos_bindings *outer = current;
    current = bindings;
    return outer;
}

void skiathos_note_large_binding(void) {
    if (current != NULL) current->has_large_value = true;
}

void skiathos_free_bindings(skiathos_bindings *bindings) { free(bindings->places); }

/// A copy of a value in the place of its parameter; NULL if it has none.
static const void *keep(const void *statement, int position, const void *bytes, intptr_t count) {
    skiathos_bindings *bindings = current;
    if (bindings == NULL || bindings->statement != statement) return NULL;
    if (count > place_size) {
        if (count > longest_left) bindings->has_large_value = true;
        return NULL;
    }
    if (position < 1 || position > last_place) return NULL;
    if (bindings->places == NULL) {
        int parameters = sqlite3_bind_parameter_count((sqlite3_stmt *)statement);
        size_t places = (size_t)(parameters < last_place ? parameters : last_place);
        bindings->places = malloc(places * place_size);
        bindings->place_count = bindings->places == NULL ? 0 : (int)places;
    }
    if (position > bindings->place_count) return NULL;
    // SQLite refuses to bind a value while it uses the earlier one; nothing here asks it to.
    return memcpy(bindings->places + (position - 1) * place_size, bytes, (size_t)count);
}

int skiathos_bind_text(
    struct sqlite3_stmt *statement, int position, const void *bytes, intptr_t count) {
    // NULL would bind no value; an empty text may have it.
    if (bytes == NULL)
        return sqlite3_bind_text64(statement, position, "", 0, SQLITE_STATIC, SQLITE_UTF8);
    const void *kept = keep(statement, position, bytes, count);
    return sqlite3_bind_text64(
        statement, position, kept == NULL ? bytes : kept, (sqlite3_uint64)count,
        kept == NULL ? SQLITE_TRANSIENT : SQLITE_STATIC, SQLITE_UTF8);
}

int skiathos_bind_blob(
    struct sqlite3_stmt *statement, int position, const void *bytes, intptr_t count) {
    if (bytes == NULL || count == 0) return sqlite3_bind_zeroblob(statement, position, 0);
    const void *kept = keep(statement, position, bytes, count);
    return sqlite3_bind_blob64(
        statement, position, kept == NULL ? bytes : kept, (sqlite3_uint64)count,
        kept == NULL ? SQLITE_TRANSIENT : SQLITE_STATIC);
}
