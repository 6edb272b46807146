/// The entities that one store holds, checked against each other.
public struct StoreSchema: Sendable, Hashable {
    /// The entities, in an order in which each follows those that it refers to where no cycle
    /// prevents it.
    ///
    /// A position in this array names an entity at the boundary.
    public let entities: [EntitySchema]

    private let positions: [ObjectIdentifier: Int]

    /// Checks and orders the entities.
    ///
    /// - Throws: ``StoreError`` with code `invalidSchema` for no entities, two entities with the same table, a
    ///   reference to an entity that is not among them, a name that cannot be used, or a rule
    ///   that cannot be kept.
    public init(_ entities: [EntitySchema]) throws {
        guard !entities.isEmpty else {
            throw StoreError(
                .invalidSchema,
                "The store was opened without entities. List all of them, as in open(.inMemory, entities: User.self)."
            )
        }
        for entity in entities { try entity.validate() }
        let tables = Dictionary(grouping: entities) { $0.table.lowercased() }
        if let twins = tables.values.first(where: { $0.count > 1 }) {
            let names = twins.map(\.typeName).joined(separator: " and ")
            throw StoreError(
                .invalidSchema,
                "\(names) ask for the same table \"\(twins[0].table)\". Give one of them another with @Entity(table:), and list each entity once."
            )
        }
        let types = Set(entities.map(\.type))
        for entity in entities {
            for column in entity.columns {
                guard let reference = column.reference, !types.contains(reference.target) else {
                    continue
                }
                throw StoreError(
                    .invalidSchema,
                    "\(entity.typeName).\(column.name) refers to \(reference.targetName), which is not among the entities of this store. Add \(reference.targetName).self when opening.",
                    entity: entity.table, columns: [column.name])
            }
        }
        let ordered = Self.dependencyOrder(entities)
        self.entities = ordered
        self.positions = Dictionary(
            uniqueKeysWithValues: ordered.enumerated().map { ($1.type, $0) })
    }

    /// The position of the entity of a Swift type, or `nil` if the store does not hold it.
    public func position(of type: Any.Type) -> Int? { positions[ObjectIdentifier(type)] }

    /// The position of the entity that a reference leads to.
    public func target(of reference: ColumnSchema.Reference) -> Int? { positions[reference.target] }

    /// The positions of all entities whose rows a deletion in `entity` may change or delete.
    public func affectedByDeletion(in entity: Int) -> Set<Int> {
        var affected: Set<Int> = [entity]
        var unvisited = [entity]
        while let current = unvisited.popLast() {
            for (position, other) in entities.enumerated() where !affected.contains(position) {
                let rules = other.columns.compactMap(\.reference)
                    .filter { target(of: $0) == current && $0.onDelete != .deny }
                guard !rules.isEmpty else { continue }
                affected.insert(position)
                // A nullified reference changes its row but deletes nothing further.
                if rules.contains(where: { $0.onDelete == .cascade }) { unvisited.append(position) }
            }
        }
        return affected
    }

    /// Depth-first topological order; an edge that would close a cycle is left out.
    private static func dependencyOrder(_ entities: [EntitySchema]) -> [EntitySchema] {
        let byType = Dictionary(uniqueKeysWithValues: entities.map { ($0.type, $0) })
        var visited: Set<ObjectIdentifier> = []
        var ordered: [EntitySchema] = []
        func visit(_ entity: EntitySchema) {
            guard visited.insert(entity.type).inserted else { return }
            for reference in entity.columns.compactMap(\.reference) {
                if let target = byType[reference.target] { visit(target) }
            }
            ordered.append(entity)
        }
        entities.forEach(visit)
        return ordered
    }
}

extension EntitySchema {
    fileprivate func validate() throws {
        let lowercased = table.lowercased()
        guard !table.isEmpty, !lowercased.hasPrefix("sqlite_"), !lowercased.hasPrefix("skiathos_"),
            !table.utf8.contains(0)
        else {
            throw StoreError(
                .invalidSchema,
                "\(typeName) asks for the table \"\(table)\". A table needs a name that does not begin with sqlite_ or skiathos_."
            )
        }
        let names = Dictionary(grouping: columns) { $0.name.lowercased() }
        if let twins = names.values.first(where: { $0.count > 1 }) {
            throw StoreError(
                .invalidSchema,
                "\(typeName) has more than one column named \(twins[0].name); the database does not tell upper from lower case.",
                entity: table, columns: twins.map(\.name))
        }
        if columns.contains(where: { $0.name.isEmpty || $0.name.utf8.contains(0) }) {
            throw StoreError(
                .invalidSchema, "\(typeName) has a column without a name, or with NUL in its name.",
                entity: table)
        }
        if columns[0].isOptional || columns[0].storage == .real || columns[0].storage == .decimal {
            throw StoreError(
                .invalidSchema,
                "The ID of \(typeName) must be an integer, text or bytes, and cannot be optional.",
                entity: table, columns: ["id"])
        }
        for column in columns where column.askedDeleteRule != nil && column.reference == nil {
            throw StoreError(
                .invalidSchema,
                "\(typeName).\(column.name) has a delete rule but refers to nothing. Give it the type of an entity's ID, such as User.ID, or take the rule away.",
                entity: table, columns: [column.name])
        }
        for column in columns where column.reference?.onDelete == .nullify && !column.isOptional {
            throw StoreError(
                .invalidSchema,
                "\(typeName).\(column.name) is nullified when its target is deleted, so it must be optional. Make it optional or choose .cascade or .deny.",
                entity: table, columns: [column.name])
        }
    }
}
