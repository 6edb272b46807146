#if Macros && Requests
import Hummingbird
import ServiceLifecycle

/// Tells clients with their last answer that the connection ends, so that they send nothing that
/// would not be read any more.
struct LastAnswers: RouterMiddleware {
    func handle(
        _ request: Request, context: NotesContext,
        next: (Request, NotesContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if Task.isShuttingDownGracefully { response.headers[.connection] = "close" }
        return response
    }
}
#endif
