#if RequestCore
/// A step of the pipeline, which may change a request, answer it, or send it more than once.
///
/// ```swift
/// struct Language: RequestInterceptor {
///     func intercept(_ request: OutgoingRequest, next: Next) async throws -> IncomingResponse {
///         var request = request
///         request.headers[.acceptLanguage] = "en"
///         return try await next(request)
///     }
/// }
/// ```
public protocol RequestInterceptor: Sendable {
    /// Sends a request through the following steps.
    typealias Next = @Sendable (OutgoingRequest) async throws -> IncomingResponse

    /// Handles a request.
    ///
    /// - Parameters:
    ///   - request: The request as the steps before left it.
    ///   - next: Sends a request through the following steps; may be called any number of
    ///     times, and only during this call.
    func intercept(_ request: OutgoingRequest, next: Next) async throws -> IncomingResponse
}
#endif
