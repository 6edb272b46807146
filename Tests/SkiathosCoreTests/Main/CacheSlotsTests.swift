import TestSupport
import TestTools
import Testing

@testable import SkiathosCore

/// The slots of row caches against a dictionary, and their memory against a sum.
@Suite struct CacheSlotsTests {
    private static let random = Seed.each(1, 2, 3, 4, 5, 6)

    @Test(arguments: random)
    func `slots return what was inserted last, and never exceed their memory`(
        _ seed: UInt64
    ) async throws {
        try await withSeed(seed) {
            var random = SeededNumbers(seed: seed)
            let size = 1 << (8 + random.below(12))
            let budget = CacheBudget(size: size, shardCount: 3)
            var shards = (0..<3).map { _ in Shard(budget) }
            for step in 0..<6_000 {
                shards[random.below(3)].change(&random, step)
                if step % 50 == 0 {
                    for shard in shards { shard.check() }
                    #expect(shards.reduce(0) { $0 + $1.slots.bytes } <= size)
                }
            }
            for index in shards.indices { shards[index].slots.removeAll() }
            #expect(shards.allSatisfy { $0.slots.bytes == 0 && $0.slots.count == 0 })
            #expect(budget.commonBytes == CacheBudget(size: size, shardCount: 3).commonBytes)
        }
    }

    /// Random steps have a number of keys that fits, and one that does not.
    private struct Shard {
        var slots: CacheSlots<User>
        /// What was inserted last under each key, and its weight, and not removed since.
        private var model: [Int64: (user: User, weight: Int)] = [:]

        init(_ budget: CacheBudget) { slots = CacheSlots(budget: budget) }

        mutating func change(_ random: inout SeededNumbers, _ step: Int) {
            let key = Int64(random.below(random.happens(50) ? 40 : 4_000))
            let hash = RowCache<User>.hashInShard(key)
            switch random.below(100) {
            case 0:
                slots.removeAll()
                model = [:]
            case ..<25:
                slots.remove(key, at: hash)
                model[key] = nil
            default:
                var user = User(id: User.ID(rawValue: key))
                user.age = step
                let weight = random.happens(10) ? random.below(60_000) : random.below(300)
                slots.insert(user, weight: UInt16(weight), under: key, at: hash)
                model[key] = (user, weight)
            }
        }

        func check() {
            var bytes =
                slots.capacity * CacheSlots<User>.slotSize
                + CacheSlots<User>.size(ofRows: slots.count + slots.freePlaces.count)
            var count = 0
            for (key, inserted) in model {
                let user = slots[key, at: RowCache<User>.hashInShard(key)]
                guard let user else { continue }
                #expect(user == inserted.user)
                bytes += inserted.weight
                count += 1
            }
            #expect(slots.count == count)
            #expect(slots.bytes == bytes)
        }
    }

    @Test(arguments: random)
    func `shards have their reserves, and together no more than the limit`(
        _ seed: UInt64
    ) async throws {
        try await withSeed(seed) {
            var random = SeededNumbers(seed: seed)
            let size = random.below(1_000)
            let count = 1 + random.below(20)
            let budget = CacheBudget(size: size, shardCount: count)
            var owned = Array(repeating: 0, count: count)
            for _ in 0..<2_000 {
                let shard = random.below(count)
                let new = random.below(random.happens(50) ? size + 2 : size / count + 2)
                let others = owned.indices.reduce(0) {
                    $0 + ($1 == shard ? 0 : max(owned[$1], size / 2 / count))
                }
                // What the others have, and what is reserved for them, is not to be had.
                let mayHave = new <= owned[shard] || new <= size / 2 / count || others + new <= size
                #expect(budget.resize(from: owned[shard], to: new) == mayHave)
                if mayHave { owned[shard] = new }
            }
        }
    }
}
