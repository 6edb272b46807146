#if RequestCore
/// Records the outcome of each exchange with the base host in the monitor.
struct ReachabilityStep: PipelineStep {
    let monitor: ReachabilityMonitor
    let probe: @Sendable () async -> Void

    func handle(
        _ request: OutgoingRequest, of operation: RequestOperation, next: Pipeline.Rest
    ) async throws -> IncomingResponse {
        guard !request.options.isExternal else { return try await next(request) }
        do {
            let response = try await next(request)
            monitor.record(nil, in: operation.environment, probe: probe)
            return response
        } catch {
            if let code = code(of: error, operation) {
                monitor.record(code, in: operation.environment, probe: probe)
            }
            throw error
        }
    }

    private func code(
        of error: any Error, _ operation: RequestOperation
    ) -> DataRequestError.Code? {
        guard let error = error as? DataRequestError else {
            return operation.wasTooSlow ? .timedOut : nil
        }
        let codes: Set<DataRequestError.Code> = [.connectionFailed, .connectionLost, .timedOut]
        return codes.contains(error.code) ? error.code : nil
    }
}
#endif
