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
    func capturePending() throws {
        guard context.journal.capture != nil else { return }
        for object in pending {
            switch object.pendingChange {
            case .none: break
            case .insert: try capture(nil, object.current)
            case .update: try capture(object.baseline?.applied, object.current)
            case .delete: try capture(object.baseline?.applied ?? object.current, nil)
            }
        }
    }

    /// Records the change of one row.
    func capture(_ before: E?, _ after: E?) throws {
        guard context.journal.capture != nil, let id = (before ?? after)?.id else { return }
        let key = RowKey(entity: entity, id: try StoreValue(id, Coding.of(E.ID.self)))
        context.journal.capture?.add(
            RowChange(
                key: key, before: try before?.storedValues(), after: try after?.storedValues()))
    }
}
