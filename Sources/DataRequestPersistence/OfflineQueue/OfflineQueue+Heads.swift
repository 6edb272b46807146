#if RequestCore
import SkiathosPlatformFoundation
import SkiathosCore

extension OfflineQueue {
    /// The columns of a key's first request that decide when it is sent.
    struct Head: Sendable {
        let id: QueuedRequest.ID
        let key: String
        let state: QueuedRequest.State
        let nextAttempt: Date?
    }

    /// The first requests of all keys, in the order of their writes.
    func heads() async throws -> [Head] {
        let skipsDeadLetters = configuration.deadLetterPolicy == .passOver
        return try await dal.read { context in
            let rows =
                skipsDeadLetters
                ? QueuedRequest.where { $0.state == .pending } : QueuedRequest.query
            let firsts = try rows.grouped { $0.key }.select { $0.id.min }.all(in: context)
            let ids: [QueuedRequest.ID] = firsts.compactMap { $0.value }
            var heads: [Head] = []
            for start in stride(from: 0, to: ids.count, by: 500) {
                let part = Array(ids[start..<min(ids.count, start + 500)])
                heads += try QueuedRequest.where { $0.id.in(part) }.order { $0.id.ascending }
                    .select { ($0.id, $0.key, $0.state, $0.nextAttempt) }.all(in: context)
                    .map { Head(id: $0, key: $1, state: $2, nextAttempt: $3) }
            }
            return heads.sorted { $0.id < $1.id }
        }
    }

    /// The first request of a key that may be sent next.
    func head(of key: String) async throws -> QueuedRequest? {
        let skipsDeadLetters = configuration.deadLetterPolicy == .passOver
        let head = try await dal.read { context in
            let rows = QueuedRequest.where { $0.key == key }.order { $0.id.ascending }
            return try (skipsDeadLetters ? rows.where { $0.state == .pending } : rows)
                .first(in: context)
        }
        return head?.state == .pending ? head : nil
    }

    /// How long a request still has to wait.
    ///
    /// A time further ahead than any delay means that the clock was set back.
    func wait(until time: Date?) -> Duration {
        guard let time else { return .zero }
        let left = time.timeIntervalSince(configuration.now())
        let longest = max(configuration.maximumDelay, configuration.maximumAskedDelay)
        guard left > 0, Duration.seconds(left) <= longest else { return .zero }
        return .seconds(left)
    }
}
#endif
