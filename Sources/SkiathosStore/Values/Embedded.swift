/// A `Codable` value of a column whose fields can be queried.
///
/// `@Embedded` writes the conformance. By hand it is the list of the fields:
///
/// ```swift
/// struct Address: Codable, Embedded {
///     var city = ""
///     var zip: String?
///     static let fields: [EmbeddedField<Address>] = [
///         EmbeddedField(\.city, CodingKeys.city), EmbeddedField(\.zip, CodingKeys.zip),
///     ]
/// }
///
/// try User.all(where: { $0.address[\.city] == "Athens" }, in: context)
/// // … WHERE (json_extract("address", '$."city"') = 'Athens')
/// ```
///
/// Storing a value checks each field: what stands under its key in the JSON must be what the property
/// holds. A type whose `encode(to:)` writes something else is refused with the code `invalidValue`.
public nonisolated protocol Embedded: Codable, Sendable {
    /// The fields that can be queried.
    static var fields: [EmbeddedField<Self>] { get }
}

/// Values whose form in JSON has the order and equality of the values: integers of up to 63 bits and a
/// sign, `Bool`, `Double`, `String`, `Date`, and optionals of them.
///
/// Fields of other types are compared for equality alone.
public protocol EmbeddedFieldValue: ColumnValue, Codable {}

extension Int: EmbeddedFieldValue {}
extension Int8: EmbeddedFieldValue {}
extension Int16: EmbeddedFieldValue {}
extension Int32: EmbeddedFieldValue {}
extension Int64: EmbeddedFieldValue {}
extension UInt8: EmbeddedFieldValue {}
extension UInt16: EmbeddedFieldValue {}
extension UInt32: EmbeddedFieldValue {}
extension Bool: EmbeddedFieldValue {}
extension Double: EmbeddedFieldValue {}
extension String: EmbeddedFieldValue {}
extension Optional: EmbeddedFieldValue where Wrapped: EmbeddedFieldValue {}
