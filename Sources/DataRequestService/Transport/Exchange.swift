#if Requests
import AsyncHTTPClient
import DataRequestCore
import SkiathosLocks
import NIOCore
import SkiathosPlatformFoundation
import Synchronization

/// A request and its response, from the response's head until its body was read or dropped.
///
/// It retains the transport's clients, and ends the reading of the request's body.
final class Exchange: Sendable {
    let label: ExchangeLabel
    private let body: HTTPClientResponse.Body
    private let feed: RequestFeed?
    private let clients: ClientPool
    /// Whether the body was taken; a body of the client traps when it is read twice.
    private let isTaken = Lock(false)

    init(
        body: HTTPClientResponse.Body, feed: RequestFeed?, label: ExchangeLabel, clients: ClientPool
    ) {
        self.body = body
        self.feed = feed
        self.label = label
        self.clients = clients
    }

    deinit { feed?.cancel() }

    /// The pieces for the first caller, nil for others.
    func takePieces() -> HTTPClientResponse.Body.AsyncIterator? {
        let isFirst = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        return isFirst ? body.makeAsyncIterator() : nil
    }

    /// Translates an error that has ended the body of the response.
    func error(for error: any Error) -> any Error {
        TransportErrorTranslation(exchange: label)
            .translate(error, isUnsent: false, isShutDown: clients.isShutDown)
    }

    /// Ends the request's body, which is not needed after the response.
    func end() { feed?.cancel() }
}

/// The body of a response, as the client delivers it.
struct ResponsePieces: AsyncSequence, Sendable {
    typealias Element = Data

    struct AsyncIterator: AsyncIteratorProtocol {
        private let exchange: Exchange
        private var pieces: HTTPClientResponse.Body.AsyncIterator?
        private var isOver = false

        init(_ exchange: Exchange) {
            self.exchange = exchange
            pieces = exchange.takePieces()
        }

        mutating func next() async throws -> Data? {
            guard !isOver else { return nil }
            guard pieces != nil else { throw alreadyRead() }
            do {
                if let buffer = try await pieces?.next() {
                    return buffer.withUnsafeReadableBytes { Data($0) }
                }
                isOver = true
                exchange.end()
                return nil
            } catch {
                isOver = true
                exchange.end()
                throw exchange.error(for: error)
            }
        }

        private mutating func alreadyRead() -> DataRequestError {
            isOver = true
            return DataRequestError(
                .malformedResponse,
                "The body of \(exchange.label) was read already; it can be read once. Keep its bytes."
            )
        }
    }

    let exchange: Exchange

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(exchange) }
}
#endif
