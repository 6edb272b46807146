#if Hummingbird
internal import Hummingbird
internal import Logging
internal import SkiathosPlatformFoundation
internal import ServiceLifecycle

/// A stream of events to one client, from its first byte to its end.
///
/// One task reads the source and waits until each event was written before it asks for the next, so
/// what the source skips for a slow loop it skips for a slow client. A second one sends comments.
struct EventStream: Sendable {
    /// The source gives its events to the queue, and ends when it has none or is cancelled.
    typealias Source = @Sendable (EventQueue) async throws -> Void

    /// How long the end of a response may wait for the client.
    private static let endingTime = Duration.seconds(1)

    let options: ServerSentEventOptions
    let logger: Logger
    let source: Source

    /// Writes until the source ends, the client has gone or the server shuts down gracefully.
    ///
    /// - Throws: What the source has thrown, and if the client has gone or does not take what was
    ///   sent: then the server closes the connection without the end of the response.
    func write(to writer: inout any ResponseBodyWriter, answering request: Request) async throws {
        let client = ClientWriter(writer)
        try await request.body.consumeWithCancellationOnInboundClose { _ in
            try await cancelWhenGracefulShutdown { try await write(to: client) }
        }
        writer = client.writer
        try await end(client)
    }

    /// Ends the response, unless the client does not take what was sent: the end would have to wait
    /// for that, and a server that shuts down would wait with it.
    private func end(_ client: ClientWriter) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.finish() }
            group.addTask {
                try await Task.sleep(for: Self.endingTime)
                throw CancellationError()
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func write(to client: ClientWriter) async throws {
        let (turns, continuation) = AsyncStream.makeStream(of: EventQueue.Turn.self)
        let queue = EventQueue(continuation)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // What ends the stream is the end of the source, not that of the comments.
                defer { continuation.finish() }
                try await readSource(queue)
            }
            if let interval = options.interval {
                group.addTask { try await sendComments(queue, every: interval) }
            }
            try await client.write(options.preamble)
            for await turn in turns {
                try await client.write(turn.text)
                turn.written.yield()
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    private func readSource(_ queue: EventQueue) async throws {
        do {
            try await source(queue)
        } catch is CancellationError {
            // The stream has ended.
        } catch {
            logger.error("A stream of server-sent events has failed: \(error)")
            throw error
        }
    }

    private func sendComments(_ queue: EventQueue, every interval: Duration) async throws {
        repeat {
            // Cancelled with the stream, which ends in order.
            guard (try? await Task.sleep(for: interval)) != nil else { return }
        } while await queue.send(ServerSentEventOptions.comment)
    }
}

/// What waits to be written to one client: an event and a comment at most, as each sender waits for
/// its own.
struct EventQueue: Sendable {
    struct Turn: Sendable {
        let text: String
        let written: AsyncStream<Void>.Continuation
    }

    private let turns: AsyncStream<Turn>.Continuation

    init(_ turns: AsyncStream<Turn>.Continuation) { self.turns = turns }

    /// Waits until a text was written; returns `false` if the stream has ended instead.
    func send(_ text: String) async -> Bool {
        let (writes, written) = AsyncStream.makeStream(of: Void.self)
        turns.yield(Turn(text: text, written: written))
        var iterator = writes.makeAsyncIterator()
        return await iterator.next() != nil
    }

    func send(_ event: ServerSentEvent) async -> Bool { await send(event.text) }
}

/// The writer of a response, for the task that writes it.
///
/// Sendable: one task makes it, and waits for the one task that writes before it looks at it again.
private final class ClientWriter: @unchecked Sendable {
    var writer: any ResponseBodyWriter

    init(_ writer: any ResponseBodyWriter) { self.writer = writer }

    func write(_ text: String) async throws { try await writer.write(ByteBuffer(string: text)) }

    func finish() async throws { try await writer.finish(nil) }
}
#endif
