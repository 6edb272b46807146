import PersistenceService
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

/// Changes that no caller awaits, and what becomes of their failures.
@Suite(.generousTimeLimit) struct EnqueueTests {
    /// Receives failures, in their order.
    private struct Failures: Sendable {
        private let stream: AsyncStream<ServiceFailure>
        private let continuation: AsyncStream<ServiceFailure>.Continuation

        init() { (stream, continuation) = AsyncStream.makeStream() }

        var handler: @Sendable (ServiceFailure) -> Void {
            { [continuation] in continuation.yield($0) }
        }

        /// The first so many.
        func first(_ count: Int) async -> [ServiceFailure] {
            var failures: [ServiceFailure] = []
            for await failure in stream {
                failures.append(failure)
                if failures.count == count { break }
            }
            return failures
        }
    }

    @Test(arguments: Place.allCases)
    func `enqueued changes take effect in their order, and a save waits for them`(
        _ place: Place
    ) async throws {
        try await withService(place) { service, dal in
            for number in 0..<100 {
                service.enqueue { context in
                    let count = try Author.count(in: context)
                    try Author.create(in: context) {
                        $0.name = "\(number)"
                        $0.age = count
                    }
                    return number % 3 == 0 ? .store : .keep
                }
            }
            try await service.save()
            let authors = try await dal.read { try Author.all(in: $0) }
            #expect(authors.count == 100)
            #expect(authors.allSatisfy { $0.name == "\($0.age)" })
        }
    }

    @Test func `an enqueued change is a step, and reaches the parent of a released child`()
        async throws
    {
        try await withService { service, dal in
            service.enqueue("add Ada") { context in
                try Author.create(in: context) { $0.name = "Ada" }
                return .keep
            }
            service.child().enqueue("add Ben") { context in
                try Author.create(in: context) { $0.name = "Ben" }
                return .parent
            }
            #expect(try await service.undo())
            #expect(service.history == StepHistory(undoable: ["add Ada"], redoable: ["add Ben"]))
            #expect(try await service.names() == ["Ada"])
            #expect(try await service.redo())
            try await service.save(.store)
            #expect(try await dal.names() == ["Ada", "Ben"])
        }
    }

    @Test func `a failure of an enqueued change goes to the handler and changes nothing`()
        async throws
    {
        try await withStore(.file) { dal in
            let failures = Failures()
            let service = StorePersistenceService(dal, errorHandler: failures.handler)
            service.child().enqueue("fail") { context in
                try Author.create(in: context) { $0.name = "Eve" }
                throw Refused()
            }
            service.enqueue { context in
                try Author.create(in: context) { $0.name = "Ada" }
                return .store
            }
            let failure = await failures.first(1).first
            #expect(failure?.operation == ServiceOperation(.change, name: "fail"))
            #expect(failure?.error is Refused)
            try await service.save()
            #expect(try await dal.names() == ["Ada"])
        }
    }

    @Test func `a conflict of an enqueued save goes to the handler, and the changes stay pending`()
        async throws
    {
        try await withStore(.file) { dal in
            let failures = Failures()
            let ada = try await dal.addAuthor("Ada")
            let form = StorePersistenceService(dal, errorHandler: failures.handler).child()
            try await form.change(ada) { $0.age = 1 }
            try await dal.write { try Author.find(ada, in: $0)?.age = 2 }
            form.enqueue { _ in .store }
            let failure = await failures.first(1).first
            #expect((failure?.error as? PersistenceServiceError)?.code == .conflict)
            #expect(form.pendingChangeCount == 1)
            form.enqueue(merging: .mine) { _ in .store }
            try await form.save()
            #expect(try await dal.author(ada)?.age == 1)
        }
    }

    @Test func `without a handler failures go to that of the store`() async throws {
        let (failures, continuation) = AsyncStream.makeStream(of: BackgroundFailure.self)
        var configuration = Configuration()
        configuration.errorHandler = { continuation.yield($0) }
        try await withStore(.memory, configuration: configuration) { dal in
            StorePersistenceService(dal).child().enqueue { _ in throw Refused() }
            for await failure in failures {
                #expect(failure.operation == .enqueuedWrite)
                #expect(failure.error is Refused)
                break
            }
        }
    }

