import SkiathosStore

/// The consequences of deleting rows, by the references of all entities.
struct DeleteRules: Sendable {
    /// A reference whose row is changed or deleted when its target is deleted.
    struct Reference: Sendable {
        /// The position of the entity that refers.
        let entity: Int
        let column: Int
        /// The position of the entity that is referred to.
        let target: Int
        let rule: ColumnSchema.DeleteRule
    }

    /// The references of each entity, without those that deny a deletion.
    let references: [[Reference]]
    /// The references towards each entity, without those that deny a deletion.
    let referrers: [[Reference]]
    /// The entities of which a deletion in each entity may change or delete other rows.
    let affected: [Set<Int>]
    /// Whether any entity refers to each entity.
    let isReferredTo: [Bool]

    init(_ schema: StoreSchema) {
        var references: [[Reference]] = schema.entities.map { _ in [] }
        var referrers = references
        var isReferredTo = schema.entities.map { _ in false }
        for (entity, description) in schema.entities.enumerated() {
            for (column, reference) in description.columns.enumerated() {
                guard let reference = reference.reference,
                    let target = schema.target(of: reference)
                else { continue }
                isReferredTo[target] = true
                guard reference.onDelete != .deny else { continue }
                let new = Reference(
                    entity: entity, column: column, target: target, rule: reference.onDelete)
                references[entity].append(new)
                referrers[target].append(new)
            }
        }
        self.references = references
        self.referrers = referrers
        self.isReferredTo = isReferredTo
        affected = schema.entities.indices.map { schema.followingDeletion(in: $0) }
    }
}
