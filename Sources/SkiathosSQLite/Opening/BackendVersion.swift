import GRDBSQLite
import SkiathosStore

/// The version of the SQLite library that the process runs with.
enum BackendVersion {
    /// The first version with strict tables, `PRAGMA table_list` (both 3.37) and JSON in every
    /// build (3.38).
    static let lowest: Int32 = 3_038_000

    /// Refuses a library that is too old.
    ///
    /// - Throws: ``StoreError`` with code `unsupportedBackend`.
    static func check(_ version: Int32 = sqlite3_libversion_number()) throws {
        guard version < lowest else { return }
        throw StoreError(
            .unsupportedBackend,
            "SQLite \(describe(version)) is too old; \(describe(lowest)) or newer is needed. Update the system's SQLite library."
        )
    }

    private static func describe(_ version: Int32) -> String {
        "\(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000)"
    }
}
