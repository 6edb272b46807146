/// The rows of one entity on which the result of a read depends.
///
/// ```swift
/// FetchRequest(entity: 0, predicate: age >= 18).dependencies(in: schema)
/// // [the rows of entity 0 that meet age >= 18 before or after a change]
/// ```
package struct ReadDependency: Sendable, Hashable {
    /// The position of the entity in the store's schema.
    package var entity: Int
    /// A changed row matters only if it meets this condition before or after the change; without
    /// one, every row matters.
    package var predicate: StorePredicate?
    /// A row that meets the condition before and after the change matters only if the change has
    /// set one of these columns to another value.
    package var columns: ColumnSet

    /// Makes a dependency on rows, or on all rows of an entity.
    package init(
        entity: Int, predicate: StorePredicate? = nil, columns: ColumnSet = .all
    ) {
        self.entity = entity
        self.predicate = predicate
        self.columns = columns
    }

    /// Whether every change of a row of the entity matters.
    package var isWhole: Bool { predicate == nil && columns == .all }
}

extension FetchRequest {
    /// The dependencies of the rows of the request.
    ///
    /// A limit does not narrow them: a row outside of a page moves others into it.
    package func dependencies(in schema: StoreSchema) -> [ReadDependency] {
        var found = DependencyCollector(schema)
        found.visit(self, columns: .all)
        return found.dependencies
    }

    /// The dependencies of the number of rows of the request, or of whether there is any.
    package func countDependencies(in schema: StoreSchema) -> [ReadDependency] {
        var found = DependencyCollector(schema)
        found.visit(self, columns: predicateColumns)
        return found.dependencies
    }

    /// The columns by which the condition selects rows; all of them where it is unknown.
    private var predicateColumns: ColumnSet {
        var request = self
        request.order = []
        return request.readColumns ?? .all
    }
}

extension ProjectionRequest {
    /// The dependencies of the results.
    package func dependencies(in schema: StoreSchema) -> [ReadDependency] {
        var found = DependencyCollector(schema)
        found.visit(self)
        return found.dependencies
    }
}

extension UnionRequest {
    /// The dependencies of the results of all parts.
    package func dependencies(in schema: StoreSchema) -> [ReadDependency] {
        var found = DependencyCollector(schema)
        for part in parts { found.visit(part) }
        return found.dependencies
    }
}

/// Collects the dependencies of requests.
///
/// The condition of a request decides about its own rows. Entities that a nested part reads, the own
/// one included, are dependencies as a whole: which of their rows matter depends on other rows.
private struct DependencyCollector {
    let schema: StoreSchema
    private var own: [ReadDependency] = []
    private var whole: Set<Int> = []

    init(_ schema: StoreSchema) { self.schema = schema }

    var dependencies: [ReadDependency] {
        own.filter { !whole.contains($0.entity) }
            + whole.sorted().map { ReadDependency(entity: $0) }
    }

    mutating func visit(_ request: FetchRequest, columns: ColumnSet) {
        own.append(
            ReadDependency(
                entity: request.entity, predicate: request.predicate, columns: columns))
        if let predicate = request.predicate { visit(predicate, request.entity) }
        for key in request.order { visit(key.expression, request.entity) }
    }

    mutating func visit(_ request: ProjectionRequest) {
        visit(request.rows, columns: .all)
        for expression in request.results + request.groups {
            visit(expression, request.rows.entity)
        }
        if let having = request.having { visit(having, request.rows.entity) }
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
            whole.insert(asked)
            if let argument = query.aggregate.argument { visit(argument, asked) }
            if let condition = query.condition { visit(condition, asked) }
        }
    }

    mutating func visit(_ predicate: StorePredicate, _ entity: Int) {
        switch predicate {
        case .constant, .search: break
        case .descent: whole.insert(entity)
        case .comparison(let left, _, let right), .match(let left, _, let right):
            visit(left, entity)
            visit(right, entity)
        case .contained(let expression, _): visit(expression, entity)
        case .through(let reference, let condition):
            if let target = enter(reference, of: entity) { visit(condition, target) }
        case .related(let relation, let condition):
            if let related = enter(relation), let condition { visit(condition, related) }
        case .among(let rows):
            whole.insert(entity)
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
        whole.insert(target)
        return target
    }

    private mutating func enter(_ relation: StoreRelation) -> Int? {
        guard let related = schema.position(of: relation) else { return nil }
        whole.insert(related)
        return related
    }
}
