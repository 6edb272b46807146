#if Hummingbird
internal import SkiathosPlatformFoundation
public import SkiathosCore
internal import SkiathosStore

/// What a client of a live list receives: all rows, or how they have changed.
public enum ListEvent<E: Entity>: Sendable {
    /// All rows, in order, in place of those that the client has.
    case reset([E])
    /// The difference between the rows that the client has and the present ones.
    case difference(ListDifference<E>)

    /// The name of the event: `reset` or `difference`.
    public var name: String {
        switch self {
        case .reset: "reset"
        case .difference: "difference"
        }
    }
}

extension ListEvent: Encodable where E: Encodable, E.RawID: Encodable {
    private enum Key: CodingKey {
        case removed, moved, inserted, updated, index, id, from, to, row
    }

    /// Encodes a reset as an array of rows, and a difference as an object with `removed`, `moved`,
    /// `inserted` and `updated`, without those that are empty.
    ///
    /// ```json
    /// {"removed":[{"index":3,"id":7}],"moved":[{"from":0,"to":2,"id":1}],
    ///  "inserted":[{"index":0,"row":{"id":9,"name":"Ada"}}]}
    /// ```
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .reset(let rows):
            var container = encoder.singleValueContainer()
            try container.encode(rows)
        case .difference(let difference):
            var container = encoder.container(keyedBy: Key.self)
            try container.encodeEach(difference.removed, .removed) { item, removal in
                try item.encode(removal.index, forKey: .index)
                try item.encode(removal.id, forKey: .id)
            }
            try container.encodeEach(difference.moved, .moved) { item, move in
                try item.encode(move.from, forKey: .from)
                try item.encode(move.to, forKey: .to)
                try item.encode(move.id, forKey: .id)
            }
            for (key, rows) in [
                (Key.inserted, difference.inserted), (.updated, difference.updated),
            ] {
                try container.encodeEach(rows, key) { item, row in
                    try item.encode(row.index, forKey: .index)
                    try item.encode(row.element, forKey: .row)
                }
            }
        }
    }
}

extension KeyedEncodingContainer {
    /// Encodes an array of objects, unless it is empty.
    fileprivate mutating func encodeEach<Element>(
        _ elements: [Element], _ key: Key,
        _ encode: (inout KeyedEncodingContainer<Key>, Element) throws -> Void
    ) throws {
        guard !elements.isEmpty else { return }
        var array = nestedUnkeyedContainer(forKey: key)
        for element in elements {
            var item = array.nestedContainer(keyedBy: Key.self)
            try encode(&item, element)
        }
    }
}

/// JSON as servers of Hummingbird write it unless told otherwise: dates in ISO 8601.
func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}
#endif
