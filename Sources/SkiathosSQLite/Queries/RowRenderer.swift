import SkiathosStore

/// Writes expressions and conditions about a row as SQL.
///
/// Each subquery opens a scope: the rows of its entity under a name of their own. Columns of the
/// outermost rows are named alone, unless a subquery or a join needs their table's name.
struct RowRenderer {
    /// The rows that columns belong to.
    struct Scope {
        /// The prepared SQL of their entity.
        let entitySQL: EntitySQL
        /// The quoted name of the rows.
        let name: String
        /// Whether columns are written with it.
        var isQualified: Bool

        /// The column at a position.
        func column(_ position: Int) -> String {
            isQualified ? "\(name).\(entitySQL.columns[position])" : entitySQL.columns[position]
        }

        /// The column at a position, for use inside the scope of other rows.
        func outerColumn(_ position: Int) -> String { "\(name).\(entitySQL.columns[position])" }
    }

    /// The entities of the store.
    let schema: StoreSchema
    /// The prepared SQL, by the position of the entity.
    let entities: [EntitySQL]
    /// The SQL written so far.
    var text: SQLText
    /// The rows of the innermost subquery.
    private(set) var scope: Scope
    /// The rows around them, the outermost first.
    private var enclosing: [Scope] = []

    /// Whether the result is assigned to a column.
    var isAssigned = false

    /// The expressions that distinguish the result rows: the ID, or the keys of groups.
    var distinguishing: [StoreExpression] = [.column(0)]

    private var subqueries = 0

    /// Continues a text about the rows of an entity.
    init(_ requests: RequestRenderer, entity: Int, isQualified: Bool = false, _ text: SQLText) {
        schema = requests.schema
        entities = requests.entities
        self.text = text
        let entitySQL = requests.entities[entity]
        scope = Scope(entitySQL: entitySQL, name: entitySQL.table, isQualified: isQualified)
    }

    /// Runs a closure that writes about the rows of an entity, under a new name for them.
    ///
    /// The names begin with a prefix that tables must not have.
    mutating func withScope(
        of entity: Int, _ body: (inout RowRenderer, _ outer: Scope) throws -> Void
    ) rethrows {
        subqueries += 1
        let outer = scope
        let entitySQL = entities[entity]
        let name = SQLText.quote(Self.alias(subqueries, entitySQL.entity.table))
        try enter(Scope(entitySQL: entitySQL, name: name, isQualified: true)) {
            try body(&$0, outer)
        }
    }

    /// Runs a closure that writes about an outer row, which is the innermost one there.
    mutating func withOuterRow(
        _ row: OuterRow, for part: StorePart, _ body: (inout RowRenderer) throws -> Void
    ) throws {
        try enter(try outerRow(row, for: part), body)
    }

    /// An outer row.
    func outerRow(_ row: OuterRow, for part: StorePart) throws -> Scope {
        let distance = try row.distance(of: part, in: schema)
        guard enclosing.indices.contains(enclosing.count - distance) else {
            throw StoreError(
                .invalidRequest,
                "A query refers to the row \(distance) places further out, and \(enclosing.count) rows stand around. Count from the innermost one."
            )
        }
        var scope = enclosing[enclosing.count - distance]
        scope.isQualified = true
        return scope
    }

    private mutating func enter(
        _ inner: Scope, _ body: (inout RowRenderer) throws -> Void
    ) rethrows {
        let outer = scope
        enclosing.append(outer)
        scope = inner
        defer {
            enclosing.removeLast()
            scope = outer
        }
        try body(&self)
    }

    /// How many rows stand around the innermost ones.
    var depth: Int { enclosing.count }

    /// The entities of the rows, the innermost last.
    var rows: [EntitySchema] { enclosing.map(\.entitySQL.entity) + [scope.entitySQL.entity] }

    private static func alias(_ number: Int, _ table: String) -> String {
        "skiathos_\(number)_\(table)"
    }

    /// The table that stands under a name that was made for a subquery, or the name itself.
    static func table(named name: String) -> String {
        guard let match = name.prefixMatch(of: /skiathos_[0-9]+_/) else { return name }
        return String(name[match.range.upperBound...])
    }

    /// The rows of the innermost subquery as they stand behind `FROM`.
    var source: String { "\(scope.entitySQL.table) AS \(scope.name)" }

    /// The column at a position of the innermost rows.
    func column(_ position: Int) -> ColumnSchema { scope.entitySQL.entity.columns[position] }

    /// The position of the entity that a relation is about.
    func entity(of relation: StoreRelation) throws -> Int {
        guard let entity = schema.position(of: relation) else {
            throw unknown(relation.entityName)
        }
        return entity
    }

    /// The error for an entity that the store does not have.
    func unknown(_ entity: String) -> StoreError {
        StoreError(
            .invalidSchema,
            "A query asks for rows of \(entity), which is not among the entities of this store. Add \(entity).self when opening."
        )
    }

    /// The position of the entity that the reference at a position leads to.
    func target(ofReference position: Int) throws -> Int {
        guard let target = column(position).reference.flatMap({ schema.target(of: $0) }) else {
            throw StoreError(
                .invalidRequest,
                "A query follows \"\(scope.entitySQL.entity.table)\".\"\(column(position).name)\", which refers to no entity of this store.",
                entity: scope.entitySQL.entity.table, columns: [column(position).name])
        }
        return target
    }
}
