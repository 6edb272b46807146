#if Macros && Requests
import Hummingbird
import Logging
import Skiathos
import Synchronization

/// Answers every error with its status and a sentence in JSON.
struct ErrorsAsJSON: RouterMiddleware {
    let refusals: Refusals

    func handle(
        _ request: Request, context: NotesContext,
        next: (Request, NotesContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let answer = HTTPError(answering: error)
            if answer.isOfStopping { refusals.add() }
            if answer.status == .internalServerError {
                // Errors of the store name entities, columns and files, and hold no values of rows.
                context.logger.error("A request has failed: \(error)")
            }
            return try answer.response(from: request, context: context)
        }
    }
}

/// Counts the requests that were refused since the server was stopping.
final class Refusals: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }
    func add() { number.wrappingAdd(1, ordering: .relaxed) }
}

extension HTTPError {
    private static let stopping = "The server is stopping."

    fileprivate var isOfStopping: Bool { body == Self.stopping }

    static let noSuchNote = HTTPError(.notFound, message: "There is no such note.")

    /// The answer to a request that has failed.
    fileprivate init(answering error: any Error) {
        switch error {
        case let error as HTTPError where error.body != nil:
            self = error
        case let error as any HTTPResponseError:
            self.init(error.status, message: "\(error.status.reasonPhrase).")
        case let error as DataAccessError where error.code == .closed:
            self.init(unavailableSince: Self.stopping)
        case let error as DataAccessError where error.code == .tooManyWaitingWrites:
            self.init(unavailableSince: "Too many writes wait already.")
        case is CancellationError:
            self.init(unavailableSince: Self.stopping)
        default:
            self.init(.internalServerError, message: "The server could not do that.")
        }
    }

    /// Nothing was done, and the same request may succeed later.
    init(unavailableSince reason: String) {
        self.init(.serviceUnavailable, headers: [.retryAfter: "1"], message: reason)
    }
}
#endif
