/// The entities that decide the result of a request.
extension FetchRequest {
    /// The positions of the entity itself and of all others in its condition and sort keys.
    public func readEntities(in schema: StoreSchema) -> Set<Int> {
        var found = ReadEntities(schema)
        found.visit(self)
        return found.entities
    }
}

extension ProjectionRequest {
    /// The positions of the entity itself and of all that the request looks at.
    public func readEntities(in schema: StoreSchema) -> Set<Int> {
        var found = ReadEntities(schema)
        found.visit(rows)
        for expression in results + groups { found.visit(expression, rows.entity) }
        if let having { found.visit(having, rows.entity) }
        return found.entities
    }
}

/// Collects the entities of expressions and conditions.
private struct ReadEntities {
    let schema: StoreSchema
    private(set) var entities: Set<Int> = []

    init(_ schema: StoreSchema) { self.schema = schema }

    mutating func visit(_ request: FetchRequest) {
        entities.insert(request.entity)
        if let predicate = request.predicate { visit(predicate, request.entity) }
        for key in request.order { visit(key.expression, request.entity) }
    }

    mutating func visit(_ expression: StoreExpression, _ entity: Int) {
        switch expression {
        case .column, .value: break
        case .arithmetic(_, let left, let right, _), .coalesce(let left, let right):
            visit(left, entity)
            visit(right, entity)
        case .call(_, let arguments): for argument in arguments { visit(argument, entity) }
        case .choose(let condition, let first, let second):
            visit(condition, entity)
            visit(first, entity)
            visit(second, entity)
        case .through(let reference, let inner):
            if let target = enter(reference, of: entity) { visit(inner, target) }
        case .related(let relation, let aggregate, let condition):
            guard let related = enter(relation) else { return }
            if let argument = aggregate.argument { visit(argument, related) }
            if let condition { visit(condition, related) }
        case .aggregate(let aggregate):
            if let argument = aggregate.argument { visit(argument, entity) }
        case .window(let window): for part in window.parts { visit(part, entity) }
        case .subquery(let query):
            guard let asked = schema.position(of: query) else { return }
            entities.insert(asked)
            if let argument = query.aggregate.argument { visit(argument, asked) }
            if let condition = query.condition { visit(condition, asked) }
        }
    }

    mutating func visit(_ predicate: StorePredicate, _ entity: Int) {
        switch predicate {
        // A descent stays in the entity.
        case .constant, .descent, .search: break
        case .comparison(let left, _, let right), .match(let left, _, let right):
            visit(left, entity)
            visit(right, entity)
        case .contained(let expression, _): visit(expression, entity)
        case .through(let reference, let condition):
            if let target = enter(reference, of: entity) { visit(condition, target) }
        case .related(let relation, let condition):
            if let related = enter(relation), let condition { visit(condition, related) }
        case .among(let rows):
            if let condition = rows.condition { visit(condition, entity) }
            for key in rows.order { visit(key.expression, entity) }
        case .all(let parts), .any(let parts): for part in parts { visit(part, entity) }
        case .not(let part): visit(part, entity)
        }
    }

    private mutating func enter(_ reference: Int, of entity: Int) -> Int? {
        guard
            let target = schema.entities[entity].columns[reference].reference
                .flatMap({ schema.target(of: $0) })
        else { return nil }
        entities.insert(target)
        return target
    }

    private mutating func enter(_ relation: StoreRelation) -> Int? {
        guard let related = schema.position(of: relation) else { return nil }
        entities.insert(related)
        return related
    }
}
