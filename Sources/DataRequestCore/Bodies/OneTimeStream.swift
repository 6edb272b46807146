#if RequestCore
import Locks
import Synchronization

/// A stream that can be taken once.
final class OneTimeStream: Sendable {
    private let stream: Lock<ByteStream?>

    init(_ stream: ByteStream) { self.stream = Lock(stream) }

    func take() throws -> ByteStream {
        let taken = stream.withLock { stream in
            defer { stream = nil }
            return stream
        }
        if let taken { return taken }
        throw DataRequestError(
            .invalidBody,
            "The body is a stream that was sent already; make it repeatable to send it again.")
    }
}
#endif
