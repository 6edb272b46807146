#if Lifecycle
import Logging
import ServiceLifecycle
import ServiceLocator
import ServiceLocatorLifecycle
import Testing

@Suite struct ServiceGroupTests {
    let app = ServiceLocator(named: "app")
    let events: AsyncStream<String>
    let record: AsyncStream<String>.Continuation

    init() { (events, record) = AsyncStream.makeStream() }

    @Test func `a service stops before the services that it needs`() async throws {
        let record = record
        // Registered in the wrong order, so that only what they need tells which comes first.
        try app.register(Worker.self, named: "server") { locator in
            _ = try locator.resolve(Worker.self, named: "mailer")
            return Worker("server", record)
        }
        try app.register(Worker.self, named: "mailer") { locator in
            _ = try locator.resolve((any Sendable).self, named: "database")
            return Worker("mailer", record)
        }
        try app.register((any Sendable).self, named: "database") { _ in
            Worker("database", record)
        }
        let group = try await ServiceGroup(
            locator: app, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        async let run: Void = group.run()
        var seen: [String] = []
        for await event in events {
            seen.append(event)
            if seen.count == 3 { await group.triggerGracefulShutdown() }
            if seen.count == 6 { break }
        }
        try await run
        #expect(Set(seen.prefix(3)) == ["database runs", "mailer runs", "server runs"])
        #expect(Array(seen.suffix(3)) == ["server stops", "mailer stops", "database stops"])
        try await app.close()
    }

    @Test func `an object of several types is one service, and scopes above come first`()
        async throws
    {
        let worker = Worker("one", record)
        let child = try app.child()
        try child.register(Worker.self, .instance(Worker("two", record)))
        try child.register(String.self, .instance("no service"))
        try app.register(Worker.self, named: "a", .instance(worker))
        try app.register((any Sendable).self, .instance(worker))
        let names = try await child.services().compactMap { ($0 as? Worker)?.name }
        #expect(names == ["one", "two"])
    }

    @Test func `a graph with problems yields no services`() async throws {
        try app.register(Worker.self) { try $0.resolve(named: "missing") }
        let error = await #expect(throws: ServiceLocatorError.self) { try await app.services() }
        #expect(error?.code == .verificationFailed)
    }
}

final class Worker: Service {
    let name: String
    private let record: AsyncStream<String>.Continuation

    init(_ name: String, _ record: AsyncStream<String>.Continuation) {
        self.name = name
        self.record = record
    }

    func run() async throws {
        record.yield("\(name) runs")
        try await gracefulShutdown()
        record.yield("\(name) stops")
    }
}
#endif
