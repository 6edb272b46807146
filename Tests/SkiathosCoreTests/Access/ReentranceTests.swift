import Skiathos
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct ReentranceTests {
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

    @Test(arguments: [Place.file, .memory], [true, false])
    func `one of two stores whose closures use each other is refused and the other continues`(
        _ place: Place, writesInside: Bool
    ) async throws {
        var configuration = Configuration()
        configuration.readerCount = 1
        let (one, other) = (try TemporaryStore(), try TemporaryStore())
        let stores =
            place == .file
            ? [try await one.open(configuration), try await other.open(configuration)]
            : [try await one.open(in: .memory), try await other.open(in: .memory)]
        let inside = Meeting(of: 2)
        let results = await withTaskGroup(of: Result<Void, any Error>.self) { group in
            for (outer, inner) in [(stores[0], stores[1]), (stores[1], stores[0])] {
                group.addTask {
                    do {
                        try await onThread {
                            try Self.nest(inner, in: outer, writesInside: writesInside) {
                                inside.come()
                            }
                        }
                        return .success(())
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let errors = results.compactMap { result -> (any Error)? in
            if case .failure(let error) = result { error } else { nil }
        }
        #expect(errors.count == 1)
        #expect((errors.first as? DataAccessError)?.code == .deadlock)
        for dal in stores {
            // The refused closure is rolled back, and both stores can be used.
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == (writesInside ? 1 : 0))
            try await dal.close()
        }
    }

    /// Uses a store inside a closure of another: writes inside a write, or reads inside a read.
    private static func nest(
        _ inner: DataAccessLayer, in outer: DataAccessLayer, writesInside: Bool,
        _ whenInside: @Sendable () -> Void
    ) throws {
        if writesInside {
            _ = try outer.write { (context: WriteContext) -> Void in
                try User.create(in: context)
                whenInside()
                _ = try inner.write { _ = try User.create(in: $0) }
            }
        } else {
            _ = try outer.read { (_: ReadContext) -> Void in
                whenInside()
                _ = try inner.read { (context: ReadContext) -> Void in
                    _ = try User.count(in: context)
                }
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
