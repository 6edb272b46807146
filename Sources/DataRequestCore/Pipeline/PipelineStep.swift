#if RequestCore
/// An internal step of the pipeline, which knows the operation of the call.
///
/// User steps are ``RequestInterceptor``, which see the request alone.
protocol PipelineStep: Sendable {
    func handle(
        _ request: OutgoingRequest, of operation: RequestOperation, next: Pipeline.Rest
    ) async throws -> IncomingResponse
}

/// Adapts a user's interceptor to a step.
struct InterceptorStep: PipelineStep {
    let interceptor: any RequestInterceptor

    func handle(
        _ request: OutgoingRequest, of operation: RequestOperation, next: Pipeline.Rest
    ) async throws -> IncomingResponse {
        try await interceptor.intercept(request) { try await next($0) }
    }
}
#endif
