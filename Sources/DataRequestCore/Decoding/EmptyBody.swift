#if RequestCore
import SkiathosPlatformFoundation

/// The value of a response whose body is ignored.
///
/// ```swift
/// _ = try await service.post("tracks/7/plays", json: play, as: EmptyBody.self)
/// ```
public struct EmptyBody: Codable, Sendable, Hashable {
    /// Makes a value.
    public init() {}
    /// Reads nothing.
    public init(from decoder: any Decoder) {}
    /// Writes an object without members.
    public func encode(to encoder: any Encoder) throws {
        _ = encoder.container(keyedBy: NoKeys.self)
    }

    private enum NoKeys: CodingKey {}
}

/// Types that have a value for a body without bytes.
protocol EmptyDecodable {
    static var emptyValue: Self { get }
}

extension Optional: EmptyDecodable {
    static var emptyValue: Self { nil }
}

extension EmptyBody: EmptyDecodable {
    static var emptyValue: EmptyBody { EmptyBody() }
}

extension String: EmptyDecodable {
    static var emptyValue: String { "" }
}

extension Data: EmptyDecodable {
    static var emptyValue: Data { Data() }
}
#endif
