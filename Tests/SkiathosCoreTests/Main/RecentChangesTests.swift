import SkiathosStore
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import SkiathosCore

/// What is known of changed rows, against a dictionary.
@Suite struct RecentChangesTests {
    @Test(arguments: Seed.each(1, 2, 3, 4))
    func `no row counts as unchanged since a version in which it has changed`(
        _ seed: UInt64
    ) async throws {
        try await withSeed(seed) {
            var random = SeededNumbers(seed: seed)
            let cached = CachedVersion()
            let entity = EntityChange()
            var version = UInt64(random.below(50)) * 2
            entity.version.store(version, ordering: .relaxed)
            var changes = RecentChanges()
            // Before they are first asked for, and while the caches have no version, nothing is known,
            // and nothing counts as unchanged.
            changes.record(at: 1, in: version)
            changes.begin(after: entity, cached)
            #expect(changes.last(at: 1) == .max)
            cached.number.store(version + 2, ordering: .relaxed)
            changes.begin(after: entity, cached)
            #expect(changes.last(at: 1) == version)
            var known: [Int: UInt64] = [:]
            var all = version
            for _ in 0..<2_000 {
                version += 2
                let hash = random.below(200)
                if random.below(300) == 0 {
                    changes.recordAll(in: version)
                    all = version
                    known = [:]
                } else {
                    changes.record(at: hash, in: version)
                    known[hash] = version
                }
                let other = random.below(200)
                #expect(changes.last(at: other) >= known[other] ?? all)
                #expect(changes.last(at: hash) == version)
            }
            // Rows with other marks have not changed.
            changes.recordAll(in: version)
            changes.record(at: 0, in: version + 2)
            for hash in 1..<RecentChanges.markCount { #expect(changes.last(at: hash) == version) }
            changes.removeAll()
        }
    }

    @Test func `cached rows belong to both versions of a commit that runs`() {
        let none = CachedVersions(number: CachedVersion.none)
        #expect(!none.includes(0) && !none.includes(8))
        let settled = CachedVersions(number: 8)
        #expect(settled.first == 8 && settled.last == 8)
        #expect(settled.includes(8) && settled.includes(7) && settled.includes(2))
        // A commit that is not known of has come.
        #expect(!settled.includes(9) && !settled.includes(10))
        let committing = CachedVersions(number: 9)
        #expect(committing.first == 8 && committing.last == 10)
        #expect(committing.includes(8) && committing.includes(9) && committing.includes(10))
        #expect(!committing.includes(11) && !committing.includes(12))
    }
}
