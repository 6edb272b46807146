#if Requests
import AsyncHTTPClient
import DataRequestCore
import SkiathosLocks
import NIOCore
import SkiathosPlatformFoundation
import Synchronization

/// Feeds the body of a request to the client, which requests it piece by piece.
///
/// The client reads a body in a task of its own that cannot be cancelled. So the body is read
/// in a task of the exchange, which ends with the exchange, and one piece at a time is passed
/// on. The body is read at the speed of the server, and is not opened before there is a
/// connection.
final class RequestFeed: Sendable {
    /// An error of the body, to distinguish it from errors of the connection.
    struct BodyFailure: Error { let cause: any Error }

    private enum Phase {
        /// The client has not requested a piece yet.
        ///
        /// Exits: .running, .ended.
        case idle
        /// The body is read. Exits: .ended.
        case running
        /// No piece follows; the error is nil at the regular end of the body.
        case ended((any Error)?)
    }

    private struct State {
        var phase = Phase.idle
        var piece: ByteBuffer?
        var reader: Continuation<ByteBuffer?, any Error>?
        var writer: Continuation<Void, any Error>?
        var task: Task<Void, Never>?
    }

    /// The size of a part passed to the client, in bytes; as large as a socket's buffer.
    private static let partSize = 128 << 10

    /// How many bytes the client gets before the feed waits for the event loops.
    private static let settledSize = 1 << 20

    private let state = Lock(State())
    private let length: Int64?

    /// Makes a feed, or nil for a body that needs none.
    ///
    /// - Parameters:
    ///   - expectation: Delays the body; with it, bytes in memory have a feed too.
    ///   - limit: The longest delay.
    init?(
        _ body: RequestBody, awaiting expectation: Expectation? = nil,
        within limit: Duration = .zero
    ) throws {
        switch body.source {
        case .nothing: return nil
        case .bytes where expectation == nil: return nil
        default: if body.length == 0 { return nil }
        }
        if let length = body.length, length < 0 {
            throw DataRequestError(
                .invalidBody, "Expected a body of no less than 0 bytes, found \(length) as length.")
        }
        length = body.length
        let task = Task { [self] in
            do {
                try await untilWanted()
                try await expectation?.permission(within: limit)
                guard let stream = try await body.open() else { return finish(nil) }
                try await pump(stream)
            } catch {
                finish(BodyFailure(cause: error))
            }
        }
        let isLate = state.withLock { state in
            state.task = task
            if case .ended = state.phase { return true }
            return false
        }
        if isLate { task.cancel() }
    }

    /// Ends the feed, and the reading of the body with it.
    func cancel() {
        finish(BodyFailure(cause: CancellationError()))
        state.withLock { $0.task }?.cancel()
    }

    private func pump(_ stream: ByteStream) async throws {
        var rest = length
        var last: Data?
        for try await piece in stream {
            if let count = rest {
                rest = count - Int64(piece.count)
                guard let rest, rest >= 0 else { throw mismatch("more") }
                // The piece that completes the body waits for the body's end, so that a server
                // never accepts a body as complete that turns out to be longer.
                if rest == 0 {
                    last = piece
                    continue
                }
            }
            try await offer(piece, isLast: false)
        }
        guard rest ?? 0 == 0 else { throw mismatch("fewer") }
        if let last { try await offer(last, isLast: true) } else { finish(nil) }
    }

    /// Offers bytes in parts, since the client buffers several of them and copies each.
    private func offer(_ bytes: Data, isLast: Bool) async throws {
        var rest = bytes[...]
        while rest.count > Self.partSize {
            try await offer(ByteBuffer(bytes: rest.prefix(Self.partSize)), isLast: false)
            rest = rest.dropFirst(Self.partSize)
        }
        try await offer(ByteBuffer(bytes: rest), isLast: isLast)
    }

    private func mismatch(_ word: String) -> DataRequestError {
        DataRequestError(
            .invalidBody,
            "The body has \(word) bytes than the announced \(length ?? 0), so the request was "
                + "aborted. Give the right length, or none.")
    }

