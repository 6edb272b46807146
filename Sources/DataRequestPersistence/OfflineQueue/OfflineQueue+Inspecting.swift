#if RequestCore
import DataRequestCore
public import SkiathosCore

extension OfflineQueue {
    /// How many requests are pending, and how many are dead letters.
    public func counts() async throws -> Counts {
        try await withAdvice {
            try await $0.read { context in
                Counts(
                    pending: try QueuedRequest.count(where: { $0.state == .pending }, in: context),
                    deadLetters: try QueuedRequest.count(
                        where: { $0.state == .deadLetter }, in: context))
            }
        }
    }

    /// The pending requests, in the order of their writes.
    public func pending() async throws -> [QueuedRequest] { try await items(.pending) }

    /// The dead letters, in the order of their writes.
    public func deadLetters() async throws -> [QueuedRequest] { try await items(.deadLetter) }

    /// Retries a pending or dead-lettered request at once, before later ones of its key.
    ///
    /// - Throws: `DataAccessError` with code `notFound` if there is none.
    public func retry(_ id: QueuedRequest.ID) async throws {
        try await withAdvice {
            try await $0.write { context in
                Self.renew(try Self.item(id, in: context))
            }
        }
        wake()
    }

    /// Retries dead letters at once, for example after signing in.
    ///
    /// ```swift
    /// try await queue.retryDeadLetters { $0.lastStatus == 403 }
    /// ```
    ///
    /// - Parameter isWanted: Whether a request is retried; all are by default.
    /// - Returns: How many are retried.
    @discardableResult
    public func retryDeadLetters(
        where isWanted: (QueuedRequest) -> Bool = { _ in true }
    ) async throws -> Int {
        let wanted = try await deadLetters().filter(isWanted).map(\.id)
        let count = try await withAdvice {
            try await $0.write { context in
                var count = 0
                for id in wanted {
                    guard let item = try QueuedRequest.find(id, in: context),
                        item.state == .deadLetter
                    else { continue }
                    Self.renew(item)
                    count += 1
                }
                return count
            }
        }
        wake()
        return count
    }

    /// Removes a request without delivering it.
    ///
    /// A request that is being sent may still arrive.
    ///
    /// - Throws: `DataAccessError` with code `notFound` if there is none.
    public func discard(_ id: QueuedRequest.ID) async throws {
        try await withAdvice {
            try await $0.write { context in try Self.item(id, in: context).delete() }
        }
        wake()
    }

    /// Retries all waiting requests at once, for example when the network is back.
    ///
    /// Has no effect on a queue that does not run.
    public func retryWaiting() {
        wake {
            $0.isHurried = true
            $0.needsCheck = true
        }
    }

    private func items(_ state: QueuedRequest.State) async throws -> [QueuedRequest] {
        try await withAdvice {
            try await $0.read {
                try QueuedRequest.all(
                    where: { $0.state == state }, orderedBy: { [$0.id.ascending] }, in: $0)
            }
        }
    }

    /// Resets a request as if it had never been sent.
    private static func renew(_ item: Managed<QueuedRequest>) {
        item.state = .pending
        item.attempts = 0
        item.attemptsAtServer = 0
        item.nextAttempt = nil
        item.lastAttempt = nil
    }

    private static func item(
        _ id: QueuedRequest.ID, in context: WriteContext
    ) throws -> Managed<QueuedRequest> {
        guard let item = try QueuedRequest.find(id, in: context) else {
            throw DataAccessError(
                .notFound,
                "There is no queued request with this ID: it was delivered or discarded.")
        }
        return item
    }

    /// Replaces the error of a store without the entities by one with advice.
    @discardableResult
    private func withAdvice<R: Sendable>(
        _ body: (DataAccessLayer) async throws -> R
    ) async throws -> R {
        do { return try await body(dal) } catch let error as DataAccessError
            where error.code == .unknownEntity
        {
            throw DataAccessError.missingDataRequestEntities
        }
    }
}
#endif
