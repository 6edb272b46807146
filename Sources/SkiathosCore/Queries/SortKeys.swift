import SkiathosStore

/// The sort keys of a query, which together identify every row.
struct SortKeys {
    /// The keys; the last is the ID.
    let keys: [FetchRequest.Order]
    /// How the values of each key are stored.
    let storages: [StorageClass]
    private let entity: EntitySchema

    init<E: Entity>(_ query: Query<E>, _ request: FetchRequest) {
        entity = E.schema
        let isID: (FetchRequest.Order) -> Bool = { $0.expression == .column(0) }
        // Keys after the ID have no effect.
        let end = request.order.firstIndex(where: isID) ?? request.order.count
        let id =
            end < request.order.count ? request.order[end] : .init(.column(0), descending: false)
        keys = request.order[..<end] + [id]
        storages = query.orderings[..<end].map(\.storage) + [entity.columns[0].storage]
    }

    /// Names the entity and the keys, so that a token of another query is detected.
    var signature: String {
        let words = keys.map { "\($0.expression) \($0.descending)" }.joined(separator: ", ")
        return String(Fingerprint.hash("\(entity.table): \(words)"), radix: 36)
    }

    /// The values that a token holds, or `nil` if they cannot be values of these keys.
    ///
    /// SQLite would compare values of another storage class nevertheless, as smaller or larger
    /// than every value of the key.
    func values(_ values: [PagePosition.KeyValue]) -> [StoreValue]? {
        guard values.count == keys.count else { return nil }
        var result: [StoreValue] = []
        for (index, value) in values.enumerated() {
            guard let value = value.value(of: storages[index], isOptional: isOptional(keys[index]))
            else { return nil }
            result.append(value)
        }
        return result
    }

    /// Whether a key can be `nil`; a computed one may be.
    private func isOptional(_ key: FetchRequest.Order) -> Bool {
        guard case .column(let column) = key.expression else { return true }
        return entity.columns[column].isOptional
    }

    /// The rows that come after the one with these values.
    func following(_ values: [StoreValue]) -> StorePredicate {
        var alternatives: [StorePredicate] = []
        var equal: [StorePredicate] = []
        for (key, value) in zip(keys, values) {
            alternatives.append(.all(equal + [following(key, value)]))
            equal.append(.comparison(key.expression, .equal, .value(value)))
        }
        guard let key = keys.first, let value = values.first, let bound = bound(key, value) else {
            return .any(alternatives)
        }
        // Repeats a consequence of the alternatives, in a form that an index can serve.
        return .all([bound, .any(alternatives)])
    }

    /// A larger value of a key, or a smaller one if it descends; no value is the smallest.
    private func following(_ key: FetchRequest.Order, _ value: StoreValue) -> StorePredicate {
        let none = StoreExpression.value(.null)
        switch (key.descending, value) {
        case (false, .null): return .comparison(key.expression, .notEqual, none)
        case (false, _): return .comparison(key.expression, .greater, .value(value))
        case (true, .null): return .constant(false)
        case (true, _):
            return .any([
                .comparison(key.expression, .less, .value(value)),
                .comparison(key.expression, .equal, none),
            ])
        }
    }

    private func bound(_ key: FetchRequest.Order, _ value: StoreValue) -> StorePredicate? {
        guard keys.count > 1, value != .null, case .column(let column) = key.expression else {
            return nil
        }
        if !key.descending { return .comparison(key.expression, .greaterOrEqual, .value(value)) }
        guard !entity.columns[column].isOptional else { return nil }
        return .comparison(key.expression, .lessOrEqual, .value(value))
    }
}
