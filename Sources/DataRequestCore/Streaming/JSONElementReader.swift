#if RequestCore
package import SkiathosPlatformFoundation

/// Reads the elements of a body one by one, pulling bytes only when one is requested.
package struct JSONElementReader {
    /// Retained, since releasing the body ends the exchange.
    private let body: ByteStream
    private var bytes: ByteStream.AsyncIterator
    private var scanner: JSONElementScanner
    /// Complete elements that were not returned yet, the next one last.
    private var ready: [JSONElement] = []
    private var isAtEnd = false
    /// How many bytes of the body were read.
    package private(set) var byteCount: Int64 = 0
    /// How many elements were returned.
    package private(set) var count = 0

    package init(
        _ body: ByteStream, at place: ElementPlace, limits: ElementLimits = ElementLimits()
    ) {
        self.body = body
        bytes = body.makeAsyncIterator()
        scanner = JSONElementScanner(place, limits: limits)
    }

    /// Everything around the elements, with an empty array in their place; nil before the end.
    package var envelope: Data? { isAtEnd && ready.isEmpty ? scanner.envelope : nil }

    /// The next element, or nil at the end of a document that is whole.
    package mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> JSONElement? {
        while ready.isEmpty, !isAtEnd {
            try Task.checkCancellation()
            if let piece = try await bytes.next(isolation: actor) {
                byteCount += Int64(piece.count)
                try scanner.scan(piece, into: &ready)
            } else {
                // A stream that was cut off by cancelling its task ends like any other.
                try Task.checkCancellation()
                try scanner.finish(into: &ready)
                isAtEnd = true
            }
            ready.reverse()
        }
        guard let element = ready.popLast() else { return nil }
        count += 1
        return element
    }
}
#endif
