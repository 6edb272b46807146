import SkiathosCore
import SkiathosStore
import Synchronization

/// Looks on at the boundary how far the writes of a history have got in the store itself.
///
/// Each commit is asked which place its last write took. A sync makes everything safe that was
/// committed when it began.
final class Witness: Sendable {
    private let committedPlace = Atomic<Int>(0)
    private let durablePlace = Atomic<Int>(0)

    /// The last place that was committed.
    var committed: Int { committedPlace.load(ordering: .acquiring) }
    /// The last place that was committed before a sync which has ended.
    var durable: Int { durablePlace.load(ordering: .acquiring) }

    /// The store as before, but with the witness looking on.
    func watching(_ store: any PersistentStore) -> any PersistentStore {
        guard let position = store.schema.position(of: Register.self) else { return store }
        return ForwardingStore(
            store, sync: { try self.sync($0) },
            session: { WatchedSession($0, witness: self, position: position) })
    }

    /// Called while the writer's connection is held, so one at a time.
    fileprivate func committed(_ place: Int) { committedPlace.store(place, ordering: .releasing) }

    /// Called beside the writes.
    private func sync(_ writer: any StoreWriter) throws {
        let place = committed
        try writer.sync()
        durablePlace.max(place, ordering: .releasing)
    }
}

private final class WatchedSession: ForwardingSession {
    private let witness: Witness
    private let position: Int

    init(_ base: any StoreWriteSession, witness: Witness, position: Int) {
        self.witness = witness
        self.position = position
        super.init(base)
    }

    override func commit() throws {
        var place = 0
        try base.fetch(entity: position, id: .integer(Register.counter.rawValue)) { rows in
            while rows.next() { place = try rows.row.value(Coding.of(Int.self), at: 1) }
        }
        try base.commit()
        witness.committed(place)
    }
}
