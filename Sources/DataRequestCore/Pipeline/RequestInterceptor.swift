#if RequestCore
/// A step on the way of a request, which may change it, answer it, or send it more than once.
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
    /// What follows this step.
    typealias Next = @Sendable (OutgoingRequest) async throws -> IncomingResponse

    /// Handles a request.
    ///
    /// - Parameters:
    ///   - request: The request as the steps before left it.
    ///   - next: Sends a request on its way; may be called any number of times, and only during
    ///     this call.
    func intercept(_ request: OutgoingRequest, next: Next) async throws -> IncomingResponse
}
#endif
