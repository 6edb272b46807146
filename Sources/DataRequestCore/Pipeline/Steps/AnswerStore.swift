#if RequestCore
import HTTPTypes
import SkiathosPlatformFoundation

/// A cached response that can be revalidated by its validators.
struct StoredAnswer: Sendable {
    var headers: HTTPFields
    var body: Data
    /// The request's values of the headers that the response varies by.
    var varied: [HTTPField.Name: String?]

    /// The headers after a 304: the new ones win, except those that describe the bytes.
    func headers(renewedBy fresh: HTTPFields) -> HTTPFields {
        var merged = headers
        let kept: Set<HTTPField.Name> = [
            .contentLength, .contentEncoding, .transferEncoding, .contentRange, .contentType,
        ]
        let renewing = fresh.filter { !kept.contains($0.name) }
        for field in renewing { merged[field.name] = nil }
        for field in renewing { merged.append(field) }
        return merged
    }
}

/// A bounded cache of responses by key, which evicts the least recently used first.
struct AnswerStore: Sendable {
    struct Key: Hashable, Sendable {
        var address: String
        var environment: UUID
        var credentials: String?
    }

    private let policy: ConditionalRequestPolicy
    private var entries: [Key: (answer: StoredAnswer, use: UInt64)] = [:]
    private var uses: UInt64 = 0
    private(set) var size = 0

    init(_ policy: ConditionalRequestPolicy) { self.policy = policy }

    var count: Int { entries.count }

    /// The cached response for a key, if its varied headers match the request.
    mutating func answer(for key: Key, _ request: HTTPFields) -> StoredAnswer? {
        guard let answer = entries[key]?.answer,
            answer.varied.allSatisfy({ request[$0.key] == $0.value })
        else { return nil }
        uses += 1
        entries[key]?.use = uses
        return answer
    }

    mutating func store(_ answer: StoredAnswer, for key: Key) {
        remove(key)
        guard answer.body.count <= min(policy.maximumBodySize, policy.maximumSize) else { return }
        uses += 1
        entries[key] = (answer, uses)
        size += answer.body.count
        while size > policy.maximumSize || entries.count > policy.maximumCount {
            guard let oldest = entries.min(by: { $0.value.use < $1.value.use })?.key else { return }
            remove(oldest)
        }
    }

    mutating func remove(_ key: Key) {
        guard let removed = entries.removeValue(forKey: key) else { return }
        size -= removed.answer.body.count
    }
}
#endif
