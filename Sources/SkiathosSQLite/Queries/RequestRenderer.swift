import SkiathosStore

/// Writes requests as SQL.
///
/// Values are always parameters, never part of the text.
struct RequestRenderer: Sendable {
    /// The entities of the store.
    let schema: StoreSchema
    /// The prepared SQL, by the position of the entity.
    let entities: [EntitySQL]

    /// Writes for the entities of a schema.
    init(_ schema: StoreSchema) {
        self.schema = schema
        entities = schema.entities.map(EntitySQL.init)
    }

    /// All columns of the rows.
    func select(_ request: FetchRequest) throws -> SQLText {
        try select(entities[request.entity].columnList, request)
    }

    /// The IDs of the rows.
    func selectIDs(_ request: FetchRequest) throws -> SQLText {
        try select(entities[request.entity].columns[0], request)
    }

    /// The number of the rows.
    func count(_ request: FetchRequest) throws -> SQLText {
        try request.checkAggregates(in: schema)
        var request = request
        request.order = []
        guard hasWindow(request) else { return try select("count(*)", request) }
        var text = try select("1", request)
        text.sql = "SELECT count(*) FROM (\(text.sql))"
        return text
    }

    /// 1 if there is any row, else 0.
    func exists(_ request: FetchRequest) throws -> SQLText {
        try request.checkAggregates(in: schema)
        var request = request
        request.order = []
        var text = try select("1", request)
        text.sql = "SELECT EXISTS (\(text.sql))"
        return text
    }

    /// Deletes the rows.
    func delete(_ request: FetchRequest) throws -> SQLText {
        try request.checkAggregates(in: schema)
        var text = SQLText("DELETE FROM \(entities[request.entity].table)")
        try appendTarget(request, to: &text)
        return text
    }

    /// Changes the rows.
    func update(_ request: FetchRequest, _ assignments: [StoreAssignment]) throws -> SQLText {
        try request.checkAggregates(in: schema)
        for assignment in assignments {
            try assignment.checkAggregates(of: request, in: schema)
        }
        if request.predicate?.readsOtherRows == true
            || assignments.contains(where: \.readsOtherRows)
        {
            return try updateFromSelection(request, assignments)
        }
        let entitySQL = entities[request.entity]
        var text = SQLText("UPDATE \(entitySQL.table) SET ")
        for (position, assignment) in assignments.enumerated() {
            if position > 0 { text.append(", ") }
            try append(assignment, request.entity, to: &text)
        }
        try appendTarget(request, to: &text)
        return text
    }

    private func append(
        _ assignment: StoreAssignment, _ entity: Int, to text: inout SQLText
    ) throws {
        text.append("\(entities[entity].columns[assignment.column]) = ")
        try appendValue(of: assignment, entity, to: &text)
    }

    /// Appends what a column is given.
    func appendValue(
        of assignment: StoreAssignment, _ entity: Int, to text: inout SQLText
    ) throws {
        try append(to: &text, entity) { try $0.appendValue(of: assignment, entity) }
    }

    /// Appends the target rows of a statement that has no limit and offset.
    private func appendTarget(_ request: FetchRequest, to text: inout SQLText) throws {
        guard hasWindow(request) else { return try appendCondition(request, to: &text) }
        let id = entities[request.entity].columns[0]
        let rows = try selectIDs(request)
        text.append(" WHERE \(id) IN (\(rows.sql))")
        text.parameters += rows.parameters
    }

    private func select(_ what: String, _ request: FetchRequest) throws -> SQLText {
        try request.checkAggregates(in: schema)
        var text = SQLText("SELECT \(what) FROM \(entities[request.entity].table)")
        try appendCondition(request, to: &text)
        try appendOrder(request, to: &text)
        appendWindow(request, to: &text)
        return text
    }

    /// Limits the rows or results.
    func appendWindow(_ request: FetchRequest, to text: inout SQLText) {
        guard hasWindow(request) else { return }
        // A negative limit is none.
        text.append(" LIMIT ")
        text.append(.integer(request.limit.map { Int64(max(0, $0)) } ?? -1))
        guard request.offset > 0 else { return }
        text.append(" OFFSET ")
        text.append(.integer(Int64(request.offset)))
    }

    func hasWindow(_ request: FetchRequest) -> Bool {
        request.limit != nil || request.offset > 0
    }

    func appendCondition(_ request: FetchRequest, to text: inout SQLText) throws {
        guard let predicate = request.predicate else { return }
        text.append(" WHERE ")
        try append(to: &text, request.entity) { try $0.append(predicate) }
    }

    func appendOrder(_ request: FetchRequest, to text: inout SQLText) throws {
        guard !request.order.isEmpty || hasWindow(request) else { return }
        var order = request.order
        // The ID as the last key makes the order deterministic.
        if !order.contains(where: { $0.expression == .column(0) }) {
            order.append(.init(.column(0), descending: false))
        }
        try append(order, request.entity, to: &text)
    }

    /// Appends sort keys.
    ///
    /// - Parameter keys: The expressions that distinguish the result rows.
    func append(
        _ order: [FetchRequest.Order], _ entity: Int, _ keys: [StoreExpression] = [.column(0)],
        to text: inout SQLText
    ) throws {
        for (position, key) in order.enumerated() {
            text.append(position == 0 ? " ORDER BY " : ", ")
            try append(to: &text, entity) { renderer in
                renderer.distinguishing = keys
                try renderer.appendCollated(key.expression)
            }
            if key.descending { text.append(" DESC") }
        }
    }

    /// Runs a closure that writes about the rows of an entity.
    func append(
        to text: inout SQLText, _ entity: Int, isQualified: Bool = false,
        _ body: (inout RowRenderer) throws -> Void
    ) throws {
        var renderer = RowRenderer(self, entity: entity, isQualified: isQualified, text)
        try body(&renderer)
        text = renderer.text
    }
}
