import Skiathos
import Testing

struct ReentranceTests {
    @Test(arguments: Place.allCases)
    func `an access inside a closure of the same store is an error that says so`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            for (call, place, attempt) in Self.attempts {
                let error = await #expect(throws: DataAccessError.self) { try await attempt(dal) }
                #expect(error?.code == .nestedAccess)
                #expect(error?.message.hasPrefix("\(call) was called inside \(place) { }") == true)
            }
            try await dal.write { try User.create(in: $0) }
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 1)
        }
    }

    private typealias Attempt = @Sendable (DataAccessLayer) async throws -> Void

    /// The call, the closure that it is made in, and both together.
    private static let attempts: [(String, String, Attempt)] = [
        (
            "write { }", "write",
            { dal in try await dal.write { _ in _ = try dal.write { _ = try User.create(in: $0) } }
            }
        ),
        (
            "read { }", "write",
            { dal in try await dal.write { _ in _ = try dal.read { _ = try User.count(in: $0) } } }
        ),
        (
            "write { }", "read",
            { dal in try await dal.read { _ in _ = try dal.write { _ = try User.create(in: $0) } } }
        ),
        (
            "read { }", "read",
            { dal in try await dal.read { _ in _ = try dal.read { _ = try User.count(in: $0) } } }
        ),
        ("flush()", "write", { dal in try await dal.write { _ in try dal.flush() } }),
        ("reset()", "write", { dal in try await dal.write { _ in _ = try dal.reset() } }),
        ("close()", "read", { dal in try await dal.read { _ in try dal.close() } }),
    ]

    @Test func `an access of another store inside a closure works`() async throws {
        try await withStore { outer in
            try await withStore(.memory) { inner in
                try await outer.write { context in
                    let id = try inner.write { try User.create(in: $0) { $0.age = 7 }.id }
                    let user = try inner.read { try User.find(id, in: $0) }
                    try User.create(in: context) { $0.age = user?.age ?? 0 }
                }
                let age: Int? = try await outer.read { try User.first(in: $0)?.age }
                #expect(age == 7)
            }
        }
    }

    @Test func `a write may be enqueued from inside a write and runs after it`() async throws {
        try await withStore { dal in
            try await dal.write { context in
                dal.enqueue { try User.create(in: $0) { $0.age = 2 } }
                let count = try User.count(in: context)
                #expect(count == 0)
            }
            try await dal.flush()
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 1)
        }
    }
}
