import ServiceLocator
import Testing

/// "Parent and child scopes", and the last part of defect 14: a dead weak entry in a child hid the
/// parent's.
@Suite struct ScopeTests {
    let app = ServiceLocator(named: "app")

    @Test func `a child finds what its parents have`() throws {
        try app.register((any Clock).self, .instance(SystemClock()))
        let low = try app.child(named: "session").child(named: "request")
        #expect(try low.resolve((any Clock).self).hour == 17)
        #expect(low.description == "ServiceLocator(app/session/request)")
    }

    @Test func `a child hides what its parent has, before it is made too`() throws {
        try app.register((any Clock).self, .instance(SystemClock()))
        let child = try app.child()
        #expect(try child.resolve((any Clock).self).hour == 17)
        try child.register((any Clock).self) { _ in FixedClock(hour: 4) }
        #expect(try child.resolve((any Clock).self).hour == 4)
        #expect(try child.child().resolve((any Clock).self).hour == 4)
        #expect(try app.resolve((any Clock).self).hour == 17)
    }

    @Test func `a service of a child is not found from its parent`() throws {
        let child = try app.child(named: "request")
        try child.register((any Clock).self, .instance(SystemClock()))
        let error = #expect(throws: ServiceLocatorError.self) {
            try app.resolve((any Clock).self)
        }
        #expect(error?.code == .missing)
        #expect(error?.message.contains("Scope 'request' below has it") == true)
    }

    @Test func `a lazy service is made in the scope that registered it`() throws {
        try app.register((any Clock).self, .instance(SystemClock()))
        try app.register((any Mailer).self) { SMTPMailer(clock: try $0.resolve()) }
        let child = try app.child()
        try child.register((any Clock).self, .instance(FixedClock(hour: 1)))
        #expect(try child.resolve((any Mailer).self).clock.hour == 17)
        let mailer = try app.resolve((any Mailer).self) as? SMTPMailer
        #expect(try child.resolve((any Mailer).self) as? SMTPMailer === mailer)
    }

    @Test func `a scoped service is made once in each scope that asks`() throws {
        try app.register((any Clock).self, .instance(SystemClock()))
        try app.register(
            SMTPMailer.self, .lazy(.scoped) { SMTPMailer(clock: try $0.resolve()) })
        let first = try app.child()
        let second = try app.child()
        try second.register((any Clock).self, .instance(FixedClock(hour: 2)))
        let above = try app.resolve(SMTPMailer.self)
        let own = try first.resolve(SMTPMailer.self)
        #expect(try first.resolve(SMTPMailer.self) === own)
        #expect(try app.resolve(SMTPMailer.self) === above)
        #expect(above !== own)
        #expect(try second.resolve(SMTPMailer.self).clock.hour == 2)
    }

    @Test func `a transient service is made for the scope that asks`() throws {
        try app.register(
            SMTPMailer.self, .lazy(.transient) { SMTPMailer(clock: try $0.resolve()) })
        let child = try app.child()
        try child.register((any Clock).self, .instance(FixedClock(hour: 2)))
        #expect(try child.resolve(SMTPMailer.self).clock.hour == 2)
    }

    @Test func `a dead weak service does not hide the one above`() throws {
        try app.register((any Mailer).self, .instance(SMTPMailer(clock: FixedClock(hour: 1))))
        let child = try app.child()
        var own: SMTPMailer? = SMTPMailer(clock: FixedClock(hour: 2))
        try child.register((any Mailer).self, .weak(try #require(own)) { $0 })
        #expect(try child.resolve((any Mailer).self).clock.hour == 2)
        own = nil
        #expect(try child.resolve((any Mailer).self).clock.hour == 1)
    }

    @Test func `the error says that no weak service is alive`() throws {
        let child = try app.child()
        try app.register(SMTPMailer.self, .weak(SMTPMailer()) { $0 }, file: "App.swift", line: 1)
        try child.register(SMTPMailer.self, .weak(SMTPMailer()) { $0 }, file: "Low.swift", line: 2)
        let error = #expect(throws: ServiceLocatorError.self) {
            try child.resolve(SMTPMailer.self)
        }
        #expect(error?.code == .released)
        #expect(error?.places == ["Low.swift:2"])
    }

    @Test func `a service that needs one of a scope below gets an error that says so`() throws {
        try app.register((any Mailer).self) { SMTPMailer(clock: try $0.resolve()) }
        let child = try app.child(named: "request")
        try child.register((any Clock).self, .instance(SystemClock()))
        let error = #expect(throws: ServiceLocatorError.self) {
            try child.resolve((any Mailer).self)
        }
        #expect(error?.code == .captive)
        #expect(error?.path == ["Mailer", "Clock"])
        #expect(error?.message.contains("only scope 'request' below has") == true)
    }

    @Test func `children without references are released, and their parent stays usable`()
        async throws
    {
        let log = Log()
        for number in 1...100 {
            let child = try app.child()
            try child.register(Probe.self, .lazy { _ in Probe { log.add("\(number)") } })
            _ = try await child.resolve(Probe.self)
        }
        #expect(log.count == 100)
        try await app.close()
    }
}
