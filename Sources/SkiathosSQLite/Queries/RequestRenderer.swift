import SkiathosStore

/// Writes requests as SQL.
///
/// Values are always parameters, never part of the text.
struct RequestRenderer: Sendable {
    /// The prepared texts, by the position of the entity.
    let entities: [EntityTexts]

    /// Writes for the entities of a schema.
    init(_ schema: StoreSchema) { entities = schema.entities.map(EntityTexts.init) }

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
        var request = request
        request.order = []
        guard hasWindow(request) else { return try select("count(*)", request) }
        var text = try select("1", request)
        text.sql = "SELECT count(*) FROM (\(text.sql))"
        return text
    }

    /// 1 if there is any row, else 0.
    func exists(_ request: FetchRequest) throws -> SQLText {
        var request = request
        request.order = []
        var text = try select("1", request)
        text.sql = "SELECT EXISTS (\(text.sql))"
        return text
    }

    /// Deletes the rows.
    func delete(_ request: FetchRequest) throws -> SQLText {
        var text = SQLText("DELETE FROM \(entities[request.entity].table)")
        try appendTarget(request, to: &text)
        return text
    }

    /// Changes the rows.
    func update(_ request: FetchRequest, _ assignments: [StoreAssignment]) throws -> SQLText {
        let texts = entities[request.entity]
        var text = SQLText("UPDATE \(texts.table) SET ")
        for (position, assignment) in assignments.enumerated() {
            if position > 0 { text.append(", ") }
            append(assignment, texts, to: &text)
        }
        try appendTarget(request, to: &text)
        return text
    }

    private func append(
        _ assignment: StoreAssignment, _ texts: EntityTexts, to text: inout SQLText
    ) {
        let column = texts.columns[assignment.column]
        let isDecimal = texts.entity.columns[assignment.column].storage == .decimal
        switch assignment.operation {
        case .set(let value):
            text.append("\(column) = ")
            text.append(value)
        case .add(let value):
            text.append(
                isDecimal
                    ? "\(column) = \(DecimalSum.function)(\(column), " : "\(column) = \(column) + ")
            text.append(value)
            if isDecimal { text.append(")") }
        }
    }

    /// The rows that a statement without window of its own is about.
    private func appendTarget(_ request: FetchRequest, to text: inout SQLText) throws {
        guard hasWindow(request) else { return try appendCondition(request, to: &text) }
        let id = entities[request.entity].columns[0]
        let rows = try selectIDs(request)
        text.append(" WHERE \(id) IN (\(rows.sql))")
        text.parameters += rows.parameters
    }

    private func select(_ what: String, _ request: FetchRequest) throws -> SQLText {
        var text = SQLText("SELECT \(what) FROM \(entities[request.entity].table)")
        try appendCondition(request, to: &text)
        appendOrder(request, to: &text)
        guard hasWindow(request) else { return text }
        // A negative limit is none.
        text.append(" LIMIT ")
        text.append(.integer(request.limit.map { Int64(max(0, $0)) } ?? -1))
        if request.offset > 0 {
            text.append(" OFFSET ")
            text.append(.integer(Int64(request.offset)))
        }
        return text
    }

    private func hasWindow(_ request: FetchRequest) -> Bool {
        request.limit != nil || request.offset > 0
    }

    private func appendCondition(_ request: FetchRequest, to text: inout SQLText) throws {
        guard let predicate = request.predicate else { return }
        var renderer = PredicateRenderer(entities[request.entity])
        try renderer.append(predicate)
        text.append(" WHERE " + renderer.text.sql)
        text.parameters += renderer.text.parameters
    }

    private func appendOrder(_ request: FetchRequest, to text: inout SQLText) {
        guard !request.order.isEmpty || hasWindow(request) else { return }
        let texts = entities[request.entity]
        let renderer = PredicateRenderer(texts)
        var keys = request.order.map {
            renderer.sortExpression($0.operand) + ($0.descending ? " DESC" : "")
        }
        // The ID as the last key makes the order the same every time.
        if !request.order.contains(where: { $0.operand == ColumnOperand(0) }) {
            keys.append(texts.columns[0])
        }
        text.append(" ORDER BY " + keys.joined(separator: ", "))
    }
}
