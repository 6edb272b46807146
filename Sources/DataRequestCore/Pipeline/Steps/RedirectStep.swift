#if RequestCore
import HTTPTypes
import SkiathosPlatformFoundation

/// Follows redirects, and removes credentials where they lead to another origin.
struct RedirectStep: PipelineStep {
    let policy: RedirectPolicy
    let sensitiveHeaders: Set<HTTPField.Name>

    /// What describes a body, or waits for leave to send it (RFC 9110, 10.1.1 and 15.4).
    private static let namesOfBody: [HTTPField.Name] = [
        .contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation,
        .lastModified, .expect,
    ]

    func handle(
        _ request: OutgoingRequest, of operation: RequestOperation, next: Pipeline.Rest
    ) async throws -> IncomingResponse {
        let policy = request.options.redirects ?? policy
        var request = request
        var seen: Set<String> = []
        while true {
            let response: IncomingResponse
            do { response = try await next(request) } catch var error as DataRequestError
                where !seen.isEmpty
            {
                // The server that has redirected the request had got it.
                error.isUnsent = false
                throw error
            }
            guard policy.scope != .none,
                !policy.keepsBody || !turnsPostIntoGet(request, response.status),
                let target = try target(of: response, to: request)
            else { return response }
            seen.insert("\(request.method) \(request.url.absoluteString)")
            let chain = Chain(operation: operation, from: request.url, to: target)
            try check(chain, policy, count: seen.count)
            request = try following(request, response.status, chain)
            guard !seen.contains("\(request.method) \(request.url.absoluteString)") else {
                throw chain.refusal(
                    "it leads to an address that was requested before; the server has to end the loop."
                )
            }
            await response.body.discard()
        }
    }

    /// The target of a redirect; nil if the response is not a redirect.
    private func target(
        of response: IncomingResponse, to request: OutgoingRequest
    ) throws -> URL? {
        guard [301, 302, 303, 307, 308].contains(response.status.code),
            let location = response.headers[.location]
        else { return nil }
        guard let url = URL(string: location, relativeTo: request.url)?.absoluteURL,
            Origin(url) != nil, url.user == nil, url.password == nil
        else {
            throw DataRequestError(
                .redirectRefused,
                "\(request.method) \(request.url.withoutSecrets) was redirected to an invalid "
                    + "address. Expected an http or https address without a user, and with a port from 1 "
                    + "to 65535. The server has to be corrected.",
                status: response.status)
        }
        guard url.fragment != nil else { return url }
        return URL(string: url.absoluteString.prefix(before: { $0 == UInt8(ascii: "#") }))
    }

    private func check(_ chain: Chain, _ policy: RedirectPolicy, count: Int) throws {
        if chain.isDowngrade {
            throw chain.refusal("it leads from https to http, which is not encrypted.")
        }
        if policy.scope == .sameOrigin, !chain.staysAtOrigin {
            throw chain.refusal("it leads to another origin, which the policy does not follow.")
        }
        if count > policy.maximum {
            throw chain.refusal(
                "it is one more than the \(policy.maximum) that the policy follows.")
        }
    }

    /// Whether a redirect makes a GET of a POST that the server may not have carried out.
    ///
    /// After 303 it has: that is the place of the answer to the POST (RFC 9110, 15.4.4).
    private func turnsPostIntoGet(
        _ request: OutgoingRequest, _ status: HTTPResponse.Status
    ) -> Bool { [301, 302].contains(status.code) && request.method == .post }

    /// The request to the target, by RFC 9110, 15.4.
    private func following(
        _ request: OutgoingRequest, _ status: HTTPResponse.Status, _ chain: Chain
    ) throws -> OutgoingRequest {
        var next = request
        next.url = chain.to
        if request.hasConditionsOfCache {
            // The target does not have the answer that they are about.
            next.headers[.ifNoneMatch] = nil
            next.headers[.ifModifiedSince] = nil
            next.hasConditionsOfCache = false
        }
        let becomesGet =
            status.code == 303
            ? request.method != .get && request.method != .head
            : turnsPostIntoGet(request, status)
        if becomesGet {
            next.method = .get
            next.body = .none
            for name in Self.namesOfBody { next.headers[name] = nil }
        } else if !request.body.isRepeatable {
            throw chain.refusal(
                "its body would have to be sent again and can be read once; give one that is "
                    + "repeatable.")
        }
        if !chain.staysAtOrigin { leaveCredentials(of: &next, chain) }
        return next
    }

    /// Removes the credentials of the previous origin.
    ///
    /// They are not restored when a later redirect returns there, since the server in between
    /// could have chosen the address.
    private func leaveCredentials(of request: inout OutgoingRequest, _ chain: Chain) {
        chain.operation.advance { $0.hasLostCredentials = true }
        request.options.isExternal = true
        var names = sensitiveHeaders
        names.formUnion([.authorization, .cookie, .proxyAuthorization])
        for field in chain.operation.environment.environment.headers { names.insert(field.name) }
        for name in names { request.headers[name] = nil }
    }
}

/// One step of a redirect, for checks and messages.
private struct Chain {
    let operation: RequestOperation
    let from: URL
    let to: URL

    var staysAtOrigin: Bool { Origin(from) == Origin(to) }

    var isDowngrade: Bool { Origin(from)?.isSecure == true && Origin(to)?.isSecure == false }

    func refusal(_ finding: String) -> DataRequestError {
        DataRequestError(
            .redirectRefused,
            "\(operation.subject): the redirect from \(from.withoutSecrets) to \(to.withoutSecrets) "
                + "is not followed: \(finding)")
    }
}

extension DataRequestError.Code {
    /// A redirect is not followed: a loop, too many, unencrypted, or beyond the policy.
    public static let redirectRefused = Self(rawValue: "redirectRefused")
}
#endif
