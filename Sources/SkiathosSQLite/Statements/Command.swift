/// The statements that nearly every access executes, and which have no parameters.
///
/// Each connection keeps them at their numbers: looking a statement up by its text costs more than
/// executing one of these.
enum Command: Int, CaseIterable {
    case beginWriting
    case beginReading
    /// SQLite chooses the version of a read at the first statement that looks into the file.
    case chooseVersion
    /// Chooses the version, too, and tells the number of its schema; see ``ReadSchema``.
    case schemaNumber
    case commit
    case rollback
    case openSavepoint
    case releaseSavepoint
    case openApplication
    case releaseApplication
    case openCascade
    case releaseCascade
    /// Has the transaction tell of its savepoints; see ``SavepointTable``.
    case joinSavepoints
    /// Begins a read and stays in it, without looking at any row; see ``KeptRead``.
    case keepReading

    /// The statement.
    var sql: String {
        switch self {
        // A transaction that began by reading could fail at once when it turns to writing.
        case .beginWriting: "BEGIN IMMEDIATE"
        case .beginReading: "BEGIN DEFERRED"
        case .chooseVersion: "SELECT 1 FROM sqlite_schema LIMIT 1"
        case .schemaNumber: "PRAGMA schema_version"
        case .commit: "COMMIT"
        case .rollback: "ROLLBACK"
        case .openSavepoint: "SAVEPOINT \"level_0\""
        case .releaseSavepoint: "RELEASE \"level_0\""
        case .openApplication: "SAVEPOINT \"apply\""
        case .releaseApplication: "RELEASE \"apply\""
        case .openCascade: "SAVEPOINT \"cascade\""
        case .releaseCascade: "RELEASE \"cascade\""
        case .joinSavepoints: "DELETE FROM \(SavepointTable.name)"
        case .keepReading: "PRAGMA user_version"
        }
    }
}
