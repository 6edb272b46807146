import SkiathosStore

extension Managed {
    /// Deletes the entity when the write ends, or before its next query.
    ///
    /// Deleting it again does nothing.
    ///
    /// ```swift
    /// try User.find(42, in: context)?.delete()   // DELETE FROM "user" WHERE "id" = 42
    /// ```
    ///
    /// - Throws: ``DataAccessError`` with code `contextEnded` after the write has ended.
    @inlinable
    public func delete() throws {
        try requireOpen()
        unit.delete(self)
    }

    /// Undoes what the write did to this object: a fetched one gets its first value back, even
    /// if it was deleted; a created one is gone.
    ///
    /// - Throws: ``DataAccessError`` with code `contextEnded` after the write has ended.
    public func discardChanges() throws {
        try requireOpen()
        unit.discardChanges(of: self)
    }

    /// Whether the write has deleted the entity.
    public var isDeleted: Bool { state.contains(.deleted) }

    /// The names of the properties that the write has changed, in the order of the schema.
    ///
    /// All of them for an object that it created.
    public var changedColumns: [String] {
        let columns = E.schema.columns
        if state.contains(.created) { return columns.map(\.name) }
        guard let baseline else { return [] }
        return current.changedColumns(from: baseline.original).map { columns[$0].name }
    }

    @inlinable
    func requireOpen() throws {
        guard unit.context.isOpen else { throw DataAccessError.contextEnded("write") }
    }
}