    /// Waits until the client requests the first piece.
    private func untilWanted() async throws {
        try await withThrowingContinuation { writer in
            let now: Result<Void, any Error>? = state.withLock { state in
                switch state.phase {
                case .running: return .success(())
                case .ended(let error): return .failure(error ?? CancellationError())
                case .idle:
                    state.writer = writer
                    return nil
                }
            }
            if let now { writer.resume(with: now) }
        }
    }

    /// Passes a piece to the client, or buffers it; waits while the previous one is buffered.
    ///
    /// - Parameter isLast: Whether the body ends here. It ends in the same step: the response
    ///   to the last byte may arrive before the next step, and would interrupt an unfinished
    ///   body.
    private func offer(_ piece: ByteBuffer, isLast: Bool) async throws {
        while true {
            enum Step { case done, full, handed(Continuation<ByteBuffer?, any Error>) }
            let step: Step = try state.withLock { state in
                if case .ended(let error) = state.phase { throw error ?? CancellationError() }
                guard state.piece == nil else { return .full }
                if isLast { state.phase = .ended(nil) }
                if let reader = state.reader {
                    state.reader = nil
                    return .handed(reader)
                }
                state.piece = piece
                return .done
            }
            switch step {
            case .done: return
            case .handed(let reader): return reader.resume(returning: piece)
            case .full: try await untilTaken()
            }
        }
    }

    private func untilTaken() async throws {
        try await withThrowingContinuation { writer in
            let now: Result<Void, any Error>? = state.withLock { state in
                if case .ended(let error) = state.phase {
                    return .failure(error ?? CancellationError())
                }
                guard state.piece != nil else { return .success(()) }
                state.writer = writer
                return nil
            }
            if let now { writer.resume(with: now) }
        }
    }

    /// Ends the feed; later calls have no effect.
    private func finish(_ error: (any Error)?) {
        let (reader, writer) = state.withLock { state in
            if case .ended = state.phase { return (nil, nil) as Waiting }
            state.phase = .ended(error)
            if error != nil { state.piece = nil }
            defer { (state.reader, state.writer) = (nil, nil) }
            return (state.reader, state.writer)
        }
        if let error { reader?.resume(throwing: error) } else { reader?.resume(returning: nil) }
        writer?.resume(throwing: error ?? CancellationError())
    }

    private typealias Waiting = (
        Continuation<ByteBuffer?, any Error>?, Continuation<Void, any Error>?
    )
}

extension RequestFeed: AsyncSequence {
    struct AsyncIterator: AsyncIteratorProtocol {
        let feed: RequestFeed
        /// How many bytes the client got that may still wait for an event loop.
        private var unsettled = 0

        init(feed: RequestFeed) { self.feed = feed }

        mutating func next() async throws -> ByteBuffer? {
            if unsettled >= RequestFeed.settledSize {
                await RequestFeed.settle()
                unsettled = 0
            }
            let part = try await feed.nextPiece()
            unsettled += part?.readableBytes ?? 0
            return part
        }
    }

    typealias Element = ByteBuffer

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(feed: self) }

    /// Waits until the event loops have run their earlier work.
    ///
    /// The client notices only on the loop of a connection that the connection accepts no
    /// more, and requests parts in advance without a limit while the loop is busy. The loop is
    /// not known here, so this waits for all.
    private static func settle() async {
        let group = HTTPClient.defaultEventLoopGroup
        let turns = group.makeIterator().map { $0.submit {} }
        try? await EventLoopFuture.andAllComplete(turns, on: group.any()).get()
    }

    /// The next piece for the client; nil at the end of the body.
    private func nextPiece() async throws -> ByteBuffer? {
        try await withThrowingContinuation { reader in
            typealias Outcome = (
                result: Result<ByteBuffer?, any Error>?,
                writer: Continuation<Void, any Error>?
            )
            let outcome: Outcome = state.withLock { state in
                if case .idle = state.phase { state.phase = .running }
                defer { state.writer = nil }
                if let piece = state.piece {
                    state.piece = nil
                    return (.success(piece), state.writer)
                }
                if case .ended(let error) = state.phase {
                    return (error.map { .failure($0) } ?? .success(nil), nil)
                }
                state.reader = reader
                return (nil, state.writer)
            }
            outcome.writer?.resume()
            if let result = outcome.result { reader.resume(with: result) }
        }
    }
}
#endif
