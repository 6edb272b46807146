import Foundation

/// Looks from outside at how much of a file's WAL is not checkpointed yet.
///
/// The figures are in the index of the WAL, which connections share
/// (sqlite.org/walformat.html, §2.1). A connection of its own could tell, too, but would take
/// part in checkpoints.
final class WALWatch {
    /// SQLite's own checkpoints leave less than 1,000 pages, those of Skiathos here less than
    /// 4 MiB.
    static let allowedPages = 1_100

    /// Open as long as the store is: closing it would take the locks of the process away.
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = open("\(path)-shm", O_RDONLY)
        guard descriptor >= 0 else { throw BenchmarkError("There is no \(path)-shm.") }
    }

    deinit { close(descriptor) }

    /// What the index says of the WAL.
    struct State: Equatable {
        /// Another one after each restart of the WAL.
        let salt: UInt32
        /// How many pages the WAL has.
        let pages: Int
        /// How many of them are checkpointed.
        let checkpointed: Int

        /// How many of them are not checkpointed yet.
        var pagesLeft: Int { max(0, pages - checkpointed) }
    }

    var state: State {
        State(
            salt: number(at: 32), pages: Int(number(at: 16)), checkpointed: Int(number(at: 96)))
    }

    private func number(at offset: off_t) -> UInt32 {
        var number: UInt32 = 0
        return withUnsafeMutableBytes(of: &number) {
            pread(descriptor, $0.baseAddress, $0.count, offset)
        } == 4 ? number : 0
    }
}
