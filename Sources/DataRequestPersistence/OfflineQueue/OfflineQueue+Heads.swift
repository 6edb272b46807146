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
        let lastAttempt: Date?
    }

    /// The first pending requests of keys, and which requests a loss of power cannot undo.
    struct Round: Sendable {
        /// In the order of their writes.
        var heads: [Head]
        /// The newest request that is on the disk, as are all before it.
        var newestDurable: QueuedRequest.ID?
    }

    /// Begins a round of deliveries: brings all requests to the disk, with the changes that they belong to,
    /// unless none is sent.
    ///
    /// - Parameter isDue: Whether the first request of a key is sent.
    func beginRound(_ isDue: (Head) -> Bool) async throws -> Round {
        let pending = try await heads().filter { $0.state == .pending }
        waits.keep(Set(pending.map(\.id)))
        let heads = pending.filter(isDue)
        guard !heads.isEmpty else { return Round(heads: []) }
        return Round(heads: heads, newestDurable: try await makeDurable())
    }

    /// Brings all requests to the disk, with the changes that they belong to.
    ///
    /// Otherwise a loss of power could leave the server with a request that the store has never heard of.
    ///
    /// - Returns: The newest of them.
    func makeDurable() async throws -> QueuedRequest.ID? {
        let newest = try await dal.read { try QueuedRequest.query.max(of: { $0.id }, in: $0) }
        try await dal.flush(to: .durable)
        return newest
    }

    /// The first requests of all keys, in the order of their writes.
    private func heads() async throws -> [Head] {
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
                    .select { ($0.id, $0.key, $0.state, $0.nextAttempt, $0.lastAttempt) }
                    .all(in: context)
                    .map {
                        Head(id: $0, key: $1, state: $2, nextAttempt: $3, lastAttempt: $4)
                    }
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
}
#endif
