#include "CSkiathosSQLite.h"

#include <sqlite3.h>
#include <stddef.h>

int skiathos_protect_connection(
    struct sqlite3 *connection, int trusts_schema, int allows_triggers, int allows_views) {
    const int settings[][2] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, trusts_schema},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, allows_triggers},
        {SQLITE_DBCONFIG_ENABLE_VIEW, allows_views},
    };
    for (unsigned i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        int code = sqlite3_db_config(connection, settings[i][0], settings[i][1], (int *)0);
        if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}

int skiathos_forbid_table_in_schema(struct sqlite3 *connection) {
    return sqlite3_vtab_config(connection, SQLITE_VTAB_DIRECTONLY);
}

int skiathos_expire_statements(struct sqlite3 *connection) {
    int setting = 0;
    int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_QPSG, -1, &setting);
    if (code == SQLITE_OK)
        code = sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_QPSG, !setting, (int *)0);
    if (code == SQLITE_OK)
        code = sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_QPSG, setting, (int *)0);
    return code;
}

int skiathos_keep_wal(struct sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
}
