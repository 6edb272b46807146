import Synchronization

/// Whether a read that begins now has to see the open batch, for reads that take no lock.
///
/// A write that returns before its commit sets this before it returns.
final class ReturnedWrites: Sendable {
    private let isAny = Atomic(false)

    var areAny: Bool { isAny.load(ordering: .sequentiallyConsistent) }

    /// Called under the lock of what it is copied from, so that the last change stays.
    func publish(_ areAny: Bool) {
        guard isAny.load(ordering: .relaxed) != areAny else { return }
        isAny.store(areAny, ordering: .sequentiallyConsistent)
    }
}
