import SkiathosStore

/// A row of values that no store holds.
final class FakeRow {
    fileprivate let values: [StoreValue]
    fileprivate let bytes: [UnsafeMutableRawBufferPointer]

    init(_ values: [StoreValue]) {
        self.values = values
        bytes = values.map { value in
            let source: [UInt8] =
                switch value {
                case .text(let text): Array(text.utf8)
                case .blob(let bytes): bytes
                default: []
                }
            // One byte more, so that an empty text has an address too.
            let copy = UnsafeMutableRawBufferPointer.allocate(
                byteCount: source.count + 1, alignment: 1)
            copy.copyBytes(from: source + [0])
            return copy
        }
    }

    deinit { for copy in bytes { copy.deallocate() } }

    /// Lets a closure read the row, which is valid only inside of it.
    func read<T>(_ body: (RowReader) throws -> T) rethrows -> T {
        try withExtendedLifetime(self) {
            let statement = OpaquePointer(Unmanaged.passUnretained(self).toOpaque())
            return try body(RowReader(statement: statement, functions: functions.pointer))
        }
    }
}

private let functions = StatementFunctions(
    row: 1, done: 0, step: { _ in 0 }, execute: { _ in 0 },
    reading: StatementFunctions.Reading(
        isNull: { row($0)?.values[Int($1)] == .null },
        integer: { if case .integer(let value)? = row($0)?.values[Int($1)] { value } else { 0 } },
        real: { if case .real(let value)? = row($0)?.values[Int($1)] { value } else { 0 } },
        text: { source, column, count in
            let text = bytes(source, column)
            // A NUL follows the text.
            count.pointee = text.map { $0.count - 1 } ?? 0
            return text.flatMap { UnsafeRawPointer($0.baseAddress) }
        },
        blob: { bytes($0, $1).flatMap { UnsafeRawPointer($0.baseAddress) } },
        byteCount: { bytes($0, $1).map { Int32($0.count - 1) } ?? 0 }),
    binding: StatementFunctions.Binding(
        null: { _, _ in 1 }, integer: { _, _, _ in 1 }, real: { _, _, _ in 1 },
        text: { _, _, _, _ in 1 }, blob: { _, _, _, _ in 1 })
).permanent

private func row(_ statement: OpaquePointer?) -> FakeRow? {
    statement.map { Unmanaged<FakeRow>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
}

private func bytes(_ statement: OpaquePointer?, _ column: Int32) -> UnsafeMutableRawBufferPointer? {
    row(statement)?.bytes[Int(column)]
}
