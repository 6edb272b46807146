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
}
