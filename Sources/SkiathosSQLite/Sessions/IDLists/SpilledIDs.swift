import SkiathosStore

/// A list of IDs of which some are in memory, and the others in a temporary table of SQLite.
///
/// Not `Sendable`: used only by the thread that goes through the list.
final class SpilledIDs: StoreIDList {
    /// How many IDs stay in memory: those of most lists.
    static let room = 1000

    /// Describes failures in the terms of the store.
    private let errors: ErrorTranslation
    private var first: ArraySlice<StoreValue> = []
    /// The IDs after the first ones, if there are so many.
    private var rest: TemporaryTable?

    init(_ errors: ErrorTranslation) { self.errors = errors }

    func append(_ id: StoreValue) throws {
        if let rest { return try rest.append(id) }
        guard first.count == Self.room else { return first.append(id) }
        let table = try TemporaryTable(errors)
        try table.append(id)
        rest = table
    }

    func next(_ count: Int) throws -> [StoreValue] {
        var ids = Array(first.prefix(count))
        first.removeFirst(ids.count)
        if ids.count < count { try rest?.read(count - ids.count, into: &ids) }
        return ids
    }
}

extension SQLiteSession {
    func makeIDList() -> any StoreIDList { SpilledIDs(shared.errors) }
}
