#if Requests
import AsyncHTTPClient
import DataRequestCore
import Locks
import NIOCore
import PlatformFoundation
import Synchronization

/// Brings the body of a request to the client, which asks for it piece by piece.
///
/// The client reads a body in a task of its own that nobody can cancel. So the body is read in a
/// task of the exchange, which ends with it, and one piece at a time is handed over: the server's
/// speed is the speed at which the body is read, and it is not opened before there is a connection.
final class RequestFeed: Sendable {
    /// What the body threw, to tell it from what the connection did.
    struct BodyFailure: Error { let cause: any Error }

    private enum Phase {
        /// Nobody has asked yet. Exits: .running, .ended.
        case idle
        /// The body is read. Exits: .ended.
        case running
        /// No piece comes any more, for that reason if it is not the end of the body.
        case ended((any Error)?)
    }

    private struct State {
        var phase = Phase.idle
        var piece: ByteBuffer?
        var reader: CheckedContinuation<ByteBuffer?, any Error>?
        var writer: CheckedContinuation<Void, any Error>?
        var task: Task<Void, Never>?
    }

    /// The size of what is given to the client at once, in bytes; as large as a socket's buffer.
    private static let partSize = 128 << 10

    /// The size of what is given to the client before the event loops are waited for, in bytes.
    private static let settledSize = 1 << 20

    private let state = Lock(State())
    private let length: Int64?

    /// Makes a feed, or nil for a body that needs none.
    ///
    /// - Parameters:
    ///   - expectation: What holds the body back; then bytes in memory have a feed, too.
    ///   - limit: How long it does so at the most.
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
                // never takes a body for whole that turns out to go on.
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

    /// Offers bytes in parts, since the client holds several of them and copies each.
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
            "The body gave \(word) bytes than the \(length ?? 0) that it said, so the request was "
                + "broken off. Give the right length, or none.")
    }

    /// Waits until the client asks for the first piece.
    private func untilWanted() async throws {
        try await withCheckedThrowingContinuation { writer in
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

    /// Gives a piece to the client, or leaves it for it; waits while the one before is there.
    ///
    /// - Parameter isLast: Whether the body ends here. It does so in the same step: the answer to
    ///   the last byte may come before the next one, and would break off a body that goes on.
    private func offer(_ piece: ByteBuffer, isLast: Bool) async throws {
        while true {
            enum Step { case done, full, handed(CheckedContinuation<ByteBuffer?, any Error>) }
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
        try await withCheckedThrowingContinuation { writer in
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

    /// Ends the feed once; later ends change nothing.
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
        CheckedContinuation<ByteBuffer?, any Error>?, CheckedContinuation<Void, any Error>?
    )
}

extension RequestFeed: AsyncSequence {
    struct AsyncIterator: AsyncIteratorProtocol {
        let feed: RequestFeed
        /// How much was given to the client that may still wait for an event loop, in bytes.
        private var unsettled = 0

        init(feed: RequestFeed) { self.feed = feed }

        mutating func next() async throws -> ByteBuffer? {
            if unsettled >= RequestFeed.settledSize {
                await RequestFeed.settle()
                unsettled = 0
            }
            let part = try await feed.take()
            unsettled += part?.readableBytes ?? 0
            return part
        }
    }

    typealias Element = ByteBuffer

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(feed: self) }

    /// Waits until the event loops have done what they were given before.
    ///
    /// The client learns only on the loop of a connection that it takes no more, and asks for parts
    /// ahead of it without a limit while the loop is busy. We do not know the loop, so ask all.
    private static func settle() async {
        let group = HTTPClient.defaultEventLoopGroup
        let turns = group.makeIterator().map { $0.submit {} }
        try? await EventLoopFuture.andAllComplete(turns, on: group.any()).get()
    }

    /// The next piece for the client; nil at the end of the body.
    private func take() async throws -> ByteBuffer? {
        try await withCheckedThrowingContinuation { reader in
            typealias Outcome = (
                result: Result<ByteBuffer?, any Error>?,
                writer: CheckedContinuation<Void, any Error>?
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
