#if RequestCore
import SkiathosLocks
import Synchronization

/// A stream that can be sent once.
final class OneTimeStream: Sendable {
    private let stream: Lock<ByteStream?>

    init(_ stream: ByteStream) { self.stream = Lock(stream) }

    func consume() throws -> ByteStream {
        let taken = stream.withLock { stream in
            defer { stream = nil }
            return stream
        }
        if let taken { return taken }
        throw DataRequestError(
            .invalidBody,
            "The body is a stream that was sent already. Make it repeatable to send it again.")
    }
}
#endif
