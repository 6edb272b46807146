extension RowSource {
    /// The IDs of the rows, for a backend that does not only pass them on.
    package func storedIDs() throws -> [StoreValue] {
        var ids: [StoreValue] = []
        try withUnsafeMutablePointer(to: &ids) { pointer in
            var sink = RowSink(
                statement: OpaquePointer(pointer), functions: CollectionFunctions.table.pointer)
            try sendIDs(to: &sink)
        }
        return ids
    }
}

/// Functions that append to an array in place of a statement; nothing can be read from it.
private enum CollectionFunctions {
    static let table = StatementFunctions(
        row: 1, done: 0, step: { _ in 0 }, execute: { _ in 0 }, reading: CaptureFunctions.reading,
        binding: binding
    ).permanent

    private static let binding = StatementFunctions.Binding(
        null: { target, _ in CollectionFunctions.append(.null, to: target) },
        integer: { target, _, value in CollectionFunctions.append(.integer(value), to: target) },
        real: { target, _, value in CollectionFunctions.append(.real(value), to: target) },
        text: { target, _, start, count in
            let bytes = UnsafeRawBufferPointer(start: start, count: count)
            let text = String(decoding: bytes, as: UTF8.self)
            return CollectionFunctions.append(.text(text), to: target)
        },
        blob: { target, _, start, count in
            let bytes = UnsafeRawBufferPointer(start: start, count: count)
            return CollectionFunctions.append(.blob(Array(bytes)), to: target)
        })

    private static func append(_ value: StoreValue, to target: OpaquePointer?) -> Int32 {
        UnsafeMutablePointer<[StoreValue]>(target)?.pointee.append(value)
        return 0
    }
}
