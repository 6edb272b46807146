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
    /// Rows that refer to it at this moment follow the delete rule of their reference: the
    /// reference is cleared, the row is deleted too, or the write fails. Rows that come to
    /// refer to it later make the write fail, unless another row gets its ID. Tracked objects
    /// show the effects of a rule after the next query.
    ///
    /// - Throws: Nothing by itself: a deletion that a reference denies makes the write fail
    ///   when it ends.
    @inlinable
    public func delete() throws {
        unit.requireOpen()
        unit.delete(self)
    }

    /// Discards what the write did to this object: a fetched one gets its first value back,
    /// even if it was deleted; a created one is deleted.
    ///
    /// Rows that were deleted with it, or lost their reference to it, stay as they are.
    ///
    /// - Throws: `StoreError` with code `uniqueViolation` if it was deleted and another object
    ///   has its ID by now; nothing was discarded then. Also what flushing throws, if a
    ///   deletion is pending that other rows may have followed.
    public func discardChanges() throws {
        unit.requireOpen()
        try unit.discardChanges(of: self)
    }

    /// Whether the write has deleted the entity.
    public var isDeleted: Bool {
        unit.requireOpen()
        return state.contains(.deleted)
    }

    /// The names of the properties that the write has changed, in the order of the schema.
    ///
    /// All of them for an object that it created.
    public var changedColumns: [String] {
        unit.requireOpen()
        let columns = E.schema.columns
        if state.contains(.created) { return columns.map(\.name) }
        guard let baseline else { return [] }
        return current.changedColumns(from: baseline.pointee).map { columns[$0].name }
    }
}
