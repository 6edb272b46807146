#if RequestCore
import HTTPTypes

/// Adds credentials to exchanges with the base host.
///
/// A rejected exchange is repeated once after a refresh.
struct AuthorisationStep: PipelineStep {
    func handle(
        _ request: OutgoingRequest, of operation: RequestOperation, next: Pipeline.Rest
    ) async throws -> IncomingResponse {
        let credentials = operation.environment.credentials
        guard var ticket = credentials.ticket(), !request.options.isExternal,
            request.headers[.authorization] == nil,
            Origin(request.url) == operation.environment.base.origin
        else { return try await next(request) }
        operation.advance { $0.hasLostCredentials = false }
        let outgoing = try await authorised(request, by: ticket, of: operation)
        // Afterwards, since the authoriser may have replaced its credentials just now.
        ticket.revision = ticket.authoriser.revision
        let response = try await next(outgoing)
        guard response.status == .unauthorized, !operation.progress.hasLostCredentials,
            !operation.progress.hasRefreshed
        else { return response }
        operation.advance { $0.hasRefreshed = true }
        guard try await hasOthers(than: ticket, after: response, to: request, of: operation) else {
            return response
        }
        try Task.checkCancellation()
        guard request.body.isRepeatable else { throw unrepeatable(response, operation) }
        await response.body.discard()
        operation.advance { $0.hasLostCredentials = false }
        // If the credentials were cleared meanwhile, the repetition has none.
        guard let renewed = credentials.ticket() else { return try await next(request) }
        return try await next(authorised(request, by: renewed, of: operation))
    }

    private func authorised(
        _ request: OutgoingRequest, by ticket: EnvironmentCredentials.Ticket,
        of operation: RequestOperation
    ) async throws -> OutgoingRequest {
        var authorised = request
        do { try await ticket.authoriser.authorise(&authorised) } catch {
            throw unauthorised(
                operation, "there are no credentials: the authoriser failed.", cause: error)
        }
        guard authorised.url == request.url, authorised.method == request.method else {
            throw unauthorised(
                operation, "the authoriser changed its address or method; it may add headers.")
        }
        return authorised
    }

    private func hasOthers(
        than ticket: EnvironmentCredentials.Ticket, after response: IncomingResponse,
        to request: OutgoingRequest, of operation: RequestOperation
    ) async throws -> Bool {
        let rejection = AuthorisationRejection(
            url: request.url, challenge: response.headers[.wwwAuthenticate])
        do {
            return try await operation.environment.credentials.refresh(ticket, after: rejection)
        } catch {
            throw unauthorised(
                operation,
                "it was answered with 401, and the credentials could not be refreshed.",
                cause: error, status: .unauthorized)
        }
    }

    private func unrepeatable(
        _ response: IncomingResponse, _ operation: RequestOperation
    ) -> DataRequestError {
        unauthorised(
            operation,
            "it was answered with 401, and its body cannot be sent a second time. The credentials "
                + "are refreshed: send the request again, or give it a repeatable body.",
            status: response.status, retry: .later)
    }

    private func unauthorised(
        _ operation: RequestOperation, _ finding: String, cause: (any Error)? = nil,
        status: HTTPResponse.Status? = nil, retry: DataRequestError.Retry = .no
    ) -> DataRequestError {
        DataRequestError(
            .unauthorised, "\(operation.subject) is not authorised: \(finding)", retry: retry,
            status: status, cause: cause)
    }
}

extension DataRequestError.Code {
    /// The server accepts none of the credentials.
    public static let unauthorised = Self(rawValue: "unauthorised")
}
#endif
