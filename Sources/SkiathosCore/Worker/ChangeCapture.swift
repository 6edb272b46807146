package import SkiathosStore

/// The change of one row: its columns as they are stored, before and after.
package struct RowChange: Sendable {
    package let key: RowKey
    /// The row before the change; `nil` if there was none.
    package let before: [StoreValue]?
    /// The row after the change; `nil` if it was deleted.
    package var after: [StoreValue]?
}

/// The rows that a write has changed since ``WriteContext/beginCapture()``, and their net
/// changes.
struct ChangeCapture {
    private var changes: [RowKey: RowChange] = [:]
    /// The rows in the order of their first change.
    private var order: [RowKey] = []

    /// Records a change; a row that was changed before keeps its first state.
    mutating func add(_ change: RowChange) {
        if changes[change.key] == nil {
            changes[change.key] = change
            order.append(change.key)
        } else {
            changes[change.key]?.after = change.after
        }
    }

    /// The net changes: a row that was created and deleted again does not appear.
    var outcome: [RowChange] {
        order.compactMap { key in
            guard let change = changes[key], change.before != nil || change.after != nil else {
                return nil
            }
            return change
        }
    }
}

extension UnitOfWork {
    /// Records the changes that were pending, and are in the open transaction by now.
    func capturePending(in rows: inout ChangeCapture) throws {
        for object in pending {
            let change: RowChange? =
                switch object.pendingChange.kind {
                case .none: nil
                case .insert: try rowChange(nil, object.current)
                case .update: try rowChange(object.applied, object.current)
                case .delete: try rowChange(object.applied ?? object.current, nil)
                }
            if let change { rows.add(change) }
        }
    }

    /// Records the change of one row, if each is recorded.
    func capture(_ before: E?, _ after: E?) throws {
        guard context.journal.isCapturing, let change = try rowChange(before, after) else { return }
        context.journal.add(change)
    }

    private func rowChange(_ before: E?, _ after: E?) throws -> RowChange? {
        guard let id = (before ?? after)?.id else { return nil }
        return RowChange(
            key: RowKey(entity: entity, id: try StoreValue(id, Coding.of(E.ID.self))),
            before: try before?.storedValues(), after: try after?.storedValues())
    }
}

/// One row of any entity.
package struct RowKey: Hashable, Sendable {
    /// The position of the entity in the store's schema.
    package let entity: Int
    /// The ID as it is stored.
    package let id: StoreValue

    package init(entity: Int, id: StoreValue) {
        self.entity = entity
        self.id = id
    }
}
