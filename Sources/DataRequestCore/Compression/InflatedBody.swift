#if RequestCore
import SkiathosPlatformFoundation

/// A body that is decompressed while it is read.
struct InflatedBody: AsyncSequence, Sendable {
    typealias Element = Data

    let stream: ByteStream
    /// The codings in the order in which they are removed; one at least.
    let codings: [ContentCoding]
    let limits: Decompression

    struct AsyncIterator: AsyncIteratorProtocol {
        /// A coding that is removed.
        private struct Layer {
            let inflater: Inflater
            var produced: Int64 = 0
            var hasEnded = false
        }

        private var pieces: ByteStream.AsyncIterator
        /// Each gets what the one before it has produced, and the first gets the pieces.
        private var layers: [Layer]
        private let limits: Decompression
        /// What has come over the network, by which all layers are measured: the ratios of
        /// nested layers multiply.
        private var received: Int64 = 0

        init(_ body: InflatedBody) {
            pieces = body.stream.makeAsyncIterator()
            layers = body.codings.map { Layer(inflater: Inflater($0)) }
            limits = body.limits
        }

        mutating func next() async throws -> Data? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            let last = layers.count - 1
            // The layer whose output is wanted; one that needs input asks the one before it.
            var index = last
            while !layers[last].hasEnded {
                if let output = try layers[index].inflater.next() {
                    layers[index].produced += Int64(output.count)
                    try check(layers[index].produced)
                    if index == last { return output }
                    index += 1
                    layers[index].inflater.append(output)
                } else if index > 0, !layers[index - 1].hasEnded {
                    index -= 1
                } else if index == 0, let piece = try await pieces.next(isolation: actor) {
                    received += Int64(piece.count)
                    layers[0].inflater.append(piece)
                } else {
                    try layers[index].inflater.finish()
                    layers[index].hasEnded = true
                    index = Swift.min(index + 1, last)
                }
            }
            return nil
        }

        private func check(_ produced: Int64) throws {
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
