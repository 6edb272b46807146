/// The entities that one store holds, checked against each other.
public struct StoreSchema: Sendable, Hashable {
    /// The entities, in an order in which each follows those that it refers to where no cycle
    /// prevents it.
    ///
    /// A position in this array names an entity at the boundary.
    public let entities: [EntitySchema]

    private let positions: [ObjectIdentifier: Int]
    /// The types of the first entities, for which a linear search is faster.
    @usableFromInline let firstTypes: [ObjectIdentifier]

    /// Checks and orders the entities.
    ///
    /// - Throws: ``StoreError`` with code `invalidSchema` for no entities, two entities with the same table, a
    ///   reference to an entity that is not among them, a name that cannot be used, a rule that
    ///   cannot be kept, or a column that cannot be searched.
    public init(_ entities: [EntitySchema]) throws {
        guard !entities.isEmpty else {
            throw StoreError(
                .invalidSchema,
                "The store was opened without entities. List all of them, as in open(.inMemory, entities: User.self)."
            )
        }
        for entity in entities { try entity.validate() }
        let tables = Dictionary(grouping: entities) { $0.table.lowercased() }
        if let duplicates = tables.values.first(where: { $0.count > 1 }) {
            let names = duplicates.map(\.typeName).joined(separator: " and ")
            throw StoreError(
                .invalidSchema,
                "\(names) ask for the same table \"\(duplicates[0].table)\". Give one of them another with @Entity(table:), and list each entity once."
            )
        }
        try Self.checkFormerTables(entities)
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
        firstTypes = ordered.prefix(16).map(\.type)
        self.positions = Dictionary(
            uniqueKeysWithValues: ordered.enumerated().map { ($1.type, $0) })
    }

    /// One former name cannot lead to two tables, nor can names be exchanged by declaring them.
    private static func checkFormerTables(_ entities: [EntitySchema]) throws {
        var owners: [String: EntitySchema] = [:]
        for entity in entities {
            for table in entity.formerTables {
                guard let other = owners.updateValue(entity, forKey: table.lowercased()) else {
                    continue
                }
                throw StoreError(
                    .invalidSchema,
                    "\(other.typeName) and \(entity.typeName) name \"\(table)\" as a former table. Name it once, for the entity that it has become.",
                    entity: entity.table)
            }
        }
        let declared = entities.map { NameMoves.Declared($0.table, former: $0.formerTables) }
        guard let cycle = NameMoves.cycle(among: declared) else { return }
        throw exchange(of: cycle, entities)
    }

    private static func exchange(of tables: [String], _ entities: [EntitySchema]) -> StoreError {
        let sources = tables.dropFirst() + tables.prefix(1)
        let advice = zip(tables, sources).map { table, source in
            let type = entities.first { $0.table == table }?.typeName ?? table
            return "@Entity(table: \"\(source)\") struct \(type)"
        }
        let list = tables.map { "\"\($0)\"" }.joined(separator: ", ")
        return StoreError(
            .invalidSchema,
            """
            The entities exchange their tables \(list) by naming each as the former table of another, \
            which cannot be told from an exchange that was made already. Let each entity keep its \
            table, \(advice.joined(separator: ", ")), without renamedFrom; or give the entities new \
            tables, and let a Migration transform the rows of the old ones into them and drop those.
            """, entity: tables[0])
    }

    /// The position of the entity of a Swift type, or `nil` if the store does not hold it.
    @inlinable
    public func position(of type: Any.Type) -> Int? {
        let type = ObjectIdentifier(type)
        for (position, other) in firstTypes.enumerated() where other == type { return position }
        return laterPosition(of: type)
    }

    @usableFromInline
    func laterPosition(of type: ObjectIdentifier) -> Int? { positions[type] }

    /// The position of the entity that a relation is about, or `nil` if the store does not hold it.
    public func position(of relation: StoreRelation) -> Int? { positions[relation.entity] }

    /// The position of the entity that a subquery is about.
    public func position(of query: StoreSubquery) -> Int? { positions[query.entity] }

    /// The position of the entity that a selection is about.
    public func position(of selection: StoreSelection) -> Int? { positions[selection.entity] }

    /// The position of the entity that a reference leads to.
    public func target(of reference: ColumnSchema.Reference) -> Int? { positions[reference.target] }

    /// The positions of all entities whose rows a deletion in `entity` may change or delete.
    public func affectedByDeletion(in entity: Int) -> Set<Int> {
        followingDeletion(in: entity).union([entity])
    }

    /// The positions of all entities of which rows may be changed or deleted since other rows, in
    /// `entity`, are deleted.
    ///
    /// `entity` itself is one of them if its rows refer to each other, also by way of rows of other
    /// entities.
    package func followingDeletion(in entity: Int) -> Set<Int> {
        var affected: Set<Int> = []
        // An entity may be nullified by one reference and deleted by another one.
        var deleted: Set<Int> = [entity]
        var unvisited = [entity]
        while let current = unvisited.popLast() {
            for (position, other) in entities.enumerated() {
                let rules = other.columns.compactMap(\.reference)
                    .filter { target(of: $0) == current && $0.onDelete != .deny }
                guard !rules.isEmpty else { continue }
                affected.insert(position)
                // A nullified reference changes its row but deletes nothing further.
                let isDeleted = rules.contains { $0.onDelete == .cascade }
                if isDeleted, deleted.insert(position).inserted { unvisited.append(position) }
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
