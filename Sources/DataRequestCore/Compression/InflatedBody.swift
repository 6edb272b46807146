#if RequestCore
import PlatformFoundation

/// A body that is decompressed while it is read.
struct InflatedBody: AsyncSequence, Sendable {
    typealias Element = Data

    let stream: ByteStream
    let coding: ContentCoding
    let limits: Decompression

    struct AsyncIterator: AsyncIteratorProtocol {
        private var pieces: ByteStream.AsyncIterator
        private let inflater: Inflater
        private let limits: Decompression
        private var received: Int64 = 0
        private var produced: Int64 = 0
        private var hasEnded = false

        init(_ body: InflatedBody) {
            pieces = body.stream.makeAsyncIterator()
            inflater = Inflater(body.coding)
            limits = body.limits
        }

        mutating func next() async throws -> Data? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            while !hasEnded {
                if let output = try inflater.next() {
                    produced += Int64(output.count)
                    try check()
                    return output
                }
                guard let piece = try await pieces.next(isolation: actor) else {
                    try inflater.finish()
                    hasEnded = true
                    return nil
                }
                received += Int64(piece.count)
                inflater.append(piece)
            }
            return nil
        }

        private func check() throws {
            let isTooMuch = produced > limits.maximumSize
            let (allowed, overflow) = received.multipliedReportingOverflow(
                by: Int64(limits.maximumRatio))
            let isTooDense = produced > 1 << 20 && !overflow && produced > allowed
            guard isTooMuch || isTooDense else { return }
            let limit =
                isTooMuch
                ? "\(limits.maximumSize) bytes"
                : "\(limits.maximumRatio) times the received bytes"
            throw DataRequestError(
                .tooLarge,
                "The answer decompresses to more than \(limit); see Configuration.decompression.")
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
#endif
