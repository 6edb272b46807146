public import GRDB
public import SkiathosCore
import SkiathosStore

extension ReadContext {
    /// Runs a closure with GRDB's connection of this read, for SQL that the queries of entities
    /// cannot express.
    ///
    /// ```swift
    /// let cities = try await dal.read { context in
    ///     try context.sqlite { db in
    ///         try String.fetchAll(db, sql: #"SELECT DISTINCT "city" FROM "user" ORDER BY 1"#)
    ///     }
    /// }
    /// ```
    ///
    /// It sees the snapshot of the read, and can change nothing.
    ///
    /// - Parameter body: Runs exactly once, before this returns. The connection is valid only
    ///   inside it; so are cursors and statements, and what they hold: GRDB traps when a cursor is
    ///   used or released outside.
    /// - Throws: what the closure throws, with GRDB's errors as `StoreError`; `StoreError` with code
    ///   `brokenBoundary` if it has ended the read's transaction; `DataAccessError` with code
    ///   `otherBackend` if the store is not kept by SQLite.
    public func sqlite<R: Sendable>(_ body: (Database) throws -> R) throws -> R {
        try withResultSlot { slot in
            try readNatively { connection in try slot.fill { try body(try database(connection)) } }
        }
    }
}

extension WriteContext {
    /// Runs a closure with GRDB's connection of this write, for SQL that the queries and changes of
    /// entities cannot express.
    ///
    /// The pending changes of the write are flushed to the transaction before, and the write's
    /// objects are refreshed afterwards: those whose rows are gone count as deleted.
    ///
    /// ```swift
    /// try await dal.write { context in
    ///     try context.sqlite { db in
    ///         try db.execute(sql: #"UPDATE "user" SET "age" = "age" + 1 WHERE "city" IN (SELECT …)"#)
    ///     }
    /// }
    /// ```
    ///
    /// If the closure throws, its changes are rolled back, and the write may continue.
    ///
    /// - Parameter body: Runs exactly once, before this returns. The connection is valid only
    ///   inside it; so are cursors and statements, and what they hold: GRDB traps when a
    ///   cursor is used or released outside. Do not query the context inside it.
    /// - Throws: what the closure throws, with GRDB's errors as `StoreError`; `StoreError`
    ///   with code `brokenBoundary` if it has ended the transaction or changed the tables of
    ///   the store, after which the write is rolled back; `DataAccessError` with code
    ///   `otherBackend` if the store is not kept by SQLite.
    @discardableResult
    public func sqlite<R: Sendable>(_ body: (Database) throws -> R) throws -> R {
        try withResultSlot { slot in
            try writeNatively { connection in try slot.fill { try body(try database(connection)) } }
        }
    }
}

/// The connection as GRDB's type.
private func database(_ connection: AnyObject?) throws -> Database {
    if let database = connection as? Database { return database }
    throw DataAccessError(
        .otherBackend,
        "context.sqlite was called in a store that is not kept by SQLite through GRDB. Use the queries of the entities, which every backend answers."
    )
}
