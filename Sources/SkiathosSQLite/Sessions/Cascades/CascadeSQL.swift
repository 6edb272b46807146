import SkiathosStore

/// The references through which deletions go on, and the statements that follow them.
struct CascadeSQL: Sendable {
    /// A reference whose row is deleted with its target.
    struct Reference: Sendable {
        /// The position of the entity that refers.
        let entity: Int
        /// Finds one row that refers to an ID.
        let find: String
        /// Takes the reference of the row with an ID away.
        let unlink: String
    }

    /// The references towards each entity.
    let references: [[Reference]]
    /// Whether a deletion in each entity may go through any number of levels: by references of an entity
    /// to itself, also by way of others.
    let mayBeDeep: [Bool]

    init(_ schema: StoreSchema, _ entities: [EntitySQL]) {
        var references: [[Reference]] = schema.entities.map { _ in [] }
        for (position, entity) in schema.entities.enumerated() {
            for (column, description) in entity.columns.enumerated() {
                guard let reference = description.reference, reference.onDelete == .cascade,
                    let target = schema.target(of: reference)
                else { continue }
                let (table, names) = (entities[position].table, entities[position].columns)
                references[target].append(
                    Reference(
                        entity: position,
                        find: "SELECT \(names[0]) FROM \(table) WHERE \(names[column]) = ? LIMIT 1",
                        unlink: entities[position].unlink(column)))
            }
        }
        self.references = references
        let deleted = references.indices.map { Self.deleted(with: $0, references) }
        mayBeDeep = references.indices.map { entity in
            deleted[entity].union([entity]).contains { deleted[$0].contains($0) }
        }
    }

    /// The entities of which rows are deleted with rows of an entity.
    private static func deleted(with entity: Int, _ references: [[Reference]]) -> Set<Int> {
        var deleted: Set<Int> = []
        var unvisited = [entity]
        while let current = unvisited.popLast() {
            for reference in references[current]
            where deleted.insert(reference.entity).inserted { unvisited.append(reference.entity) }
        }
        return deleted
    }
}
