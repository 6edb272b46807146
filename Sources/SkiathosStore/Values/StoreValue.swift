/// One value in the form that every backend understands.
public enum StoreValue: Sendable, Hashable {
    /// No value.
    case null
    /// An integer.
    case integer(Int64)
    /// A floating point number, never NaN.
    case real(Double)
    /// Text without NUL characters.
    case text(String)
    /// Bytes.
    case blob([UInt8])

    /// Encodes a value as its column would hold it.
    ///
    /// - Throws: ``StoreError`` with code `invalidValue` if it cannot be stored.
    @inlinable
    public init<C: ColumnCoding>(_ value: C.Value, _ coding: C.Type) throws {
        self = try Self.capture { try C.bind(value, $0, 0) }
    }

    /// Lets a closure bind one value at position 0 and returns what was bound.
    ///
    /// The same `bind` thus serves rows and conditions, and they cannot disagree.
    @inlinable
    public static func capture(_ bind: (ParameterWriter) throws -> Void) throws -> StoreValue {
        var value = StoreValue.null
        try withUnsafeMutablePointer(to: &value) { pointer in
            try bind(
                ParameterWriter(
                    statement: OpaquePointer(pointer), functions: CaptureFunctions.table.pointer))
        }
        return value
    }

    /// Binds this value.
    public func bind(to parameters: ParameterWriter, at position: Int) throws {
        switch self {
        case .null: try parameters.bindNull(at: position)
        case .integer(let value): try parameters.bind(value, at: position)
        case .real(let value): try parameters.bind(value, at: position)
        case .text(let value): try parameters.bind(value, at: position)
        case .blob(let value):
            try value.withUnsafeBytes { try parameters.bind(bytes: $0, at: position) }
        }
    }
}

// By hand, since `==` of `String` treats texts as equal that a store distinguishes.
extension StoreValue {
    /// Whether a column that holds the one value holds the same as with the other: texts are compared
    /// as ``StoredText``.
    public static func == (left: StoreValue, right: StoreValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.text(let left), .text(let right)): StoredText(left) == StoredText(right)
        case (.blob(let left), .blob(let right)): left == right
        default: false
        }
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value):
            hasher.combine(1)
            hasher.combine(value)
        case .real(let value):
            hasher.combine(2)
            hasher.combine(value)
        case .text(let value):
            hasher.combine(3)
            hasher.combine(StoredText(value))
        case .blob(let value):
            hasher.combine(4)
            hasher.combine(value)
        }
    }
}

/// Functions that write into a `StoreValue` in place of a statement; nothing can be read from it.
@usableFromInline
enum CaptureFunctions {
    @usableFromInline static let table = StatementFunctions(
        row: 1, done: 0, step: { _ in 0 }, execute: { _ in 0 }, reading: reading, binding: binding
    ).permanent

    static let reading = StatementFunctions.Reading(
        isNull: { _, _ in true }, integer: { _, _ in 0 }, real: { _, _ in 0 },
        text: { _, _, _ in nil }, blob: { _, _ in nil }, byteCount: { _, _ in 0 })

    private static let binding = StatementFunctions.Binding(
        null: { target, _ in CaptureFunctions.store(.null, in: target) },
        integer: { target, _, value in CaptureFunctions.store(.integer(value), in: target) },
        real: { target, _, value in CaptureFunctions.store(.real(value), in: target) },
        text: { target, _, start, count in
            let bytes = UnsafeRawBufferPointer(start: start, count: count)
            let text = String(decoding: bytes, as: UTF8.self)
            return CaptureFunctions.store(.text(text), in: target)
        },
        blob: { target, _, start, count in
            let bytes = UnsafeRawBufferPointer(start: start, count: count)
            return CaptureFunctions.store(.blob(Array(bytes)), in: target)
        })

    private static func store(_ value: StoreValue, in target: OpaquePointer?) -> Int32 {
        UnsafeMutablePointer<StoreValue>(target)?.pointee = value
        return 0
    }
}
