#if RequestCore
/// Ties a streamed body to its operation: releasing the reader ends the operation.
///
/// The stream has one and each loop over it has one. So leaving the loop ends the exchange
/// while the answer itself is still retained.
final class BodyReader: Sendable {
    private let operation: RequestOperation

    init(_ operation: RequestOperation) { self.operation = operation }

    deinit { operation.stop(.abandoned) }

    func cancel() { operation.stop(.callerCancelled) }
}

extension BodyChannel {
    /// The stream for the caller; dropping it ends the operation.
    func stream(of operation: RequestOperation, length: Int64?) -> ByteStream {
        let holder = BodyReader(operation)
        return ByteStream(length: length) {
            let reader = BodyReader(operation)
            return ByteStream.AsyncIterator { _ in
                // A loop continues when the answer that it took the body from is released.
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
