/// A change of one row, with all its values.
public struct StoreRowChange: Sendable, Hashable {
    /// The kind of a change.
    public enum Kind: Sendable, Hashable {
        /// The row is new.
        case insert
        /// The row was there and is there still, perhaps with another ID.
        case update
        /// The row is gone.
        case delete
    }

    /// The position of the entity.
    public var entity: Int
    /// The kind of the change.
    public var kind: Kind
    /// The row before, all columns of the entity in order; `nil` for an inserted row.
    public var before: [StoreValue]?
    /// The row afterwards, all columns of the entity in order; `nil` for a deleted row.
    public var after: [StoreValue]?

    private init(entity: Int, _ kind: Kind, before: [StoreValue]?, after: [StoreValue]?) {
        self.entity = entity
        self.kind = kind
        self.before = before
        self.after = after
    }

    /// The insertion of a row.
    public static func insert(entity: Int, after: [StoreValue]) -> StoreRowChange {
        StoreRowChange(entity: entity, .insert, before: nil, after: after)
    }

    /// The update of a row.
    public static func update(
        entity: Int, before: [StoreValue], after: [StoreValue]
    ) -> StoreRowChange {
        StoreRowChange(entity: entity, .update, before: before, after: after)
    }

    /// The deletion of a row.
    public static func delete(entity: Int, before: [StoreValue]) -> StoreRowChange {
        StoreRowChange(entity: entity, .delete, before: before, after: nil)
    }
}

extension StoreRowChange {
    /// About how many bytes the change takes.
    package var size: Int {
        MemoryLayout<Self>.stride + StoreValue.size(of: before) + StoreValue.size(of: after)
    }
}

extension StoreValue {
    /// About how many bytes the values of a row take.
    package static func size(of row: [StoreValue]?) -> Int {
        guard let row else { return 0 }
        return row.reduce(32) { size, value in
            let content =
                switch value {
                case .null, .integer, .real: 0
                case .text(let text): text.utf8.count
                case .blob(let bytes): bytes.count
                }
            return size + MemoryLayout<StoreValue>.stride + content
        }
    }
}
