import ServiceLocator
import TestSupport
import Testing

/// "Cycle detection with the path shown", and the third part of defect 14: two lazy services that
/// needed each other dead-locked.
@Suite struct CycleTests {
    let locator = ServiceLocator()

    @Test func `two lazy services that need each other are a cycle, with its path`() throws {
        try locator.register(Chicken.self, file: "C.swift", line: 1) { try Chicken.make($0) }
        try locator.register(Egg.self, file: "E.swift", line: 2) { try Egg.make($0) }
        for _ in 1...2 {
            let error = #expect(throws: ServiceLocatorError.self) {
                try locator.resolve(Chicken.self)
            }
            #expect(error?.code == .cycle)
            #expect(error?.path == ["Chicken", "Egg", "Chicken"])
            #expect(error?.places == ["C.swift:1", "E.swift:2"])
        }
        #expect(throws: ServiceLocatorError.self) { try locator.resolve(Egg.self) }
    }

    @Test func `a service that needs itself is a cycle`() throws {
        try locator.register(SMTPMailer.self) { try $0.resolve(SMTPMailer.self) }
        let error = #expect(throws: ServiceLocatorError.self) {
            try locator.resolve(SMTPMailer.self)
        }
        #expect(error?.path == ["SMTPMailer", "SMTPMailer"])
    }

    @Test(arguments: [ServiceLifetime.transient, .scoped])
    func `services of other lifetimes that need each other are a cycle`(
        _ lifetime: ServiceLifetime
    ) throws {
        try locator.register(Chicken.self, .lazy(lifetime) { try Chicken.make($0) })
        try locator.register(Egg.self, .lazy(lifetime) { try Egg.make($0) })
        let error = #expect(throws: ServiceLocatorError.self) {
            try locator.child().resolve(Egg.self)
        }
        #expect(error?.code == .cycle)
        #expect(error?.path == ["Egg", "Chicken", "Egg"])
    }

    @Test func `a cycle by way of names and scopes is found`() throws {
        let child = try locator.child()
        try locator.register(Greeter.self) { _ in Greeter(mailer: try child.resolve()) }
        try child.register((any Mailer).self) { locator in
            try locator.resolve(Greeter.self).mailer
        }
        let error = #expect(throws: ServiceLocatorError.self) {
            try child.resolve((any Mailer).self)
        }
        #expect(error?.path == ["Mailer", "Greeter", "Mailer"])
    }

    @Test func `two threads that enter a cycle from both ends do not dead-lock`() async throws {
        for _ in 0..<200 {
            let locator = ServiceLocator()
            try locator.register(Chicken.self) { try Chicken.make($0) }
            try locator.register(Egg.self) { try Egg.make($0) }
            #expect(await codesOfEnteringFromBothEnds(locator) == ["cycle", "cycle"])
        }
    }

    @Test func `two threads that meet inside of a cycle do not dead-lock`() async throws {
        let inChicken = AsyncGate()
        let inEgg = AsyncGate()
        try locator.register(Chicken.self) { locator in
            inChicken.open()
            inEgg.block()
            return try Chicken.make(locator)
        }
        try locator.register(Egg.self) { locator in
            inEgg.open()
            inChicken.block()
            return try Egg.make(locator)
        }
        #expect(await codesOfEnteringFromBothEnds(locator) == ["cycle", "cycle"])
    }

    /// What two threads get that ask for one of two services each.
    private func codesOfEnteringFromBothEnds(_ locator: ServiceLocator) async -> [String] {
        let codes = Log()
        await onThreads(2) { index in
            do throws(ServiceLocatorError) {
                if index == 0 {
                    _ = try locator.resolve(Chicken.self)
                } else {
                    _ = try locator.resolve(Egg.self)
                }
            } catch {
                codes.add(error.code.rawValue)
            }
        }
        return codes.entries
    }

    @Test func `two tasks that enter an asynchronous cycle from both ends do not dead-lock`()
        async throws
    {
        let inChicken = AsyncGate()
        let inEgg = AsyncGate()
        try locator.register(
            Chicken.self,
            .asynchronous { locator in
                inChicken.open()
                try await inEgg.wait()
                _ = try await locator.resolve(Egg.self)
                return Chicken()
            })
        try locator.register(
            Egg.self,
            .asynchronous { locator in
                inEgg.open()
                try await inChicken.wait()
                _ = try await locator.resolve(Chicken.self)
                return Egg()
            })
        let locator = locator
        let chicken = Task { try await locator.resolve(Chicken.self) }
        let egg = Task { try await locator.resolve(Egg.self) }
        let first = await #expect(throws: ServiceLocatorError.self) { try await chicken.value }
        let second = await #expect(throws: ServiceLocatorError.self) { try await egg.value }
        #expect(first?.code == .cycle && second?.code == .cycle)
    }

    @Test func `services made concurrently in a closure are no cycle`() async throws {
        try locator.register((any Clock).self, .asynchronous { _ in SystemClock() })
        try locator.register(
            (any Mailer).self, .asynchronous { SMTPMailer(clock: try await $0.resolve()) })
        try locator.register(
            Greeter.self,
            .asynchronous { locator in
                async let mailer = locator.resolve((any Mailer).self)
                async let clock = locator.resolve((any Clock).self)
                _ = try await clock
                return Greeter(mailer: try await mailer)
            })
        #expect(try await locator.resolve(Greeter.self).mailer.clock.hour == 17)
    }

    @Test func `a task that a closure leaves behind may ask for the service itself`() async throws {
        let log = Log()
        let begun = AsyncGate()
        let done = AsyncGate()
        try locator.register(SMTPMailer.self) { locator in
            Task {
                try await begun.wait()
                _ = try await locator.resolve(SMTPMailer.self)
                log.add("found")
                done.open()
            }
            return SMTPMailer()
        }
        _ = try await locator.resolve(SMTPMailer.self)
        begun.open()
        try await done.wait()
        #expect(log.entries == ["found"])
    }
}
