import ServiceLocator
import Testing

/// "Override for tests".
@Suite struct OverrideTests {
    let app = ServiceLocator(named: "app")

    init() throws {
        try app.register((any Clock).self, .instance(SystemClock()))
        try app.register((any Mailer).self) { SMTPMailer(clock: try $0.resolve()) }
    }

    @Test func `an override holds inside and nowhere else`() async throws {
        try await app.withOverride((any Clock).self, FixedClock(hour: 1)) {
            try await expectHour(1, of: app)
            try await app.withOverride((any Clock).self, FixedClock(hour: 2)) {
                try await expectHour(2, of: app)
            }
            try await expectHour(1, of: app)
        }
        try await expectHour(17, of: app)
    }

    @Test func `an override is restored when the closure throws`() async throws {
        await #expect(throws: Failure.self) {
            try await app.withOverride((any Clock).self, FixedClock(hour: 1)) {
                await Task.yield()
                throw Failure()
            }
        }
        #expect(throws: Failure.self) {
            try app.withOverride((any Clock).self, FixedClock(hour: 1)) { throw Failure() }
        }
        try await expectHour(17, of: app)
    }

    @Test func `a synchronous override holds as well`() throws {
        let hour = try app.withOverride((any Clock).self, FixedClock(hour: 1)) {
            try app.resolve((any Mailer).self).clock.hour
        }
        #expect(hour == 1)
        #expect(try app.resolve((any Mailer).self).clock.hour == 17)
    }

    @Test func `several services are overridden at once, registered or not`() async throws {
        let overrides = [
            ServiceOverride((any Clock).self, FixedClock(hour: 1)),
            ServiceOverride((any Clock).self, named: "other", FixedClock(hour: 2)),
        ]
        try await app.withOverrides(overrides) {
            try await expectHour(1, of: app)
            let other = try await app.resolve((any Clock).self, named: "other").hour
            #expect(other == 2)
            #expect(app.contains((any Clock).self, named: "other"))
        }
        #expect(!app.contains((any Clock).self, named: "other"))
    }

    @Test func `a service made under an override does not leak out of it`() async throws {
        try await app.withOverride((any Clock).self, FixedClock(hour: 1)) {
            let mailer = try await app.resolve((any Mailer).self) as? SMTPMailer
            #expect(mailer?.clock.hour == 1)
            let again = try await app.resolve((any Mailer).self) as? SMTPMailer
            #expect(again === mailer)
        }
        try await expectMailerHour(17, of: app)
    }

    @Test func `a service made before keeps its dependencies, and finds the stand-in later`()
        async throws
    {
        struct Asking: Sendable {
            let locator: ServiceLocator
            func hour() throws -> Int { try locator.resolve((any Clock).self).hour }
        }
        try app.register(Asking.self) { Asking(locator: $0) }
        let asking = try await app.resolve(Asking.self)
        _ = try await app.resolve((any Mailer).self)
        try await app.withOverride((any Clock).self, FixedClock(hour: 1)) {
            try await expectMailerHour(17, of: app)
            let later = try asking.hour()
            #expect(later == 1)
        }
    }

    @Test func `a service made under an override is ended with it`() async throws {
        let log = Log()
        try app.register(
            Probe.self,
            .asynchronous(onClose: { _ in log.add("hook") }) { _ in
                Probe { log.add("released") }
            })
        try await app.withOverride((any Clock).self, FixedClock(hour: 1)) {
            _ = try await app.resolve(Probe.self)
            #expect(log.entries == [])
        }
        #expect(log.entries == ["hook", "released"])
    }

    @Test func `a hook that fails at the end of an override is reported`() async throws {
        try app.register(Probe.self, .lazy(onClose: { _ in throw Failure() }) { _ in Probe() })
        let error = await #expect(throws: ServiceLocatorError.self) {
            try await app.withOverride((any Clock).self, FixedClock(hour: 1)) {
                _ = try await app.resolve(Probe.self)
            }
        }
        #expect(error?.code == .closeFailed)
    }

    @Test func `a cancelled task ends what was being made under its override`() async throws {
        let log = Log()
        let gate = AsyncGate()
        try app.register(
            Probe.self,
            .asynchronous(onClose: { _ in log.add("hook") }) { _ in
                try await gate.wait()
                return Probe { log.add("released") }
            })
        let app = app
        let task = Task {
            try await app.withOverride((any Clock).self, FixedClock(hour: 1)) {
                withUnsafeCurrentTask { $0?.cancel() }
                Task.detached { gate.open() }
                _ = try await app.resolve(Probe.self)
            }
        }
        _ = await task.result
        #expect(log.entries == ["hook", "released"])
    }

    @Test func `a synchronous override refuses to make a service that it could not end`() throws {
        try app.register(Probe.self, .lazy(onClose: { _ in }) { _ in Probe() })
        let error = #expect(throws: ServiceLocatorError.self) {
            try app.withOverride((any Clock).self, FixedClock(hour: 1)) {
                _ = try app.resolve(Probe.self)
            }
        }
        #expect(error?.code == .asynchronous)
        #expect(error?.message.contains("try await withOverride") == true)
    }

    @Test func `child tasks and tasks see an override, detached tasks do not`() async throws {
        let app = app
        try await app.withOverride((any Clock).self, FixedClock(hour: 1)) {
            async let child = app.resolve((any Clock).self).hour
            let task = Task { try await app.resolve((any Clock).self).hour }
            let detached = Task.detached { try await app.resolve((any Clock).self).hour }
            let hours = try await [child, task.value, detached.value]
            #expect(hours == [1, 1, 17])
        }
    }

    @Test func `a task that outlives an override finds the stand-in, and makes nothing`()
        async throws
    {
        let app = app
        let gate = AsyncGate()
        let task = try await app.withOverride((any Clock).self, FixedClock(hour: 1)) {
            await Task.yield()
            return Task {
                try await gate.wait()
                try await expectHour(1, of: app)
                _ = try await app.resolve((any Mailer).self)
            }
        }
        gate.open()
        let error = await #expect(throws: ServiceLocatorError.self) { try await task.value }
        #expect(error?.code == .closed)
        #expect(error?.message.contains("override that has ended") == true)
    }

    @Test func `an override holds for its scope and those below, not above`() async throws {
        let child = try app.child()
        try child.register((any Clock).self, .instance(FixedClock(hour: 3)))
        try await app.withOverride((any Clock).self, FixedClock(hour: 1)) {
            try await expectHour(1, of: child)
        }
        try await child.withOverride((any Clock).self, FixedClock(hour: 2)) {
            try await expectHour(2, of: child)
            try await expectHour(17, of: app)
            // Made in the scope above, where the override does not hold, so it may stay.
            try await expectMailerHour(17, of: child)
        }
        #expect(app.graph().description.contains("Mailer: lazy singleton, ready"))
    }

    @Test func `a service made above an override never sees it`() async throws {
        let child = try app.child()
        try app.register(Greeter.self) { _ in
            Greeter(mailer: SMTPMailer(clock: try child.resolve()))
        }
        try await child.withOverride((any Clock).self, FixedClock(hour: 2)) {
            let ready = try await app.resolve(Greeter.self).mailer.clock.hour
            #expect(ready == 17)
        }
    }

    @Test(arguments: 0..<20)
    func `tests that run side by side do not disturb each other`(_ hour: Int) async throws {
        let shared = Self.shared
        try await shared.withOverride((any Clock).self, FixedClock(hour: hour)) {
            for _ in 0..<50 {
                try await expectHour(hour, of: shared)
                try await expectMailerHour(hour, of: shared)
                await Task.yield()
            }
        }
    }

    private static let shared: ServiceLocator = {
        let locator = ServiceLocator()
        try? locator.register((any Mailer).self) { SMTPMailer(clock: try $0.resolve()) }
        return locator
    }()

    private func expectHour(
        _ hour: Int, of locator: ServiceLocator, at place: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await locator.resolve((any Clock).self).hour
        #expect(found == hour, sourceLocation: place)
    }

    private func expectMailerHour(
        _ hour: Int, of locator: ServiceLocator, at place: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await locator.resolve((any Mailer).self).clock.hour
        #expect(found == hour, sourceLocation: place)
    }
}
