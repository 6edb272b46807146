package import SkiathosStore

/// What became of one row: its columns as they are stored, before and after.
package struct RowChange: Sendable {
    package let key: RowKey
    /// The row as it was; `nil` if there was none.
    package let before: [StoreValue]?
    /// The row as it is; `nil` if there is none any more.
    package var after: [StoreValue]?
}

/// The rows that a write has changed since somebody asked for them, and what they come to.
struct ChangeCapture {
    private var changes: [RowKey: RowChange] = [:]
    /// The rows in the order of their first change.
    private var order: [RowKey] = []

    /// Takes note of a change; a row that was changed before keeps what it was first.
    mutating func add(_ change: RowChange) {
        if changes[change.key] == nil {
            changes[change.key] = change
            order.append(change.key)
        } else {
            changes[change.key]?.after = change.after
        }
    }

    /// What it comes to: a row that was made and deleted again does not appear.
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
    /// Takes note of what is pending, and is in the open transaction by now.
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

    /// Takes note of what became of one row.
    func capture(_ before: E?, _ after: E?) throws {
        guard context.journal.capture != nil, let id = (before ?? after)?.id else { return }
        let key = RowKey(entity: entity, id: try StoreValue(id, Coding.of(E.ID.self)))
        context.journal.capture?.add(
            RowChange(
                key: key, before: try before?.storedValues(), after: try after?.storedValues()))
    }
}
