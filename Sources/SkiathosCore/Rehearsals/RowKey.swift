package import SkiathosStore

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

    /// Compares as the store does: texts byte by byte, not by what they mean to a reader.
    package static func == (left: RowKey, right: RowKey) -> Bool {
        left.entity == right.entity && left.id.isStoredLike(right.id)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(entity)
        if case .text(let text) = id {
            for byte in text.utf8 { hasher.combine(byte) }
        } else {
            hasher.combine(id)
        }
    }
}

extension StoreValue {
    /// Whether a column that holds the other value holds the same as with this one.
    package func isStoredLike(_ other: StoreValue) -> Bool {
        switch (self, other) {
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        default: self == other
        }
    }
}
