import ServiceLocator
import Testing

/// Verification at start.
@Suite struct VerifyTests {
    let app = ServiceLocator(named: "app")

    @Test func `the services of a graph without problems are made and stay`() async throws {
        let log = Log()
        try app.register((any Clock).self, .asynchronous { _ in SystemClock() })
        try app.register(
            (any Mailer).self,
            .asynchronous { locator in
                log.add("made")
                return SMTPMailer(clock: try await locator.resolve())
            })
        try await app.verify()
        try await app.verify()
        _ = try await app.resolve((any Mailer).self)
        #expect(log.count == 1)
    }

    @Test func `verification can end again what it makes`() async throws {
        let log = Log()
        try app.register(
            Probe.self,
            .lazy(onClose: { _ in log.add("hook") }) { _ in
                log.add("made")
                return Probe()
            })
        let child = try app.child()
        try await child.verify(keepingServices: false)
        #expect(log.entries == ["made", "hook"])
        #expect(app.graph().services[0].state == "not made")
        try await app.close()
        #expect(log.count == 2)
    }

    @Test func `one error lists all problems, each cause once`() async throws {
        try app.register(Greeter.self) { Greeter(mailer: try $0.resolve()) }
        try app.register((any Mailer).self) { SMTPMailer(clock: try $0.resolve()) }
        try app.register(Chicken.self) { try Chicken.make($0) }
        try app.register(Egg.self) { try Egg.make($0) }
        try app.register(SMTPMailer.self, .weak(SMTPMailer()) { $0 })
        try app.register(Probe.self) { _ in throw Failure() }
        try app.register(Cloak.self, .asynchronous { _ in Cloak() })
        try app.register(SystemClock.self) { locator in
            _ = try locator.resolve(Cloak.self)
            return SystemClock()
        }
        for keeps in [true, false] {
            let error = await #expect(throws: ServiceLocatorError.self) {
                try await app.verify(keepingServices: keeps)
            }
            #expect(error?.code == .verificationFailed)
            #expect(
                error?.problems.map(\.code) == [
                    .missing, .cycle, .released, .constructionFailed, .asynchronous,
                ])
            #expect(error?.problems.first?.path == ["Mailer", "Clock"])
            #expect(error?.problems.last?.path == ["SystemClock", "Cloak"])
            #expect(error?.problems[1].path == ["Chicken", "Egg", "Chicken"])
            #expect(error?.description.contains("\n5. ") == true)
        }
    }

    @Test func `a dead proxy and a captive dependency are problems`() async throws {
        try app.register((any Clock).self, .weakProxy(of: BigClock()) { ClockProxy(target: $0) })
        try app.register(Greeter.self) { Greeter(mailer: try $0.resolve()) }
        let child = try app.child(named: "request")
        try child.register((any Mailer).self, .instance(SMTPMailer()))
        let error = await #expect(throws: ServiceLocatorError.self) { try await child.verify() }
        #expect(error?.problems.map(\.code) == [.released, .captive])
    }

    @Test func `a failing hook of a service made for the verification is a problem`() async throws {
        try app.register(Probe.self, .lazy(onClose: { _ in throw Failure() }) { _ in Probe() })
        let error = await #expect(throws: ServiceLocatorError.self) {
            try await app.verify(keepingServices: false)
        }
        #expect(error?.problems.map(\.code) == [.closeFailed])
    }
}
