// The header declares these functions only to those who ask for them.
#define SQLITE_ENABLE_PREUPDATE_HOOK 1

#include "CSkiathosSQLite.h"

#include <sqlite3.h>

#if defined(__ELF__) && SQLITE_VERSION_NUMBER >= 3036000

// A library that was built without them links all the same.
#pragma weak sqlite3_preupdate_hook
#pragma weak sqlite3_preupdate_count
#pragma weak sqlite3_preupdate_old
#pragma weak sqlite3_preupdate_new
#pragma weak sqlite3_preupdate_blobwrite

int skiathos_can_observe_rows(void) {
    return sqlite3_compileoption_used("ENABLE_PREUPDATE_HOOK") && sqlite3_preupdate_hook
        && sqlite3_preupdate_count && sqlite3_preupdate_old && sqlite3_preupdate_new
        && sqlite3_preupdate_blobwrite;
}

void *skiathos_observe_rows(
    struct sqlite3 *connection, skiathos_row_observer observer, void *context) {
    return sqlite3_preupdate_hook(connection, observer, context);
}

int skiathos_observed_column_count(struct sqlite3 *connection) {
    return sqlite3_preupdate_count(connection);
}

int skiathos_is_part_of_row(struct sqlite3 *connection) {
    return sqlite3_preupdate_blobwrite(connection) >= 0;
}

int skiathos_value_before(
    struct sqlite3 *connection, int column, struct sqlite3_value **value) {
    return sqlite3_preupdate_old(connection, column, value);
}

int skiathos_value_after(struct sqlite3 *connection, int column, struct sqlite3_value **value) {
    return sqlite3_preupdate_new(connection, column, value);
}

#else

int skiathos_can_observe_rows(void) { return 0; }

void *skiathos_observe_rows(
    struct sqlite3 *connection, skiathos_row_observer observer, void *context) {
    return (void *)0;
}

int skiathos_observed_column_count(struct sqlite3 *connection) { return 0; }

int skiathos_is_part_of_row(struct sqlite3 *connection) { return 0; }

int skiathos_value_before(
    struct sqlite3 *connection, int column, struct sqlite3_value **value) {
    return SQLITE_MISUSE;
}

int skiathos_value_after(struct sqlite3 *connection, int column, struct sqlite3_value **value) {
    return SQLITE_MISUSE;
}

#endif
