import ServiceLocator
import Testing

/// The kinds of registration: "strong, lazy (built once, with the locator), weak, weak-proxy".
@Suite struct KindTests {
    let locator = ServiceLocator()

    @Test func `an instance is found by the protocol that it was registered for`() throws {
        try locator.register((any Clock).self, .instance(SystemClock()))
        let clock: any Clock = try locator.resolve()
        #expect(clock.hour == 17)
        #expect(try locator.resolve((any Clock).self).hour == 17)
    }

    @Test func `a concrete type can be registered as well`() throws {
        try locator.register(SystemClock.self, .instance(SystemClock()))
        #expect(try locator.resolve(SystemClock.self).hour == 17)
    }

    @Test func `services of one type are distinguished by names`() throws {
        try locator.register((any Clock).self, .instance(SystemClock()))
        for hour in 0..<50 {
            try locator.register(
                (any Clock).self, named: "\(hour)", .instance(FixedClock(hour: hour)))
        }
        for hour in 0..<50 {
            #expect(try locator.resolve((any Clock).self, named: "\(hour)").hour == hour)
        }
        #expect(try locator.resolve((any Clock).self).hour == 17)
    }

    @Test func `a lazy service is made once, with the locator`() throws {
        let log = Log()
        try locator.register((any Clock).self, .instance(FixedClock(hour: 3)))
        try locator.register((any Mailer).self) { locator in
            log.add("made")
            return SMTPMailer(clock: try locator.resolve())
        }
        #expect(log.entries == [])
        let first = try locator.resolve((any Mailer).self) as? SMTPMailer
        let second = try locator.resolve((any Mailer).self) as? SMTPMailer
        #expect(first != nil && first === second)
        #expect(first?.clock.hour == 3)
        #expect(log.entries == ["made"])
    }

    @Test func `a transient service is made again each time`() throws {
        try locator.register(SMTPMailer.self, .lazy(.transient) { _ in SMTPMailer() })
        let first = try locator.resolve(SMTPMailer.self)
        #expect(try locator.resolve(SMTPMailer.self) !== first)
    }

    @Test func `an asynchronous service is made once`() async throws {
        let log = Log()
        try locator.register(
            SMTPMailer.self,
            .asynchronous { _ in
                await Task.yield()
                log.add("made")
                return SMTPMailer()
            })
        let first = try await locator.resolve(SMTPMailer.self)
        #expect(try await locator.resolve(SMTPMailer.self) === first)
        #expect(log.count == 1)
    }

    @Test func `an asynchronous transient service is made again each time`() async throws {
        try locator.register(
            SMTPMailer.self,
            .asynchronous(.transient) { _ in
                await Task.yield()
                return SMTPMailer()
            })
        let first = try await locator.resolve(SMTPMailer.self)
        #expect(try await locator.resolve(SMTPMailer.self) !== first)
    }

    @Test func `an asynchronous resolve gives services of all kinds`() async throws {
        let mailer = SMTPMailer()
        try locator.register((any Clock).self, .instance(SystemClock()))
        try locator.register(Greeter.self) { Greeter(mailer: try $0.resolve()) }
        try locator.register((any Mailer).self, .weak(mailer) { $0 })
        #expect(try await locator.resolve((any Clock).self).hour == 17)
        #expect(try await locator.resolve(Greeter.self).mailer as? SMTPMailer === mailer)
    }

    @Test func `a weak service is found as long as it is retained elsewhere`() throws {
        var mailer: SMTPMailer? = SMTPMailer()
        try locator.register((any Mailer).self, .weak(try #require(mailer)) { $0 })
        #expect(try locator.resolve((any Mailer).self) as? SMTPMailer === mailer)
        mailer = nil
        let error = #expect(throws: ServiceLocatorError.self) {
            try locator.resolve((any Mailer).self)
        }
        #expect(error?.code == .released)
        #expect(error?.message.contains("KindTests.swift:") == true)
    }

    @Test func `a weak proxy is found also when its object is gone`() throws {
        var clock: BigClock? = BigClock()
        try locator.register(
            (any Clock).self, .weakProxy(of: try #require(clock)) { ClockProxy(target: $0) })
        #expect(try locator.resolve((any Clock).self).hour == 12)
        clock = nil
        #expect(try locator.resolve((any Clock).self).hour == -1)
    }

    @Test func `a registration does not keep a weak object alive`() throws {
        let log = Log()
        var probe: Probe? = Probe { log.add("released") }
        try locator.register(Probe.self, .weak(try #require(probe)) { $0 })
        _ = try locator.resolve(Probe.self)
        probe = nil
        #expect(log.entries == ["released"])
    }
}

final class BigClock: Clock {
    let hour = 12
}

struct ClockProxy: Clock {
    weak let target: BigClock?

    var hour: Int { target?.hour ?? -1 }
}
