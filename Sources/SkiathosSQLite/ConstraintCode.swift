import GRDBSQLite

/// SQLite's extended codes for constraints, whose macros the importer does not see since they
/// contain a shift.
enum ConstraintCode {
    static let foreignKey = SQLITE_CONSTRAINT | 3 << 8
    static let notNull = SQLITE_CONSTRAINT | 5 << 8
    static let primaryKey = SQLITE_CONSTRAINT | 6 << 8
    static let unique = SQLITE_CONSTRAINT | 8 << 8
    static let rowID = SQLITE_CONSTRAINT | 10 << 8
    static let dataType = SQLITE_CONSTRAINT | 12 << 8
}
