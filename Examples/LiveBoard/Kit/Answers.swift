#if Macros && Hummingbird
import Hummingbird
import Logging
import ServiceLifecycle
import Skiathos

/// Answers every error with its status and a sentence in JSON, and tells clients of a server that
/// stops to send nothing more on their connection.
struct Answers: RouterMiddleware {
    func handle(
        _ request: Request, context: BoardContext,
        next: (Request, BoardContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch {
            let answer = HTTPError(answering: error)
            if answer.status == .internalServerError {
                // Errors of the store name entities, columns and files, and hold no values of rows.
                context.logger.error("A request has failed: \(error)")
            }
            response = try answer.response(from: request, context: context)
        }
        if Task.isShuttingDownGracefully { response.headers[.connection] = "close" }
        return response
    }
}

extension HTTPError {
    static let noSuchCard = HTTPError(
        .notFound, message: "There is no such card; another page may have deleted it.")

    /// The answer to a request that has failed.
    fileprivate init(answering error: any Error) {
        switch error {
        case let error as HTTPError where error.body != nil: self = error
        case let error as any HTTPResponseError:
            self.init(error.status, message: "\(error.status.reasonPhrase).")
        case is CancellationError: self = .stopping
        case let error as DataAccessError where error.code == .closed: self = .stopping
        default: self.init(.internalServerError, message: "The server could not do that.")
        }
    }

    /// Nothing was done, and the same request may succeed later.
    private static let stopping = HTTPError(
        .serviceUnavailable, headers: [.retryAfter: "1"], message: "The server is stopping.")
}
#endif