    @Test func `a handler may call the service`() async throws {
        try await withStore(.memory) { dal in
            let services = AsyncStream.makeStream(of: StorePersistenceService.self)
            let counts = AsyncStream.makeStream(of: Int.self)
            let service = StorePersistenceService(
                dal,
                errorHandler: { _ in
                    Task {
                        for await service in services.stream {
                            counts.continuation.yield(try await service.count(Author.self))
                        }
                    }
                })
            try await service.create(Author.named("Ada"), saving: .keep)
            service.enqueue { _ in throw Refused() }
            services.continuation.yield(service)
            services.continuation.finish()
            for await count in counts.stream {
                #expect(count == 1)
                break
            }
        }
    }

    @Test func `a change may be enqueued inside a closure of the service, and comes after it`()
        async throws
    {
        try await withService { service, dal in
            try await service.change { context in
                service.enqueue { context in
                    let count = try Author.count(in: context)
                    try Author.create(in: context) { $0.name = "\(count)" }
                    return .store
                }
                try Author.create(in: context) { $0.name = "first" }
                return ((), .store)
            }
            try await service.save()
            #expect(try await dal.names() == ["1", "first"])
        }
    }

    @Test func `changes that are enqueued before the store is open wait for it in their order`()
        async throws
    {
        let opening = Event()
        let service = StorePersistenceService {
            await opening.wait()
            return try await DataAccessLayer.open(.inMemory, entities: fixtures)
        }
        for number in 0..<20 {
            service.enqueue { context in
                let count = try Author.count(in: context)
                try Author.create(in: context) {
                    $0.name = "\(number)"
                    $0.age = count
                }
                return .store
            }
        }
        async let saved: Void = service.save()
        opening.happen()
        try await saved
        let authors = try await service.fetch(Author.self)
        #expect(authors.count == 20)
        #expect(authors.allSatisfy { $0.name == "\($0.age)" })
    }

    @Test func `the handler learns that the store could not be opened, once`() async throws {
        let (opening, failures) = (Event(), Failures())
        let service = StorePersistenceService(errorHandler: failures.handler) {
            await opening.wait()
            throw Refused()
        }
        service.enqueue { _ in .store }
        opening.happen()
        await #expect(throws: PersistenceServiceError.self) { try await service.ready() }
        service.enqueue("late") { _ in .store }
        let seen = await failures.first(3)
        let operations = seen.map(\.operation.description)
        #expect(operations.first == "open")
        #expect(operations.sorted() == ["change", "change late", "open"])
        #expect(
            seen.allSatisfy {
                ($0.error as? PersistenceServiceError)?.code == .openingFailed
                    && ($0.error as? PersistenceServiceError)?.cause is Refused
            })
    }

    @Test func `a change that is refused goes to the handler, and its closure is not run`()
        async throws
    {
        let (opening, failures) = (Event(), Failures())
        let early = StorePersistenceService(beforeReady: .fail, errorHandler: failures.handler) {
            await opening.wait()
            return try await DataAccessLayer.open(.inMemory, entities: fixtures)
        }
        early.enqueue { _ in
            Issue.record("The closure was run.")
            return .keep
        }
        let first = await failures.first(1).first
        #expect((first?.error as? PersistenceServiceError)?.code == .notReady)
        opening.happen()

        let dal = try await DataAccessLayer.open(.inMemory, entities: fixtures)
        let late = StorePersistenceService(dal, errorHandler: failures.handler)
        try await dal.close()
        late.enqueue { _ in
            Issue.record("The closure was run.")
            return .keep
        }
        let second = await failures.first(1).first
        #expect((second?.error as? DataAccessError)?.code == .closed)
    }

    @Test func `a shutdown of the store finishes the changes that were enqueued`() async throws {
        let directory = try TemporaryDirectory()
        let open: @Sendable () async throws -> DataAccessLayer = {
            try await DataAccessLayer.open(
                .sqlite(directory.file("test.sqlite")), entities: fixtures)
        }
        let dal = try await open()
        let service = StorePersistenceService(dal)
        for number in 0..<100 {
            service.enqueue { context in
                try Author.create(in: context) { $0.name = "\(number)" }
                return .store
            }
        }
        let report = await dal.shutDown(within: .seconds(600))
        #expect(report.isComplete, "\(report)")
        let again = try await open()
        #expect(try await again.read { try Author.count(in: $0) } == 100)
        try await again.close()
    }
}
