#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Stores a `Codable` value as JSON text with sorted keys.
public enum JSONCoding<Value: Codable & Sendable>: ColumnCoding {
    /// `.text`.
    public static var storage: StorageClass { .text }
    /// `false`.
    public static var isOptional: Bool { false }
    /// `nil`.
    public static var referencedType: Any.Type? { nil }

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
        try parameters.bind(String(decoding: encode(value), as: UTF8.self), at: position)
    }

    /// Compares what would be stored.
    ///
    /// A type's own `==` is asked first, and believed if it finds a difference. If it finds none
    /// there may be one: it may look at some properties only, and texts can be equal although
    /// their scalars are not.
    public static func areIdentical(_ left: Value, _ right: Value) -> Bool {
        if let left = left as? any Equatable, !left.equals(right) { return false }
        guard let left = try? encode(left), let right = try? encode(right) else { return false }
        return left == right
    }

    private static func encode(_ value: Value) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(value)
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
