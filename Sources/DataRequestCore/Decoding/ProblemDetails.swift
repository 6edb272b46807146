#if RequestCore
/// A problem as `application/problem+json` describes it (RFC 9457).
///
/// Responses of that type are decoded to it by default. Members that have a wrong type count
/// as missing, as the standard demands.
public struct ProblemDetails: Codable, Sendable, Hashable {
    /// A reference that names the kind of problem; `about:blank` if the server names none.
    public var type: String
    /// A short summary for people, the same for every problem of the kind.
    public var title: String?
    /// The status that the server meant.
    public var status: Int?
    /// An explanation of this occurrence for people.
    public var detail: String?
    /// A reference that names this occurrence.
    public var instance: String?

    /// Makes a problem.
    public init(
        type: String = "about:blank", title: String? = nil, status: Int? = nil,
        detail: String? = nil, instance: String? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.instance = instance
    }

    /// Reads a problem.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        type = (try? container.decode(String.self, forKey: .type)) ?? "about:blank"
        title = try? container.decode(String.self, forKey: .title)
        status = try? container.decode(Int.self, forKey: .status)
        detail = try? container.decode(String.self, forKey: .detail)
        instance = try? container.decode(String.self, forKey: .instance)
    }
}
#endif
