import Dispatch
import Skiathos
import TestSupport
import Testing

/// What older object stores got wrong about saying how a write has ended.
@Suite(.generousTimeLimit) struct CompletionRegressionTests {
    private struct Refused: Error {}

    /// Once: never called when saving failed, or called twice, first with the error.
    @Test(arguments: Place.allCases)
    func `a completion is called exactly once, with the truth`(_ place: Place) async throws {
        try await withStore(place) { dal in
            try await dal.write { try User.create(in: $0) { $0.email = "taken" } }
            let writes: [@Sendable (WriteContext) throws -> Void] = [
                { try User.create(in: $0) { $0.age = 1 } },
                { _ in throw Refused() },
                { context in
                    try User.create(in: context) {
                        $0.age = 2
                        $0.email = "taken"
                    }
                },
                { context in
                    try User.create(in: context) {
                        $0.age = 3
                        $0.company = 99
                    }
                },
                { _ in },
            ]
            let ends = Log<(Int, (any Error)?)>()
            for (number, write) in writes.enumerated() {
                dal.write(write) { result in
                    switch result {
                    case .success: ends.note((number, nil))
                    case .failure(let error): ends.note((number, error))
                    }
                }
            }
            // Writes run in order, but the completion of the last may come after the flush.
            try await dal.flush()
            while ends.entries.count < writes.count { await Task.yield() }
            try await dal.close()
            let found = ends.entries.sorted { $0.0 < $1.0 }
            #expect(found.map(\.0) == [0, 1, 2, 3, 4])
            #expect(found[0].1 == nil)
            #expect(found[1].1 is Refused)
            #expect((found[2].1 as? StoreError)?.code == .uniqueViolation)
            #expect((found[3].1 as? StoreError)?.code == .foreignKeyViolation)
            #expect(found[4].1 == nil)
        }
    }

    /// Once: all stores of the process called their completions one after the other.
    @Test func `a completion may wait for the completion of another store`() async throws {
        try await withStore { one in
            try await withStore { other in
                let ended = Event()
                let inner = DispatchSemaphore(value: 0)
                let hasWaited = Log<DispatchTimeoutResult>()
                // Of a write that has ended by the time of its call, the completion needs no queue.
                one.write(acknowledging: .durable) { context -> Void in
                    try User.create(in: context)
                } completion: { _ in
                    other.write(acknowledging: .durable) { context -> Void in
                        try User.create(in: context)
                    } completion: { _ in
                        inner.signal()
                    }
                    hasWaited.note(inner.wait(timeout: .now() + 600))
                    ended.happen()
                }
                await ended.wait()
                #expect(hasWaited.entries == [.success])
            }
        }
    }

    @Test func `a completion of a refused write comes once and later`() async throws {
        let store = try TemporaryStore()
        let dal = try await store.open()
        try await dal.close()
        let ends = Log<DataAccessError.Code?>()
        let ended = Event()
        dal.write({ _ in }) { (result: Result<Void, any Error>) in
            if case .failure(let error) = result { ends.note((error as? DataAccessError)?.code) }
            ended.happen()
        }
        await ended.wait()
        #expect(ends.entries == [.closed])
    }

    @Test func `a completion may use the store again`() async throws {
        try await withStore { dal in
            let seen = Log<Int>()
            let ended = Event()
            dal.write({ try User.create(in: $0).id }) { result in
                _ = try? dal.write { context in
                    if let id = try? result.get() { try User.find(id, in: context)?.age = 5 }
                }
                let age = try? dal.read { try User.first(in: $0)?.age }
                seen.note((age ?? nil) ?? -1)
                ended.happen()
            }
            await ended.wait()
            #expect(seen.entries == [5])
        }
    }

    /// Once: a child without changes said that all was saved, without asking its parent.
    @Test func `an inner scope that ends well says nothing about the write around it`()
        async throws
    {
        try await withStore { dal in
            let ends = Log<StoreError.Code?>()
            let ended = Event()
            dal.write({ context in
                try User.create(in: context) { $0.company = 99 }
                try context.nested { inner in
                    let count = try User.count(in: inner)
                    #expect(count == 1)
                }
            }) { result in
                if case .failure(let error) = result { ends.note((error as? StoreError)?.code) }
                ended.happen()
            }
            await ended.wait()
            #expect(ends.entries == [.foreignKeyViolation])
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 0)
        }
    }

    @Test func `a write that would change nothing is refused where no write is possible`()
        async throws
    {
        let store = try TemporaryStore()
        try await store.open().close()
        var configuration = Configuration()
        configuration.isReadOnly = true
        let dal = try await store.open(configuration)
        let runs = Log<Void>()
        let error = await #expect(throws: StoreError.self) {
            try await dal.write { _ -> Void in runs.note(()) }
        }
        #expect(error?.code == .readOnly)
        #expect(runs.entries.isEmpty)
        let reset = await #expect(throws: StoreError.self) { try await dal.reset() }
        #expect(reset?.code == .readOnly)
        let count: Int = try await dal.read { try User.count(in: $0) }
        #expect(count == 0)
        try await dal.close()
    }

    /// Once: disk work ran on the main thread, and background saves stopped in main.
    @Test @MainActor func `nothing runs on the main thread, and a write reaches the file`()
        async throws
    {
        let isMain = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: isMain, value: true)
        defer { DispatchQueue.main.setSpecific(key: isMain, value: nil) }
        try #require(DispatchQueue.getSpecific(key: isMain) == true)
        let places = Log<Bool?>()
        let note: @Sendable () -> Void = { places.note(DispatchQueue.getSpecific(key: isMain)) }
        let store = try TemporaryStore()
        let dal = try await store.open()
        try await dal.write { context in
            note()
            try User.create(in: context)
        }
        try await dal.read { _ -> Void in note() }
        dal.enqueue { _ in note() }
        let ended = Event()
        dal.write({ _ -> Void in note() }) { _ in
            note()
            ended.happen()
        }
        await ended.wait()
        try await dal.close()
        #expect(places.entries == [nil, nil, nil, nil, nil])
        #expect(try await store.storedUsers() == 1)
    }
}
