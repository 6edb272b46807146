#if RequestCore
import SkiathosPlatformFoundation

/// A body whose pieces are reported when the next one is requested, since the earlier is then
/// sent.
struct ReportedBody: AsyncSequence, Sendable {
    typealias Element = Data

    let stream: ByteStream
    let progress: UploadProgress

    struct AsyncIterator: AsyncIteratorProtocol {
        private var pieces: ByteStream.AsyncIterator
        private let progress: UploadProgress
        private var pending: Data?
        private var underway = 0

        init(_ body: ReportedBody) {
            pieces = body.stream.makeAsyncIterator()
            progress = body.progress
        }

        mutating func next() async throws -> Data? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            progress.took(underway)
            underway = 0
            var next = pending
            if next == nil { next = try await pieces.next(isolation: actor) }
            // Bytes in memory come as one piece, of which progress has to be reported, too.
            guard let next else {
                progress.finish()
                return nil
            }
            let piece = next.prefix(FileStream.pieceSize)
            pending = piece.count < next.count ? next.dropFirst(piece.count) : nil
            underway = piece.count
            return piece
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
#endif
