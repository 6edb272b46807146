import ServiceLocator
import Testing

/// "Explicit replace".
@Suite struct ReplaceTests {
    let locator = ServiceLocator(named: "app")

    @Test func `the new service is found and the old one is ended`() async throws {
        let log = Log()
        let hook: @Sendable (Probe) async throws -> Void = { _ in log.add("hook") }
        try locator.register(
            Probe.self, .lazy(onClose: hook) { _ in Probe { log.add("released") } })
        _ = try await locator.resolve(Probe.self)
        let new = Probe()
        try await locator.replace(Probe.self, .instance(new))
        #expect(log.entries == ["hook", "released"])
        #expect(try await locator.resolve(Probe.self) === new)
        try await locator.close()
        #expect(log.count == 2)
    }

    @Test func `replacing needs a registration in the same scope`() async throws {
        try locator.register((any Clock).self, .instance(SystemClock()))
        let child = try locator.child(named: "request")
        let error = await #expect(throws: ServiceLocatorError.self) {
            try await child.replace((any Clock).self, .instance(SystemClock()))
        }
        #expect(error?.code == .nothingToReplace)
        #expect(error?.message.contains("'request'") == true)
    }

    @Test func `a hook that fails leaves the new one in place`() async throws {
        let failing = ServiceProvider<any Clock>.instance(SystemClock()) { _ in throw Failure() }
        try locator.register((any Clock).self, failing)
        let error = await #expect(throws: ServiceLocatorError.self) {
            try await locator.replace((any Clock).self, .instance(FixedClock(hour: 1)))
        }
        #expect(error?.code == .closeFailed)
        #expect(error?.problems.first?.cause as? Failure == Failure())
        #expect(try await locator.resolve((any Clock).self).hour == 1)
    }

    @Test func `a service that is being made is waited for and ended`() async throws {
        let log = Log()
        let begun = AsyncGate()
        let gate = AsyncGate()
        try locator.register(
            (any Clock).self,
            .asynchronous(onClose: { _ in log.add("ended") }) { _ in
                begun.open()
                try await gate.wait()
                return SystemClock()
            })
        async let old = locator.resolve((any Clock).self).hour
        try await begun.wait()
        async let replaced: Void = locator.replace(
            (any Clock).self, .instance(FixedClock(hour: 1)))
        while locator.graph().services[0].kind != "instance" { await Task.yield() }
        gate.open()
        try await replaced
        #expect(try await old == 17)
        #expect(log.entries == ["ended"])
        #expect(try await locator.resolve((any Clock).self).hour == 1)
    }

    @Test func `a replaced weak registration is removed`() async throws {
        let mailer = SMTPMailer()
        try locator.register((any Mailer).self, .weak(mailer) { $0 })
        try await locator.replace((any Mailer).self, .lazy { _ in SMTPMailer() })
        let found = try await locator.resolve((any Mailer).self) as? SMTPMailer
        #expect(found !== mailer)
    }
}
