#if RequestCore
import DataRequestCore
import HTTPTypes
public import PlatformFoundation

/// How one page of an answer leads to the next.
public struct SyncPages: Sendable {
    /// What is known of a page when it was read to its end.
    struct End {
        let response: IncomingResponse
        let envelope: PageEnvelope
        let elements: Int
        /// The page, as its predecessor named it; nil for the first one.
        let position: String?
        let baseURL: URL
    }

    /// What the way is called, so that another one starts anew.
    let kind: String
    /// The name of the page that follows, in a text that is stored; nil behind the last one.
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

    /// Each page says by what text the next one is asked for, in the query item of a name.
    ///
    /// ```swift
    /// options.pages = .cursor("after") { try $0.decode(TrackPage.self).next }
    /// // {"items": […], "next": "t7"}, then GET tracks?after=t7
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the query item.
    ///   - token: Finds the text in what stands around the elements; nil behind the last page.
    public static func cursor(
        _ name: String, _ token: @escaping @Sendable (PageEnvelope) throws -> String?
    ) -> SyncPages {
        SyncPages(kind: "cursor \(name)", next: { try token($0.envelope) }) { base, token, _ in
            token.map { base.replacingQuery(name, with: $0) } ?? base
        }
    }

    /// Pages of so many elements, of which the last one has fewer.
    ///
    /// Rows that are inserted or deleted at the server meanwhile can move others past a page; a
    /// cursor is safer where the server has one.
    ///
    /// - Parameters:
    ///   - limit: How many elements a page has, at least 1.
    ///   - offsetName: The query item that says how many elements come before the page.
    ///   - limitName: The query item that says how many it has.
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

/// What stands around the elements of a page, such as `{"items": [], "next": "…"}`.
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
