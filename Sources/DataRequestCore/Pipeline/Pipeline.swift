/// The steps of a request from the call to the transport, outermost first.
struct Pipeline: Sendable {
    let steps: [any RequestInterceptor]
    let transport: any HTTPTransport

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        try await send(request, from: 0)
    }

    private func send(_ request: OutgoingRequest, from index: Int) async throws -> IncomingResponse
    {
        guard index < steps.count else { return try await transport.send(request) }
        return try await steps[index].intercept(request) { try await send($0, from: index + 1) }
    }
}
