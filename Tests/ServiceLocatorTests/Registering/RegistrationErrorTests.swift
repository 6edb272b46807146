import ServiceLocator
import Testing

/// "Same behaviour in debug and release, errors with names", and the second part of defect 14: a
/// missing or duplicate service behaved differently in debug and release.
@Suite struct RegistrationErrorTests {
    let locator = ServiceLocator(named: "app")

    @Test func `a duplicate is refused with both places`() throws {
        try locator.register((any Clock).self, .instance(SystemClock()), file: "A.swift", line: 1)
        let error = #expect(throws: ServiceLocatorError.self) {
            try locator.register(
                (any Clock).self, .instance(FixedClock(hour: 1)), file: "B.swift", line: 2)
        }
        #expect(error?.code == .duplicate)
        #expect(error?.places == ["B.swift:2", "A.swift:1"])
        #expect(error?.message.contains("Clock is registered twice in scope 'app'") == true)
        #expect(try locator.resolve((any Clock).self).hour == 17)
    }

    @Test func `the error of a missing service names it, and the services that need it`() throws {
        try locator.register(Greeter.self) { Greeter(mailer: try $0.resolve()) }
        try locator.register((any Mailer).self) { SMTPMailer(clock: try $0.resolve()) }
        let error = #expect(throws: ServiceLocatorError.self) {
            try locator.resolve(Greeter.self)
        }
        #expect(error?.code == .missing)
        #expect(error?.path == ["Greeter", "Mailer", "Clock"])
        #expect(error?.message.contains("needed by Greeter -> Mailer") == true)
    }

    @Test func `the error of a missing service names similar registrations`() throws {
        try locator.register((any Clock).self, named: "local", .instance(SystemClock()))
        try locator.register(Cloak.self, .instance(Cloak()))
        try locator.register((any Mailer).self, .instance(SMTPMailer()))
        let error = #expect(throws: ServiceLocatorError.self) {
            try locator.resolve((any Clock).self)
        }
        #expect(error?.message.contains("Registered are: Clock 'local', Cloak.") == true)
    }

    @Test func `the error names a fitting registration of another type, with its place`() throws {
        try locator.register(SMTPMailer.self, .instance(SMTPMailer()), file: "App.swift", line: 7)
        let error = #expect(throws: ServiceLocatorError.self) {
            try locator.resolve((any Mailer).self)
        }
        #expect(error?.code == .missing)
        let hint =
            "What is registered as SMTPMailer at App.swift:7 is a Mailer, too: register it as "
            + "Mailer, or resolve SMTPMailer."
        #expect(error?.message.contains(hint) == true)
        #expect(error?.places == ["App.swift:7"])
    }

    @Test func `the error names a protocol's registration for its class, also from below`() throws {
        try locator.register(
            (any Mailer).self, named: "bulk", file: "App.swift", line: 8
        ) { _ in SMTPMailer() }
        let child = try locator.child(named: "request")
        // What was not made yet is not made for a message.
        let before = #expect(throws: ServiceLocatorError.self) {
            try child.resolve(SMTPMailer.self)
        }
        #expect(before?.message.contains("App.swift:8") == false)
        _ = try child.resolve((any Mailer).self, named: "bulk")
        let after = #expect(throws: ServiceLocatorError.self) {
            try child.resolve(SMTPMailer.self)
        }
        #expect(after?.message.contains("registered as Mailer 'bulk' at App.swift:8") == true)
    }

    @Test func `the error names no registration that does not fit`() throws {
        try locator.register((any Clock).self, .instance(SystemClock()))
        let error = #expect(throws: ServiceLocatorError.self) {
            try locator.resolve((any Mailer).self)
        }
        #expect(error?.message.contains("What is registered as") == false)
        #expect(error?.message.hasSuffix("Register it before it is resolved.") == true)
        #expect(error?.places == [])
    }

    @Test func `the error of a closure is reported, and the closure is run again`() throws {
        let log = Log()
        try locator.register((any Clock).self) { _ in
            log.add("tried")
            if log.count == 1 { throw Failure() }
            return SystemClock()
        }
        let error = #expect(throws: ServiceLocatorError.self) {
            try locator.resolve((any Clock).self)
        }
        #expect(error?.code == .constructionFailed)
        #expect(error?.cause as? Failure == Failure())
        #expect(error?.path == ["Clock"])
        #expect(try locator.resolve((any Clock).self).hour == 17)
    }

    @Test func `an asynchronous service cannot be resolved synchronously, even once made`()
        async throws
    {
        try locator.register((any Clock).self, .asynchronous { _ in SystemClock() })
        for _ in 1...2 {
            let error = #expect(throws: ServiceLocatorError.self) {
                try locator.resolve((any Clock).self)
            }
            #expect(error?.code == .asynchronous)
            #expect(error?.message.contains("try await resolve") == true)
            _ = try await locator.resolve((any Clock).self)
        }
    }

    @Test func `a failed asynchronous service can be tried again`() async throws {
        let log = Log()
        try locator.register(
            (any Clock).self,
            .asynchronous { _ in
                log.add("tried")
                if log.count == 1 { throw Failure() }
                return SystemClock()
            })
        let error = await #expect(throws: ServiceLocatorError.self) {
            try await locator.resolve((any Clock).self)
        }
        #expect(error?.code == .constructionFailed)
        #expect(try await locator.resolve((any Clock).self).hour == 17)
    }

    @Test func `a transient service with a hook is refused`() throws {
        let error = #expect(throws: ServiceLocatorError.self) {
            try locator.register(
                SystemClock.self, .lazy(.transient, onClose: { _ in }) { _ in SystemClock() })
        }
        #expect(error?.code == .unsupported)
        #expect(!locator.contains(SystemClock.self))
    }

    @Test func `contains looks upwards and isRegistered does not`() throws {
        try locator.register((any Clock).self, .instance(SystemClock()))
        let child = try locator.child()
        #expect(child.contains((any Clock).self) && !child.isRegistered((any Clock).self))
        #expect(locator.isRegistered((any Clock).self))
        #expect(!child.contains((any Clock).self, named: "other"))
        #expect(!child.contains((any Mailer).self))
    }

    @Test func `an error shows its cause and its problems`() {
        let problem = ServiceLocatorError(.missing, "Nothing.", cause: Failure())
        let error = ServiceLocatorError(.closeFailed, "Several.", problems: [problem, problem])
        let text = error.description
        #expect(text.hasPrefix("Several. (closeFailed)\n1. Nothing. (missing) Cause: Failure"))
        #expect(text.contains("\n2. "))
    }
}

struct Cloak: Sendable {}
