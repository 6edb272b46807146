import Skiathos
import TestSupport
import Testing

/// Lists of one kind of query after each other, of which the last one is a hint for the next.
struct ResultSizeTests {
    private static let sizes = [0, 1, 15, 16, 17, 127, 128, 129, 1_023, 1_024, 1_025, 2_000]

    @Test func `a list has the rows that it should have, however long the last one was`()
        async throws
    {
        try await withStore(.memory) { dal in
            try await dal.write { context in
                for age in 0..<2_000 { try User.add(in: context) { $0.age = age } }
            }
            try await dal.read { context in
                for last in Self.sizes {
                    for size in Self.sizes {
                        for count in [last, size] {
                            let users = try User.where { $0.age < count }.all(in: context)
                            #expect(users.map(\.age) == Array(0..<count))
                        }
                    }
                }
            }
        }
    }

    @Test
    func `a short list after a long one takes little room, and as long a one no more than its own`()
        async throws
    {
        try await withStore(.memory) { dal in
            try await dal.write { context in
                for age in 0..<2_000 { try User.add(in: context) { $0.age = age } }
            }
            try await dal.read { context in
                func room(_ count: Int) throws -> Int {
                    try User.where { $0.age < count }.all(in: context).capacity
                }
                _ = try room(2_000)
                #expect(try room(2_000) < 2_200)
                // The system may give a few bytes more than were asked for.
                for count in [3, 16, 20, 100, 130, 200] {
                    _ = try room(2_000)
                    #expect(try room(count) <= 8 * max(count, 16) + 16)
                }
            }
        }
    }
}
