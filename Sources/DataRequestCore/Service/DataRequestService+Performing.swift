#if RequestCore
extension DataRequestService {
    /// Sends a request and passes the response to a closure, as one operation.
    ///
    /// The closure runs in the task of the operation and gets a response of any status. It
    /// reads as much of the body as it needs. Leaving a rest unread ends the exchange.
    ///
    /// - Parameters:
    ///   - isRepeatable: Whether an answer that breaks off while the closure reads it may be
    ///     fetched again, with a new call of the closure, if request and policy allow it.
    ///   - consume: Reads the answer.
    package func perform<Value: Sendable>(
        _ request: DataRequest, repeatable isRepeatable: Bool = true,
        consume: @escaping @Sendable (IncomingResponse) async throws -> Value
    ) async throws -> Value {
        try await operate(request) { operation in
            try await self.traced(operation) {
                let outgoing = try await self.prepare(operation)
                while true {
                    let response = try await self.pipeline.send(outgoing, of: operation)
                    do { return try await consume(response) } catch let error as DataRequestError {
                        let retrying = self.retrying
                        guard isRepeatable, error.code == .connectionLost,
                            try await retrying.pause(before: outgoing, after: error, of: operation)
                        else { throw error }
                    }
                }
            }
        }
    }

    /// Sends a request and returns the head of the answer with its body as a stream.
    ///
    /// ```swift
    /// let response = try await service.response(for: DataRequest(.get, "export"))
    /// for try await piece in response.body { try file.write(piece) }
    /// ```
    ///
    /// The body arrives as it is read: a slow reader slows down the server. The exchange ends
    /// when the loop over the body is left or the body is dropped, when the reading task is
    /// cancelled, and when a time limit passes. A pause of the reader counts towards the idle
    /// limit.
    ///
    /// - Throws: `DataRequestError`; `unexpectedStatus` for a status that the request does not
    ///   expect. The stream throws what ends the body early.
    public func response(for request: DataRequest) async throws -> IncomingResponse {
        try await response(for: request) { _ in }
    }

    /// Sends a request as ``response(for:)`` does, unless a check refuses its environment.
    ///
    /// A switch may come between a look at ``environment`` and the call. The check gets the
    /// environment that the call belongs to, before anything is sent.
    package func response(
        for request: DataRequest,
        checking check: @escaping @Sendable (ServerEnvironment) throws -> Void
    ) async throws -> IncomingResponse {
        try await stream(request) { operation in
            try check(operation.environment.environment)
            return try await self.traced(operation) {
                let outgoing = try await self.prepare(operation)
                let response = try await self.pipeline.send(outgoing, of: operation)
                return try await self.checked(response, for: operation.request)
            }
        }
    }

    /// Runs the preparation hook on the request, and resolves it.
    private func prepare(_ operation: RequestOperation) async throws -> OutgoingRequest {
        var request = operation.request
        if let prepare = configuration.prepare {
            try await prepare(&request, operation.environment.environment)
            operation.prepared(request)
        }
        return try DataRequestError.beforeSending { [request] in
            try request.resolved(
                in: operation.environment,
                allowsExternalCleartext: configuration.allowsExternalCleartext)
        }
    }
}
#endif
