/// LMDB: a store of keys and values, without a query language.
///
/// Rows are packed by position under their ID. Two more databases hold the IDs by email, which is
/// unique, and by company: the indexes of the others.
///
/// - Note: Unchecked, since pointers are not `Sendable`: of several calls that read at the same
///   time each has a reader of its own, and LMDB lets one transaction at a time write.
final class LMDBContestant: Contestant, @unchecked Sendable {
    static let name = "LMDB"
    /// A commit writes the pages into the file itself.
    static let hasWAL = false

    static var conditions: [(name: String, value: String)] {
        let version = (try? LMDB.load().version) ?? "not loaded"
        return [
            (
                "LMDB",
                "\(version); pages of the file are mapped, which takes the place of a cache; committed rows with MDB_NOSYNC, durable ones with its default; a large write ends with a sync"
            )
        ]
    }

    let store: LMDBStore
    let readers: [LMDBReader]

    /// Ignores the size of a cache, since the pages are those that the system keeps.
    init(path: String, options: ContestantOptions) throws {
        let store = try LMDBStore(path: path)
        self.store = store
        readers = try (0..<4).map { _ in try LMDBReader(store) }
    }

    static func makeFile(_ path: String) throws { try LMDBStore(path: path).close() }

    func close() throws {
        for reader in readers { reader.close() }
        store.close()
    }
}
