#if RequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization

/// Revalidates cached responses, and caches new ones that have validators.
final class ConditionalRequestStep: PipelineStep {
    private let policy: ConditionalRequestPolicy
    private let sensitiveHeaders: Set<HTTPField.Name>
    private let store: Lock<AnswerStore>

    init(_ policy: ConditionalRequestPolicy, sensitiveHeaders: Set<HTTPField.Name>) {
        self.policy = policy
        self.sensitiveHeaders = sensitiveHeaders
        store = Lock(AnswerStore(policy))
    }

    func handle(
        _ request: OutgoingRequest, of operation: RequestOperation, next: Pipeline.Rest
    ) async throws -> IncomingResponse {
        guard isEligible(request, operation) else { return try await next(request) }
        let key = key(request, operation)
        let stored = store.withLock { $0.answer(for: key, request.headers) }
        var asking = request
        if let stored {
            let validators = Validators(stored.headers)
            asking.headers[.ifNoneMatch] = validators.etag
            asking.headers[.ifModifiedSince] = validators.lastModified
            asking.hasConditionsOfCache = true
        }
        let response = try await next(asking)
        // If credentials were refreshed on the way, the response belongs to other credentials.
        let isSame = self.key(request, operation) == key
        // What another address says of itself says nothing of the cached response.
        if response.status == .notModified, response.url == request.url, let stored {
            await response.body.discard()
            let renewed = renewed(stored, by: response)
            if isSame { keep(renewed, stored.body, key, self.varied(renewed, request)) }
            return renewed
        }
        guard response.status == .ok else { return response }
        guard isSame, response.url == request.url, let varied = varied(response, request) else {
            store.withLock { $0.remove(key) }
            return response
        }
        return kept(response, key, varied)
    }

    private func isEligible(_ request: OutgoingRequest, _ operation: RequestOperation) -> Bool {
        guard request.method == .get, !request.options.isExternal, request.body.length == 0 else {
            return false
        }
        let own: [HTTPField.Name] = [
            .authorization, .cookie, .range, .ifMatch, .ifNoneMatch, .ifModifiedSince,
            .ifUnmodifiedSince, .ifRange,
        ]
        guard own.allSatisfy({ request.headers[$0] == nil }) else { return false }
        // Those of the environment are the same for all, and the environment is in the key.
        let common = operation.environment.environment.headers
        guard sensitiveHeaders.allSatisfy({ request.headers[$0] == common[$0] }) else {
            return false
        }
        return !forbids(request.headers)
    }

    private func forbids(_ headers: HTTPFields) -> Bool {
        headers[.cacheControl]?.lowercased().has(text: "no-store") == true
    }

    private func key(_ request: OutgoingRequest, _ operation: RequestOperation) -> AnswerStore.Key {
        AnswerStore.Key(
            address: request.url.absoluteString, environment: operation.environment.id,
            credentials: operation.environment.credentials.version)
    }

    /// The headers that the response varies by; nil if it must not be cached.
    private func varied(
        _ response: IncomingResponse, _ request: OutgoingRequest
    ) -> [HTTPField.Name: String?]? {
        guard !response.validators.isEmpty, !forbids(response.headers) else { return nil }
        if let length = response.body.length, length > policy.maximumBodySize { return nil }
        // A caller that names encodings gets other bytes, also if the server does not say so.
        var varied: [HTTPField.Name: String?] = [.acceptEncoding: request.headers[.acceptEncoding]]
        for part in (response.headers[.vary] ?? "").parts(at: ",") where !part.isEmpty {
            let text = part.trimmed
            guard let name = HTTPField.Name(text), !text.equals("*") else { return nil }
            varied.updateValue(request.headers[name], forKey: name)
        }
        return varied
    }

    private func renewed(
        _ stored: StoredAnswer, by response: IncomingResponse
    ) -> IncomingResponse {
        IncomingResponse(
            url: response.url, status: .ok, headers: stored.headers(renewedBy: response.headers),
            body: ByteStream(stored.body))
    }

    /// Caches a renewed response in the place of the stored one, or no longer if its new headers
    /// forbid that.
    private func keep(
        _ renewed: IncomingResponse, _ body: Data, _ key: AnswerStore.Key,
        _ varied: [HTTPField.Name: String?]?
    ) {
        guard let varied else { return store.withLock { $0.remove(key) } }
        let answer = StoredAnswer(headers: renewed.headers, body: body, varied: varied)
        store.withLock { $0.store(answer, for: key) }
    }

    /// The response, which is cached when its body was read to the end.
    private func kept(
        _ response: IncomingResponse, _ key: AnswerStore.Key, _ varied: [HTTPField.Name: String?]
    ) -> IncomingResponse {
        var kept = response
        let body = response.body
        let limit = policy.maximumBodySize
        kept.body = ByteStream(length: body.length) {
            var iterator = body.makeAsyncIterator()
            var collected: Data? = Data()
            return ByteStream.AsyncIterator { actor in
                if let piece = try await iterator.next(isolation: actor) {
                    collected?.append(piece)
                    if let count = collected?.count, count > limit { collected = nil }
                    return piece
                }
                guard let whole = collected else { return nil }
                collected = nil
                let answer = StoredAnswer(headers: response.headers, body: whole, varied: varied)
                self.store.withLock { $0.store(answer, for: key) }
                return nil
            }
        }
        return kept
    }
}
#endif
