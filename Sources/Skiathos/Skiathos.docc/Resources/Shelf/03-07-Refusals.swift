import Hummingbird
import ShelfKit
import Skiathos

/// Answers what the shelf refuses with a status and a sentence.
struct Refusals: RouterMiddleware {
    func handle(
        _ request: Request, context: ShelfContext,
        next: (Request, ShelfContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as ShelfError {
            let isMissing = error == .noSuchBook || error == .noSuchFriend
            return try HTTPError(isMissing ? .notFound : .conflict, message: error.rawValue)
                .response(from: request, context: context)
        } catch let error as DataAccessError where error.code == .closed {
            return try HTTPError(.serviceUnavailable, message: "The server is stopping.")
                .response(from: request, context: context)
        }
    }
}
