#if RequestCore
/// Whoever holds a streamed body; its end is the end of the operation that receives it.
///
/// One belongs to the stream and one to each loop over it, so that leaving the loop ends the
/// exchange while the answer itself is still held.
final class BodyReader: Sendable {
    private let operation: RequestOperation

    init(_ operation: RequestOperation) { self.operation = operation }

    deinit { operation.stop(.abandoned) }

    func cancel() { operation.stop(.callerCancelled) }
}

extension BodyChannel {
    /// The stream for the caller, whose end of interest ends the operation.
    func stream(of operation: RequestOperation, length: Int64?) -> ByteStream {
        let holder = BodyReader(operation)
        return ByteStream(length: length) {
            let reader = BodyReader(operation)
            return ByteStream.AsyncIterator { _ in
                // A loop goes on when the answer that it took the body from is gone.
                defer { withExtendedLifetime(holder) {} }
                return try await withTaskCancellationHandler {
                    try await self.next()
                } onCancel: {
                    reader.cancel()
                }
            }
        }
    }
}
#endif
