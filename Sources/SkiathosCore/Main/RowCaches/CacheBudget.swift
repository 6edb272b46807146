import Synchronization

/// The memory that the row caches of a store may take together.
///
/// One half is common: shards take from it in the order in which they need it. The other is divided
/// equally among the shards of all entities, so that an entity whose rows are looked up late has some.
@usableFromInline
final class CacheBudget: Sendable {
    /// How many bytes of its own each shard has.
    private let shardReserve: Int
    /// How many bytes of the common half are left.
    private let common: Atomic<Int>

    /// - Parameters:
    ///   - size: The bytes of all shards together, at least 0.
    ///   - shardCount: The number of shards, more than 0.
    init(size: Int, shardCount: Int) {
        shardReserve = size / 2 / shardCount
        common = Atomic(size - shardReserve * shardCount)
    }

    /// The bytes of the common half that no shard has taken.
    var commonBytes: Int { common.load(ordering: .relaxed) }

    /// Changes the number of bytes that a shard has; returns whether it may have as many.
    ///
    /// A shard may always have fewer than before.
    @usableFromInline
    func resize(from old: Int, to new: Int) -> Bool {
        let taken = max(0, new - shardReserve) - max(0, old - shardReserve)
        if taken == 0 { return true }
        var left = common.load(ordering: .relaxed)
        while taken < 0 || taken <= left {
            let (exchanged, original) = common.weakCompareExchange(
                expected: left, desired: left - taken, ordering: .relaxed)
            if exchanged { return true }
            left = original
        }
        return false
    }
}
