#if Hummingbird
internal import HTTPTypes
public import Hummingbird
public import SkiathosCore

extension Request {
    /// What a client that connects again says about the state it has: the ID of the last event that
    /// it has received; `nil` for the first connection.
    public var lastEventID: String? {
        HTTPField.Name("Last-Event-ID").flatMap { headers[$0] }
    }

    /// A response that sends the rows of a live query: all of them first, and then each difference.
    ///
    /// ```swift
    /// router.get("users/live") { request, context in
    ///     request.serverSentEvents(
    ///         differencesOf: dal.observe(User.order { $0.name }), context: context)
    /// }
    /// // event: reset        data: [{"id":1,"name":"Ada"}]
    /// // event: difference   data: {"inserted":[{"index":1,"row":{"id":2,"name":"Charles"}}]}
    /// ```
    ///
    /// The form of the JSON is that of ``ListEvent``. The ID of an event names the list by its
    /// contents, also across restarts of the server. A client that connects again with the ID of the
    /// present list receives nothing until it changes, any other the whole list as `reset`.
    ///
    /// A client that reads slowly receives one difference that leads to the newest list, in place of
    /// those it was too slow for. The stream ends, and the query is not observed any more, when the
    /// client has gone, when the store is closed, and when the server shuts down gracefully.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - options: How the stream is kept open.
    ///   - context: The context of the request, whose logger gets errors of the source: the response
    ///     has begun by then, so the connection is closed, and the client connects again.
    public func serverSentEvents<E: Entity & Encodable>(
        differencesOf query: ObservedQuery<E>, options: ServerSentEventOptions = .init(),
        context: some RequestContext
    ) -> Response where E.RawID: Encodable {
        serverSentEvents(differencesOf: query, options: options, context: context) {
            try json($0)
        }
    }

    /// A response that sends the rows of a live query, in a form of your own.
    ///
    /// ```swift
    /// request.serverSentEvents(differencesOf: dal.observe(board), context: context) { event in
    ///     switch event {
    ///     case .reset(let rows): rows.map(\.title).joined(separator: "\n")
    ///     case .difference(let difference): "\(difference.inserted.count) new"
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - options: How the stream is kept open.
    ///   - context: The context of the request, whose logger gets errors.
    ///   - encode: Makes the data of an event. It runs once for each event and client.
    public func serverSentEvents<E: Entity>(
        differencesOf query: ObservedQuery<E>, options: ServerSentEventOptions = .init(),
        context: some RequestContext, encode: @escaping @Sendable (ListEvent<E>) throws -> String
    ) -> Response {
        let last = lastEventID
        return eventStream(options, context) { queue in
            var list = ListFingerprint<E>()
            var isFirst = true
            for try await difference in query.differences {
                try list.apply(difference)
                let id = list.value.description
                defer { isFirst = false }
                if isFirst, id == last { continue }
                let event: ListEvent<E> =
                    isFirst ? .reset(difference.inserted.map(\.element)) : .difference(difference)
                let sent = try ServerSentEvent(data: encode(event), event: event.name, id: id)
                guard await queue.send(sent) else { return }
            }
        }
    }

    /// A response that sends the values of a sequence as JSON, each in place of the one before.
    ///
    /// ```swift
    /// router.get("users/count") { request, context in
    ///     request.serverSentEvents(of: dal.observe { try User.count(in: $0) }, context: context)
    /// }
    /// // data: 1
    /// ```
    ///
    /// The ID of an event names its data by its contents. A client that connects again with the ID of
    /// the present value receives nothing until it changes. The stream ends as that of differences
    /// does, and with the sequence.
    ///
    /// - Parameters:
    ///   - values: A sequence such as `dal.observe` returns. It is asked for a value when the one
    ///     before was written, so one that keeps only the newest value, as those of `dal.observe`
    ///     do, skips values for a client that reads slowly.
    ///   - event: The name of the events; without one it is `message`.
    ///   - options: How the stream is kept open.
    ///   - context: The context of the request, whose logger gets errors of the sequence.
    public func serverSentEvents<Values: AsyncSequence & Sendable>(
        of values: Values, event: String? = nil, options: ServerSentEventOptions = .init(),
        context: some RequestContext
    ) -> Response where Values.Element: Encodable {
        serverSentEvents(of: values, event: event, options: options, context: context) {
            try json($0)
        }
    }

    /// A response that sends the values of a sequence, in a form of your own.
    ///
    /// ```swift
    /// request.serverSentEvents(of: dal.observe(User.all), context: context) { "\($0.count) users" }
    /// ```
    ///
    /// - Parameters:
    ///   - values: A sequence such as `dal.observe` returns.
    ///   - event: The name of the events; without one it is `message`.
    ///   - options: How the stream is kept open.
    ///   - context: The context of the request, whose logger gets errors.
    ///   - encode: Makes the data of an event. It runs once for each event and client.
    public func serverSentEvents<Values: AsyncSequence & Sendable>(
        of values: Values, event: String? = nil, options: ServerSentEventOptions = .init(),
        context: some RequestContext,
        encode: @escaping @Sendable (Values.Element) throws -> String
    ) -> Response {
        let last = lastEventID
        return eventStream(options, context) { queue in
            var sent = last
            for try await value in values {
                let data = try encode(value)
                let id = StateFingerprint(data).description
                guard id != sent else { continue }
                sent = id
                let event = try ServerSentEvent(data: data, event: event, id: id)
                guard await queue.send(event) else { return }
            }
        }
    }

    /// A response that sends events of your own.
    ///
    /// ```swift
    /// request.serverSentEvents(ticks.map { try ServerSentEvent(data: "\($0)") }, context: context)
    /// ```
    ///
    /// What `Last-Event-ID` means is up to you: see ``lastEventID``.
    ///
    /// - Parameters:
    ///   - events: The events. The next one is asked for when the one before was written.
    ///   - options: How the stream is kept open.
    ///   - context: The context of the request, whose logger gets errors of the sequence.
    public func serverSentEvents<Events: AsyncSequence & Sendable>(
        _ events: Events, options: ServerSentEventOptions = .init(), context: some RequestContext
    ) -> Response where Events.Element == ServerSentEvent {
        eventStream(options, context) { queue in
            for try await event in events {
                guard await queue.send(event) else { return }
            }
        }
    }

    private func eventStream(
        _ options: ServerSentEventOptions, _ context: some RequestContext,
        _ source: @escaping EventStream.Source
    ) -> Response {
        let stream = EventStream(options: options, logger: context.logger, source: source)
        var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        // Tells nginx, and proxies that do as it does, to pass each event on at once.
        if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in try await stream.write(to: &writer, answering: self) })
    }
}
#endif
