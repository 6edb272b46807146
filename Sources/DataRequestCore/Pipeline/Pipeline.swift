#if RequestCore
/// The steps of a request from the call to the transport, outermost first.
///
/// The order is written down once, in ``steps(for:)``.
struct Pipeline: Sendable {
    /// The steps after one step.
    struct Rest: Sendable {
        fileprivate let steps: [any PipelineStep]
        fileprivate let index: Int
        let operation: RequestOperation

        /// Sends a request through the following steps.
        func callAsFunction(_ request: OutgoingRequest) async throws -> IncomingResponse {
            let rest = Rest(steps: steps, index: index + 1, operation: operation)
            return try await steps[index].handle(request, of: operation, next: rest)
        }
    }

    let steps: [any PipelineStep]

    init(_ steps: [any PipelineStep]) { self.steps = steps + [TransportStep()] }

    /// Sends a request through all steps.
    func send(
        _ request: OutgoingRequest, of operation: RequestOperation
    ) async throws -> IncomingResponse {
        try await Rest(steps: steps, index: 0, operation: operation)(request)
    }
}
#endif
