/// One of the results of a union, as a sort key.
public struct ResultColumn<Value: Sendable>: Sendable {
    let position: Int

    /// Small values first; rows without one come before all.
    public var ascending: ResultOrdering { ResultOrdering(result: position, descending: false) }

    /// Large values first; rows without one come after all.
    public var descending: ResultOrdering { ResultOrdering(result: position, descending: true) }
}

/// One sort key of a union.
public struct ResultOrdering: Sendable {
    let result: Int
    let descending: Bool
}

/// Returns the results in their order.
struct ResultColumns {
    private var position = 0

    mutating func next<Value>(_ type: Value.Type) -> ResultColumn<Value> {
        defer { position += 1 }
        return ResultColumn(position: position)
    }
}
