import SkiathosStore

/// The changesets of an entity, one for each committed write that has changed rows of it; see
/// ``DataAccessLayer/changes(of:buffering:)``.
///
/// Changesets are kept from the call on, also while no loop iterates. Each is returned by one
/// iterator. A released feed keeps nothing; until then it keeps the store open.
public struct ChangeFeed<E: Entity>: AsyncSequence, Sendable {
    /// An event of a feed.
    public enum Event: Sendable, Hashable {
        /// A write was committed.
        case changes(EntityChanges<E>)
        /// So many changesets were dropped because the buffer was full; those that follow are
        /// newer.
        case missed(Int)
    }

    private let source: Result<FeedSource<E>, DataAccessError>

    init(_ coordinator: AccessCoordinator, limit: Int) {
        source = Result { () throws(DataAccessError) in try FeedSource(coordinator, limit: limit) }
    }

    /// Creates an iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

    /// Returns one event after the other.
    public struct Iterator: AsyncIteratorProtocol {
        /// `nil` at the end.
        private var source: Result<FeedSource<E>, DataAccessError>?

        init(source: Result<FeedSource<E>, DataAccessError>) { self.source = source }

        /// Waits for the next event.
        ///
        /// - Returns: `nil` when the data access layer was closed and all earlier events were
        ///   returned, or if the task was cancelled.
        /// - Throws: ``DataAccessError`` with code `unknownEntity`, `closed` if the data access
        ///   layer was closed before the feed was made, or `invalidRequest` for a limit below 1.
        public mutating func next() async throws -> Event? {
            guard let source else { return nil }
            let event: Event?
            switch source {
            case .success(let feed): event = await feed.next()
            case .failure(let error):
                self.source = nil
                throw error
            }
            if event == nil { self.source = nil }
            return event
        }
    }
}

/// The buffer of a feed, registered with the store.
final class FeedSource<E: Entity>: Sendable {
    private let buffer: ChangeBuffer
    private let coordinator: AccessCoordinator

    init(_ coordinator: AccessCoordinator, limit: Int) throws(DataAccessError) {
        guard let position = coordinator.store.schema.position(of: E.self) else {
            throw DataAccessError.unknownEntity(E.self)
        }
        guard limit > 0 else {
            throw DataAccessError(
                .invalidRequest,
                "A feed was asked to keep \(limit) changesets; it needs at least 1.")
        }
        self.coordinator = coordinator
        let label = coordinator.label
        buffer = ChangeBuffer(position: position, limit: limit) {
            $0.changes(of: E.self, at: position, in: label)
        }
        guard coordinator.commits.add(buffer) else {
            throw DataAccessError(
                .closed, "The data access layer was closed. Open it again, or close it later.")
        }
    }

    deinit { coordinator.main.remove(buffer) }

    /// The next event; `nil` when all were returned and the store is closed, or if the task was
    /// cancelled.
    func next() async -> ChangeFeed<E>.Event? {
        switch await buffer.next() {
        case .changes(let changes, let write):
            // The buffer was made for this entity.
            .changes(unsafeDowncast(changes, to: ChangesByWrite<E>.self).changes[write])
        case .missed(let count): .missed(count)
        case nil: nil
        }
    }
}
