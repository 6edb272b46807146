/// A row made of values, which can be decoded like one of a store.
///
/// Not `Sendable`: reading from it stores the bytes that were read last.
public final class ValueRow {
    private let values: [StoreValue]
    /// The bytes of the texts that were read, by column, so that their addresses stay valid.
    private var texts: [Int: UnsafeMutableRawBufferPointer] = [:]

    /// Makes a row; position 0 holds the first value.
    public init(_ values: [StoreValue]) { self.values = values }

    deinit { for buffer in texts.values { buffer.deallocate() } }

    /// Runs a closure that decodes the row; the reader is valid only inside it.
    ///
    /// ```swift
    /// let user = try ValueRow([.integer(1), .text("Ada")]).read { try User(row: $0) }
    /// ```
    public func read<R>(_ body: (RowReader) throws -> R) rethrows -> R {
        try withExtendedLifetime(self) {
            try body(
                RowReader(
                    statement: OpaquePointer(Unmanaged.passUnretained(self).toOpaque()),
                    functions: ValueRowFunctions.table.pointer))
        }
    }

    fileprivate func value(_ column: Int32) -> StoreValue {
        let column = Int(column)
        return values.indices.contains(column) ? values[column] : .null
    }

    /// The bytes of a text or of bytes, whose address is valid until the row is released.
    fileprivate func bytes(_ column: Int32) -> UnsafeRawBufferPointer? {
        if let known = texts[Int(column)] { return UnsafeRawBufferPointer(known) }
        let bytes: [UInt8]
        switch value(column) {
        case .text(let text): bytes = Array(text.utf8)
        case .blob(let blob): bytes = blob
        case .null, .integer, .real: return nil
        }
        // An address is needed for no bytes too, which are something else than no value.
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(1, bytes.count), alignment: 1)
        buffer.copyBytes(from: bytes)
        let exact = UnsafeMutableRawBufferPointer(rebasing: buffer[..<bytes.count])
        texts[Int(column)] = exact
        return UnsafeRawBufferPointer(exact)
    }
}

@available(*, unavailable)
extension ValueRow: Sendable {}

/// Functions that read from a `ValueRow` in place of a statement; nothing can be bound.
private enum ValueRowFunctions {
    static let table = StatementFunctions(
        row: 1, done: 0, step: { _ in 0 }, execute: { _ in 0 }, reading: reading,
        binding: StatementFunctions.Binding(
            null: { _, _ in 1 }, integer: { _, _, _ in 1 }, real: { _, _, _ in 1 },
            text: { _, _, _, _ in 1 }, blob: { _, _, _, _ in 1 })
    ).permanent

    private static let reading = StatementFunctions.Reading(
        isNull: { ValueRowFunctions.row($0)?.value($1) == .null },
        integer: { source, column in
            guard case .integer(let value) = ValueRowFunctions.row(source)?.value(column) else {
                return 0
            }
            return value
        },
        real: { source, column in
            switch ValueRowFunctions.row(source)?.value(column) {
            case .real(let value): value
            case .integer(let value): Double(value)
            default: 0
            }
        },
        text: { source, column, count in
            let bytes = ValueRowFunctions.row(source)?.bytes(column)
            count.pointee = bytes?.count ?? 0
            return bytes?.baseAddress
        },
        blob: { ValueRowFunctions.row($0)?.bytes($1)?.baseAddress },
        byteCount: { Int32(clamping: ValueRowFunctions.row($0)?.bytes($1)?.count ?? 0) })

    private static func row(_ source: OpaquePointer?) -> ValueRow? {
        source.map {
            Unmanaged<ValueRow>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue()
        }
    }
}
