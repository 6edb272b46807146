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
        if let predicate = request.predicate { visit(.predicate(predicate), [request.entity]) }
        for key in request.order { visit(.expression(key.expression), [request.entity]) }
    }

    mutating func visit(_ request: ProjectionRequest) {
        visit(request.rows, columns: .all)
        let rows = [request.rows.entity]
        for expression in request.results + request.groups { visit(.expression(expression), rows) }
        if let having = request.having { visit(.predicate(having), rows) }
    }

    /// Visits a part about the last of some rows, which stand in each other, by their entities.
    private mutating func visit(_ part: StorePart, _ rows: [Int]) {
        let entered = entity(enteredBy: part, rows)
        // An outer row is one of those that are looked at already.
        if let entered, !part.isOuter { whole.insert(entered) }
        var parts: [(StorePart, rows: Int)] = []
        part.forEachPart { parts.append(($0, $1)) }
        for (inner, count) in parts {
            guard count > 0 else {
                visit(inner, rows)
                continue
            }
            // An entity that the store does not have is refused when the request is run.
            if let entered { visit(inner, rows + [entered]) }
        }
    }

    /// The entity whose rows the parts of a part are about, where these are others than its own.
    private func entity(enteredBy part: StorePart, _ rows: [Int]) -> Int? {
        let own = rows[rows.count - 1]
        switch part {
        case .expression(.through(let reference, _)), .predicate(.through(let reference, _)):
            return schema.entities[own].columns[reference].reference
                .flatMap { schema.target(of: $0) }
        case .expression(.related(let relation, _, _)), .predicate(.related(let relation, _)):
            return schema.position(of: relation)
        case .expression(.subquery(let query)): return schema.position(of: query)
        case .predicate(.containedIn(_, let selection)): return schema.position(of: selection)
        case .expression(.outer(.distance(let distance), _)),
            .predicate(.outer(.distance(let distance), _)):
            return distance < rows.count ? rows[rows.count - 1 - distance] : nil
        case .predicate(.descent), .predicate(.among): return own
        case .expression, .predicate: return nil
        }
    }
}
