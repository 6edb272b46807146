import GRDB
import SkiathosStore

/// A recovery that is tried on a copy first, since it cannot be undone: that of a main file which has both
/// a rollback journal and a WAL.
///
/// A loss of power can leave both, since the names of files reach the disk in any order. SQLite rolls
/// the journal back, and then reads the WAL. If the journal is older than pages that the main file has
/// by now, the result is not sound.
struct RecoveryTrial {
    private let path: StorePath

    init(_ path: StorePath) { self.path = path }

    /// Throws unless the file is sound after SQLite has recovered it.
    ///
    /// - Parameter settings: How the connection to the copy is opened.
    /// - Throws: ``StoreError`` with code `damaged`, or that of a failure to make the copy.
    func requireSound(_ settings: ConnectionSettings) throws {
        let copy = try TemporaryName.unused(beside: path.file)
        let problems: [String]
        do {
            defer { TemporaryName.removeFiles(copy) }
            try makeCopy(copy)
            problems = try check(copy, settings)
        } catch let failure as SystemCalls.Failure {
            throw failure.error(
                "\(path.quotedFile) has a rollback journal beside its WAL, and the copy \"\(copy)\" to try the recovery on cannot be made"
            )
        }
        guard !problems.isEmpty else { return }
        throw StoreError(
            .damaged,
            "\(path.quotedFile) has a rollback journal beside its WAL, and would not be sound after it was rolled back: \(problems.joined(separator: "; ")). Restore a backup. The files were left as they were."
        )
    }

    private func check(_ copy: String, _ settings: ConnectionSettings) throws -> [String] {
        do {
            let queue = try settings.open(copy)
            let rows = Result {
                try queue.inDatabase {
                    try String.fetchAll($0, sql: "PRAGMA integrity_check(3)")
                }
            }
            try queue.close()
            let problems = try rows.get()
            return problems == ["ok"] ? [] : problems
        } catch let error as DatabaseError
            where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
        {
            return [error.message ?? "the file is malformed"]
        }
    }

    private func makeCopy(_ copy: String) throws {
        let size = try SystemCalls.status(of: path.file)?.size ?? 0
        do {
            let main = try VFSFile(main: path)
            try write(copy, size) { try main.read($1, at: $0) }
        } catch let failure as VFSFile.Failure {
            throw StoreError(
                .inputOutput,
                "\(path.quotedFile) could not be read. Check the disk, then try again.",
                backendCode: Int(failure.code))
        }
        for kind in [SideFile.Kind.wal, .journal] {
            let side = path.sideFile(kind)
            let source = try SystemCalls.openForLooking(side.path)
            defer { SystemCalls.closeFile(source) }
            let size = try SystemCalls.status(ofDescriptor: source).size
            try write(copy + kind.suffix, size) {
                try SystemCalls.readBytes($1, from: source, at: $0)
            }
        }
    }

    /// Makes a file of bytes that a closure reads, by offset and number.
    private func write(
        _ name: String, _ size: Int64, _ read: (Int64, Int) throws -> [UInt8]
    ) throws {
        let descriptor = try SystemCalls.openSideFile(name, like: path.file)
        defer { SystemCalls.closeFile(descriptor) }
        let part: Int64 = 1 << 20
        for start in stride(from: 0, to: size, by: Int(part)) {
            let bytes = try read(start, Int(min(part, size - start)))
            try SystemCalls.writeBytes(bytes, to: descriptor, at: start)
        }
    }
}
