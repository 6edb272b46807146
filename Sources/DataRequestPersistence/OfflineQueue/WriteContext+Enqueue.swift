#if RequestCore
public import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
public import SkiathosCore

extension WriteContext {
    /// Queues a request for delivery, in the same write as the change that it belongs to.
    ///
    /// ```swift
    /// try await dal.write { context in
    ///     try Cart.find(id, in: context)?.quantity += 1
    ///     try context.enqueue(DataRequest(.put, "carts/7").body(.data(json)), key: "cart-7")
    /// }
    /// // UPDATE "cart" … and INSERT INTO "dataRequestQueue" …, both or neither
    /// ```
    ///
    /// An ``OfflineQueue`` delivers it at least once, after all earlier ones with the same
    /// key. The method, the path, the query, the headers, the body and the name are stored.
    /// Time limits, expected statuses and the choice of redirects are not stored; every delivery
    /// uses the defaults, and a POST follows no 301 or 302, which would drop its body. The body is
    /// a column of a row like any other: a process that can read the store's file can read it.
    /// Authorisation is not stored; it is added when the request is sent.
    ///
    /// - Parameters:
    ///   - request: A request to a path below the base URL, whose body is data or none. Its header
    ///     `Idempotency-Key` is made if it has none.
    ///   - key: The ordering key, such as the row that was changed.
    ///   - maximumBodySize: The largest body in bytes; 1 MiB by default.
    /// - Returns: The ID of the ``QueuedRequest``.
    /// - Throws: `DataRequestError` with code `notQueueable` for an external host, a streamed or
    ///   large body, and headers or query items that are named like credentials;
    ///   `DataAccessError` with code `unknownEntity` if the store was opened without
    ///   ``DataRequestEntities``.
    @discardableResult
    public func enqueue(
        _ request: DataRequest, key: String, maximumBodySize: Int = 1 << 20
    ) throws -> QueuedRequest.ID {
        let item = try QueuedRequest(request, key: key, maximumBodySize: maximumBodySize)
        do { return try QueuedRequest.insert(item, in: self).id } catch let error
            as DataAccessError where error.code == .unknownEntity
        {
            throw DataAccessError.missingDataRequestEntities
        }
    }
}

extension QueuedRequest {
    /// Makes the stored form of a request.
    init(_ request: DataRequest, key: String, maximumBodySize: Int) throws {
        if let failure = request.failure { throw failure }
        self.init(id: .unassigned)
        guard case .path(let path) = request.target, !request.options.isExternal else {
            throw Self.refusal(
                "It goes to an external host; expected a path below the base URL.")
        }
        for name in request.headers.map(\.name.rawName) + request.query.map(\.name)
        where CredentialNames.isCredentialName(name) {
            throw Self.refusal(
                "\"\(name)\" is named like a credential, which must not be stored. Let an authoriser or interceptor add it when the request is sent."
            )
        }
        switch request.body.source {
        case .nothing: body = nil
        case .bytes(let data): body = data
        default:
            throw Self.refusal(
                "Its body is not in memory; expected a body of data, or none.")
        }
        guard (body?.count ?? 0) <= maximumBodySize else {
            throw Self.refusal(
                "Its body has \(body?.count ?? 0) bytes, and at most \(maximumBodySize) are allowed. Raise maximumBodySize, or store the bytes elsewhere."
            )
        }
        self.key = key
        self.path = path
        method = request.method.rawValue
        query = request.query.map { Field(name: $0.name, value: $0.value) }
        headers = request.headers.filter { $0.name != .idempotencyKey }
            .map { Field(name: $0.name.rawName, value: $0.value) }
        contentType = body == nil ? nil : request.body.contentType
        name = request.options.name
        idempotencyKey = request.headers[.idempotencyKey] ?? UUID().uuidString
        created = Date()
    }

    private static func refusal(_ reason: String) -> DataRequestError {
        DataRequestError(
            .notQueueable, "The request cannot be queued. \(reason)")
    }

    /// The request to deliver.
    var request: DataRequest {
        get throws {
            guard let method = HTTPRequest.Method(method) else {
                throw DataRequestError(
                    .notQueueable,
                    "The method of a queued request is not valid; expected one such as PATCH.")
            }
            var request = DataRequest(method, path)
            request.query = query.map { QueryItem($0.name, $0.value) }
            for field in headers {
                guard let name = HTTPField.Name(field.name) else { continue }
                request.headers.append(HTTPField(name: name, value: field.value ?? ""))
            }
            request.headers[.idempotencyKey] = idempotencyKey
            if let body {
                request.body = .data(body, contentType: contentType ?? "application/octet-stream")
            }
            request.options.name = name
            return request
        }
    }
}
#endif
