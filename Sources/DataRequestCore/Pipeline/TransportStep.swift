#if RequestCore
/// The last step: passes a request to the transport and applies the time limits.
struct TransportStep: PipelineStep {
    func handle(
        _ request: OutgoingRequest, of operation: RequestOperation, next: Pipeline.Rest
    ) async throws -> IncomingResponse {
        try Task.checkCancellation()
        operation.beginSending()
        defer { operation.endSending() }
        var response = try await operation.environment.transport.send(
            request.watched(by: operation))
        if response.body.length != 0 { response.body = response.body.watched(by: operation) }
        return response
    }
}

extension OutgoingRequest {
    /// The request with time limits on its streamed body.
    ///
    /// The idle limit applies between pieces. The response limit starts after the last piece,
    /// and does not run while the request waits for a connection.
    fileprivate func watched(by operation: RequestOperation) -> OutgoingRequest {
        var watched = self
        watched.onWaiting = { operation.passWaiting($0) }
        switch body.source {
        case .nothing, .bytes: return watched
        default: break
        }
        let body = self.body
        watched.body.source = .stream {
            operation.passUpload(isLast: false)
            let stream = try await body.open() ?? .empty
            return ByteStream(length: stream.length) {
                var iterator = stream.makeAsyncIterator()
                return ByteStream.AsyncIterator { actor in
                    operation.passUpload(isLast: false)
                    let piece = try await iterator.next(isolation: actor)
                    if piece == nil { operation.passUpload(isLast: true) }
                    return piece
                }
            }
        }
        return watched
    }
}

extension ByteStream {
    /// The stream with the idle limit between its pieces.
    fileprivate func watched(by operation: RequestOperation) -> ByteStream {
        ByteStream(length: length) {
            var iterator = makeAsyncIterator()
            return AsyncIterator { actor in
                operation.startIdleLimit()
                defer { operation.start(nil) }
                return try await iterator.next(isolation: actor)
            }
        }
    }
}
#endif
