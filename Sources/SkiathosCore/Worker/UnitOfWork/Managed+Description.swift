import SkiathosStore

extension Managed: CustomDebugStringConvertible {
    /// The entity, the ID and the names of the changed columns, and no values.
    ///
    /// ```swift
    /// print(user)     // User 7, changed: age, email
    /// print(other)    // User 8, new
    /// ```
    ///
    /// Not a `description`, which is a name that properties of entities have. May be asked for after the
    /// write has ended, as a debugger does.
    public var debugDescription: String {
        let name = E.schema.typeName
        guard unit.moment != UnitOfWork<E>.ended else { return "\(name) of a write that has ended" }
        guard changing == nil else { return "\(name), being changed" }
        var text = id == .unassigned ? name : "\(name) \(id)"
        if isDeleted { return "\(text), deleted" }
        if state.contains(.created) { return "\(text), new" }
        let columns = changedColumns
        if !columns.isEmpty { text += ", changed: \(columns.joined(separator: ", "))" }
        return text
    }
}
