import HTTPTypes

/// What a server has said of a page, by which it can tell whether it has changed.
struct PageValidators: Sendable, Hashable, Codable {
    var entityTag: String?
    var lastModified: String?

    /// Those of an answer, if it has any.
    init?(_ headers: HTTPFields) {
        entityTag = headers[.eTag]
        lastModified = headers[.lastModified]
        if entityTag == nil, lastModified == nil { return nil }
    }

    /// The headers that ask for the page only if it has changed.
    var conditions: [(HTTPField.Name, String)] {
        // A server that knows tags must not look at the date (RFC 9110, 13.1.3).
        if let entityTag { return [(.ifNoneMatch, entityTag)] }
        return lastModified.map { [(.ifModifiedSince, $0)] } ?? []
    }
}
