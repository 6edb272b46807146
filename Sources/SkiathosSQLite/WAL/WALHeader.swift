import GRDBSQLite

/// The header of a WAL, which changes each time the WAL restarts.
///
/// It contains a counter and two salts (sqlite.org/fileformat2.html, 4.1).
struct WALHeader: Equatable {
    static let size = 32

    private var bytes = SIMD4<UInt64>.zero

    /// Reads the header through SQLite's own object of the file; `nil` if that fails.
    ///
    /// - Parameter handle: A connection in WAL mode, on whose queue this is called.
    init?(_ handle: OpaquePointer) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let found = withUnsafeMutablePointer(to: &file) {
            sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, $0)
        }
        guard found == SQLITE_OK, let file, let read = file.pointee.pMethods?.pointee.xRead
        else { return nil }
        let code = withUnsafeMutableBytes(of: &bytes) {
            read(file, $0.baseAddress, Int32(Self.size), 0)
        }
        guard code == SQLITE_OK else { return nil }
    }
}
