#if RequestCore
/// A step of the service's own on the way of a request, which knows the call it works for.
///
/// Steps of users are ``RequestInterceptor``, which see the request alone.
protocol PipelineStep: Sendable {
    func handle(
        _ request: OutgoingRequest, of operation: RequestOperation, next: Pipeline.Rest
    ) async throws -> IncomingResponse
}

/// Lets a user's interceptor take part as a step.
struct InterceptorStep: PipelineStep {
    let interceptor: any RequestInterceptor

    func handle(
        _ request: OutgoingRequest, of operation: RequestOperation, next: Pipeline.Rest
    ) async throws -> IncomingResponse {
        try await interceptor.intercept(request) { try await next($0) }
    }
}
#endif
