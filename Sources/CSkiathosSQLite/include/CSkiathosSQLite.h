#ifndef C_SKIATHOS_SQLITE_H
#define C_SKIATHOS_SQLITE_H

struct sqlite3;

/// Sets what a connection may do at the word of a file; returns a result code of SQLite.
///
/// SQL cannot damage the file then. Unless the schema is trusted, it calls only functions and virtual
/// tables that say of themselves that they are harmless. Triggers and views of the file work only as
/// far as they are allowed; temporary ones always do. A function of its own, because
/// sqlite3_db_config takes a varying number of arguments.
int skiathos_protect_connection(
    struct sqlite3 *connection, int trusts_schema, int allows_triggers, int allows_views);

/// Marks the virtual table that is being connected as one for direct queries alone: no trigger or
/// view can name it.
int skiathos_forbid_table_in_schema(struct sqlite3 *connection);

#endif
