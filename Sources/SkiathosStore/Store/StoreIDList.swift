/// IDs in an order, which are added first and then taken in that order.
///
/// A write that goes through the rows of a request puts their IDs into one before it changes the first
/// row: neither a change nor a rollback nor a commit changes the list. Used by one thread at a time, and
/// released when it is no longer needed.
public protocol StoreIDList: AnyObject {
    /// Adds an ID at the end; called only before ``next(_:)``.
    ///
    /// - Throws: ``StoreError`` if there is no room for it.
    func append(_ id: StoreValue) throws
    /// Removes and returns the next IDs, as many as wanted or as there are.
    ///
    /// - Throws: ``StoreError`` if they cannot be read.
    func next(_ count: Int) throws -> [StoreValue]
}

extension StoreSession {
    /// A list in memory, which grows with the number of its IDs.
    public func makeIDList() -> any StoreIDList { IDsInMemory() }
}

/// A list that keeps all its IDs in memory.
private final class IDsInMemory: StoreIDList {
    // Guarded by the write that goes through the list.
    private var ids: [StoreValue] = []
    private var taken = 0

    func append(_ id: StoreValue) { ids.append(id) }

    func next(_ count: Int) -> [StoreValue] {
        let next = ids[taken...].prefix(count)
        taken += next.count
        return Array(next)
    }
}
