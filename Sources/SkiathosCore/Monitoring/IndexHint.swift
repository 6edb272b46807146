import SkiathosStore

/// The index that would spare a query a full scan, as advice in a sentence.
///
/// A guess by the shape of the request: a column that is compared for equality narrows rows
/// down better than one that is compared by order. The first sort key helps where neither
/// exists.
struct IndexHint {
    let sentence: String

    init(
        _ request: FetchRequest?, _ explanation: Result<QueryExplanation, any Error>,
        _ schema: StoreSchema
    ) {
        guard case .success(let explanation) = explanation, !explanation.fullScans.isEmpty else {
            sentence = "Ask for less, or allow more."
            return
        }
        guard let request, schema.entities.indices.contains(request.entity),
            explanation.fullScans.contains(schema.entities[request.entity].table)
        else {
            let tables = explanation.fullScans.map { "\"\($0)\"" }.joined(separator: ", ")
            sentence =
                "It walks through \(tables): mark a column of its condition @Indexed, or allow more."
            return
        }
        sentence = Self.advice(request, schema.entities[request.entity])
    }

    private static func advice(_ request: FetchRequest, _ entity: EntitySchema) -> String {
        let candidates = candidates(of: request)
        if let column = candidates.first(where: { !hasIndex($0, entity) }) {
            return "Mark \(entity.typeName).\(entity.columns[column].name) @Indexed."
        }
        if request.predicate == nil {
            return
                "It walks through all rows of \(entity.typeName): give it a condition or a limit, or allow more."
        }
        return
            "Its condition cannot be looked up in an index of \(entity.typeName): compare an indexed column for equality, order or a prefix, with regard to case, or allow more."
    }

    /// The columns by which an index could find or order the rows, the most useful first.
    private static func candidates(of request: FetchRequest) -> [Int] {
        var equal: [Int] = []
        var ordered: [Int] = []
        collect(request.predicate, &equal, &ordered)
        if let key = request.order.first, case .column(let column) = key.expression {
            ordered.append(column)
        }
        return equal + ordered
    }

    private static func collect(
        _ predicate: StorePredicate?, _ equal: inout [Int], _ ordered: inout [Int]
    ) {
        switch predicate {
        case .comparison(.column(let column), .equal, .value),
            .contained(.column(let column), _), .through(let column, _):
            equal.append(column)
        case .comparison(.column, .notEqual, _): break
        case .comparison(.column(let column), _, .value), .match(.column(let column), .prefix, _):
            ordered.append(column)
        // Each alternative needs an index, so all of them are candidates.
        case .all(let parts), .any(let parts):
            for part in parts { collect(part, &equal, &ordered) }
        default: break
        }
    }

    /// Whether an index begins with a column already.
    private static func hasIndex(_ column: Int, _ entity: EntitySchema) -> Bool {
        column == 0 || entity.indexedColumns.contains(column)
            || entity.uniqueKeys.contains { $0.first == column }
            || entity.columns[column].reference != nil
    }
}
