import Foundation
import GRDBSQLite

/// On what the measurements are made.
enum Machine {
    static var conditions: [(name: String, value: String)] {
        [
            ("processor cores", "\(ProcessInfo.processInfo.activeProcessorCount)"),
            ("SQLite", String(cString: sqlite3_libversion())),
            ("Swift", swiftVersion),
        ]
    }

    private static var swiftVersion: String {
        #if compiler(>=6.5)
        "6.5 or later"
        #elseif compiler(>=6.4)
        "6.4"
        #elseif compiler(>=6.3)
        "6.3"
        #elseif compiler(>=6.2)
        "6.2"
        #else
        "6.1"
        #endif
    }
}
