import Foundation
import TestSupport
import Testing

@testable import SkiathosCore

/// The order of generated UUIDs, which is that of their bytes.
struct GeneratedKeyTests {
    private func bytes(_ count: Int) throws -> [[UInt8]] {
        try (0..<count).map { _ in
            let key = try #require(UUID.generate())
            return withUnsafeBytes(of: key.uuid) { Array($0) }
        }
    }

    private func isAscending(_ keys: [[UInt8]]) -> Bool {
        zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
    }

    @Test func `UUIDs sort in the order in which they were made`() throws {
        let keys = try bytes(20_000)
        #expect(isAscending(keys))
        #expect(keys.allSatisfy { $0[6] >> 4 == 7 && $0[8] >> 6 == 2 })
    }

    @Test func `UUIDs that several tasks make at once are different ones in the order of each`()
        async throws
    {
        let lists = try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
            for _ in 0..<4 { group.addTask { try bytes(5_000) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(lists.allSatisfy(isAscending))
        #expect(Set(lists.joined()).count == 20_000)
    }
}
