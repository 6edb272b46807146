#if RequestCore
import SkiathosPlatformFoundation

/// A body whose bytes are counted while it is sent, to enforce the stated length.
///
/// The piece that completes the stated length is held back until the stream has ended: a
/// server that has received the stated length would accept the request.
struct FramedBody: AsyncSequence, Sendable {
    typealias Element = Data

    let stream: ByteStream
    let length: Int64?
    let watch: BodyWatch

    struct AsyncIterator: AsyncIteratorProtocol {
        private var pieces: ByteStream.AsyncIterator
        private let length: Int64?
        private let watch: BodyWatch
        private var sent: Int64 = 0

        init(_ body: FramedBody) {
            pieces = body.stream.makeAsyncIterator()
            length = body.length
            watch = body.watch
        }

        mutating func next() async throws -> Data? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            do {
                return try await checkedPiece(actor)
            } catch let error as CancellationError {
                throw error
            } catch {
                throw watch.failed(error)
            }
        }

        private mutating func checkedPiece(
            _ actor: isolated (any Actor)?
        ) async throws -> Data? {
            guard let piece = try await pieces.next(isolation: actor) else {
                try check(isComplete: true)
                watch.ended()
                return nil
            }
            sent += Int64(piece.count)
            if sent == length {
                sent += Int64(try await pieces.next(isolation: actor)?.count ?? 0)
            }
            try check(isComplete: false)
            // A transport that knows the length need not ask for the end.
            if sent == length { watch.ended() }
            return piece
        }

        private func check(isComplete: Bool) throws {
            guard let length, isComplete ? sent != length : sent > length else { return }
            throw DataRequestError(
                .invalidBody,
                "The body has \(isComplete ? "only" : "more than") \(isComplete ? sent : length) "
                    + "bytes, and \(length) were announced.")
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
#endif
