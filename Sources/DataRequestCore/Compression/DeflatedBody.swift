#if RequestCore
import SkiathosPlatformFoundation

/// A body that is compressed while it is sent.
struct DeflatedBody: AsyncSequence, Sendable {
    typealias Element = Data

    let stream: ByteStream

    struct AsyncIterator: AsyncIteratorProtocol {
        private var pieces: ByteStream.AsyncIterator
        private var deflater: Deflater?
        private var hasEnded = false

        init(_ stream: ByteStream) { pieces = stream.makeAsyncIterator() }

        mutating func next() async throws -> Data? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            let deflater = try self.deflater ?? Deflater()
            self.deflater = deflater
            while !hasEnded {
                let piece = try await pieces.next(isolation: actor)
                hasEnded = piece == nil
                let output = try deflater.compress(piece)
                if !output.isEmpty { return output }
            }
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream) }
}
#endif
