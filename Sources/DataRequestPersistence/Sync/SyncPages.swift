#if RequestCore
import DataRequestCore
import HTTPTypes
public import SkiathosPlatformFoundation

/// How the next page is found.
public struct SyncPages: Sendable {
    /// A page that was read to its end.
    struct End {
        let response: IncomingResponse
        let envelope: PageEnvelope
        let elements: Int
        /// The page, as its predecessor named it; nil for the first one.
        let position: String?
        let baseURL: URL
    }

    /// The name of the paging; a sync with another one starts over.
    let kind: String
    /// The stored name of the next page; nil after the last one.
    let next: @Sendable (End) throws -> String?
    /// The request for a page.
    let request: @Sendable (DataRequest, String?, URL) throws -> DataRequest

    /// Everything is one page.
    public static let single = SyncPages(kind: "single", next: { _ in nil }) { base, _, _ in base }

    /// Each page names the next one in its header `Link` with `rel="next"` (RFC 8288), which must lie
    /// below the base URL.
    public static let linkHeader = SyncPages(kind: "link") { end in
        guard let next = try LinkHeader.next(in: end.response) else { return nil }
        _ = try PageAddress.request(.init(.get, ""), for: next, below: end.baseURL)
        return next.absoluteString
    } request: { base, position, baseURL in
        guard let position else { return base }
        guard let url = URL(string: position) else { throw PageAddress.refusal() }
        return try PageAddress.request(base, for: url, below: baseURL)
    }

    /// Each page contains the token of the next one, which is sent in a query item.
    ///
    /// ```swift
    /// options.pages = .cursor("after") { try $0.decode(TrackPage.self).next }
    /// // {"items": […], "next": "t7"}, then GET tracks?after=t7
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the query item.
    ///   - token: Returns the token from the envelope; nil after the last page.
    public static func cursor(
        _ name: String, _ token: @escaping @Sendable (PageEnvelope) throws -> String?
    ) -> SyncPages {
        SyncPages(kind: "cursor \(name)", next: { try token($0.envelope) }) { base, token, _ in
            token.map { base.replacingQuery(name, with: $0) } ?? base
        }
    }

    /// Pages of a fixed number of elements, of which the last one has fewer.
    ///
    /// Rows that are inserted or deleted at the server meanwhile can move others past a page; a
    /// cursor is safer where the server has one.
    ///
    /// - Parameters:
    ///   - limit: How many elements a page has, at least 1.
    ///   - offsetName: The query item for the number of elements before the page.
    ///   - limitName: The query item for the number of elements of the page.
    public static func offset(
        limit: Int, offsetName: String = "offset", limitName: String = "limit"
    ) -> SyncPages {
        let size = max(1, limit)
        return SyncPages(kind: "offset \(size) \(offsetName) \(limitName)") { end in
            guard end.elements >= size else { return nil }
            return String((end.position.flatMap { Int($0) } ?? 0) + end.elements)
        } request: { base, position, _ in
            base.replacingQuery(offsetName, with: position ?? "0")
                .replacingQuery(limitName, with: String(size))
        }
    }
}

/// The document around the elements of a page, such as `{"items": [], "next": "…"}`.
public struct PageEnvelope: Sendable {
    /// The document with an empty array in the place of the elements; empty for lines.
    public let data: Data
    private let decoder: JSONDecoder

    /// Makes an envelope, for tests of code that takes one.
    public init(_ data: Data, decoder: JSONDecoder = JSONDecoder()) {
        self.data = data
        self.decoder = decoder
    }

    /// Decodes it.
    ///
    /// - Throws: `DataRequestError` with code `undecodable`.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decoder.decode(type, from: JSONElement(bytes: data, offset: 0))
    }
}

extension DataRequest {
    fileprivate func replacingQuery(_ name: String, with value: String) -> DataRequest {
        var copy = self
        copy.query.removeAll { $0.name == name }
        copy.query.append(QueryItem(name, value))
        return copy
    }
}
#endif
