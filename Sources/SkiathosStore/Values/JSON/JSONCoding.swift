import SkiathosPlatformFoundation

/// Stores a `Codable` value as JSON text, in which equal values are equal byte for byte.
///
/// Keys are sorted, and so are the elements of a `Set` and the pairs of a dictionary whose keys are
/// no keys of JSON: both are arrays there, and iterate in an order that means nothing. Arrays keep
/// their order. So `==`, `in`, unique columns and the search for changes go by what is in a value.
///
/// ```swift
/// try StoreValue(Set([3, 1, 2]), Coding.of(Set<Int>.self))       // .text("[1,2,3]")
/// try StoreValue([3, 1, 2], Coding.of([Int].self))               // .text("[3,1,2]")
/// ```
///
/// A type that writes its encoding itself gives such values as a whole to its container. If it
/// loops over them, or has them encode themselves, it sorts them first.
public enum JSONCoding<Value: Codable & Sendable>: ColumnCoding {
    /// `.text`.
    public static var storage: StorageClass { .text }
    /// `false`.
    public static var isOptional: Bool { false }
    /// `nil`.
    public static var referencedType: Any.Type? { nil }
    /// `false`: texts of JSON are in no order of their values.
    public static var isOrdered: Bool { false }

    /// Decodes the JSON.
    public static func read(_ row: RowReader, _ column: Int) throws -> Value {
        let data = row.withBytes(at: column) { Data($0) }
        do {
            return try JSONDecoder().decode(Value.self, from: data)
        } catch {
            // The decoder's own message may quote the stored value.
            throw StoreError.undecodable(Value.self, column: column)
        }
    }

    /// Encodes as JSON.
    public static func bind(
        _ value: Value, _ parameters: ParameterWriter, _ position: Int
    ) throws {
        try parameters.bind(String(decoding: bytes(of: value), as: UTF8.self), at: position)
    }

    /// Compares what would be stored.
    ///
    /// A type's own `==` is asked first, and believed if it finds a difference. If it finds none
    /// there may be one: it may look at some properties only, and texts can be equal although
    /// their scalars are not.
    public static func areIdentical(_ left: Value, _ right: Value) -> Bool {
        if let left = left as? any Equatable, !left.equals(right) { return false }
        // Without the check of fields: a value that was stored before there was one is not changed.
        guard let left = try? encode(left, checked: false),
            let right = try? encode(right, checked: false)
        else { return false }
        return left == right
    }

    /// The JSON of a value, whose fields queries find where they look for them.
    static func bytes(of value: Value) throws -> [UInt8] { try encode(value, checked: true) }

    private static func encode(_ value: Value, checked: Bool) throws -> [UInt8] {
        do {
            let json = try CanonicalJSONEncoder.json(of: value)
            if checked, Value.self is any Embedded.Type, let embedded = value as? any Embedded {
                try embedded.checkFields(in: json)
            }
            var bytes: [UInt8] = []
            try json.write(to: &bytes)
            return bytes
        } catch let error as StoreError {
            throw error
        } catch is CanonicalJSON.TooDeep {
            throw StoreError(
                .invalidValue,
                "A value of type \(Value.self) has more than \(CanonicalJSON.maximumDepth) arrays and objects in each other as JSON, which could not be read again. Store it flatter, as Data, or in rows of its own."
            )
        } catch {
            throw StoreError(
                .invalidValue,
                "A value of type \(Value.self) cannot be encoded as JSON: its encoding failed, or it holds a number that is not finite."
            )
        }
    }
}

extension Equatable {
    fileprivate func equals(_ other: Any) -> Bool { (other as? Self).map { $0 == self } ?? false }
}
