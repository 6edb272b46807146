import ServiceLocator
import Testing

/// No lock is held while code of the user runs: not in closures, not in hooks, not in `deinit`.
@Suite struct ReentranceTests {
    let locator = ServiceLocator()

    @Test func `a closure can register, resolve, make scopes and describe the graph`() throws {
        try locator.register(Greeter.self) { locator in
            try locator.register((any Clock).self, .instance(SystemClock()))
            let child = try locator.child()
            _ = try child.resolve((any Clock).self)
            #expect(locator.graph().description.contains("being made"))
            return Greeter(mailer: SMTPMailer(clock: try locator.resolve()))
        }
        #expect(try locator.resolve(Greeter.self).mailer.clock.hour == 17)
    }

    @Test func `the conversion of a weak object can use the locator`() throws {
        let mailer = SMTPMailer()
        let locator = locator
        try locator.register((any Clock).self, .instance(FixedClock(hour: 1)))
        try locator.register(
            Greeter.self,
            .weak(mailer) { mailer in
                _ = locator.graph()
                _ = locator.contains((any Clock).self)
                return Greeter(mailer: mailer)
            })
        #expect(try locator.resolve(Greeter.self).mailer as? SMTPMailer === mailer)
    }

    @Test func `a hook can use the scopes above and ask what there is`() async throws {
        let child = try locator.child(named: "low")
        try locator.register((any Clock).self) { _ in FixedClock(hour: 1) }
        let log = Log()
        let above = locator
        try child.register(
            SMTPMailer.self,
            .lazy(onClose: { _ in
                log.add("\(try await above.resolve((any Clock).self).hour)")
                _ = above.graph()
                _ = child.contains(SMTPMailer.self)
                do {
                    _ = try await child.resolve(SMTPMailer.self)
                } catch let error as ServiceLocatorError {
                    log.add(error.code.rawValue)
                }
            }) { _ in SMTPMailer() })
        _ = try await child.resolve(SMTPMailer.self)
        try await child.close()
        #expect(log.entries == ["1", "closed"])
    }

    @Test func `an object can use the locator when it is released`() async throws {
        let log = Log()
        let above = locator
        try above.register((any Clock).self) { _ in FixedClock(hour: 1) }
        let child = try above.child(named: "low")
        let use: @Sendable () -> Void = {
            log.add("\((try? above.resolve((any Clock).self).hour) ?? 0)")
            _ = above.graph()
            _ = child.isRegistered(Probe.self)
            _ = try? child.register((any Mailer).self, .instance(SMTPMailer()))
        }
        try child.register(Probe.self, .lazy { _ in Probe(use) })
        _ = try await child.resolve(Probe.self)
        try await child.replace(Probe.self, .lazy { _ in Probe(use) })
        _ = try await child.resolve(Probe.self)
        try await child.close()
        #expect(log.entries == ["1", "1"])
    }

    @Test func `a closure that closes its own scope gets an error, as it would wait for itself`()
        async throws
    {
        let closed = AsyncGate()
        try locator.register(
            (any Clock).self,
            .asynchronous(onClose: { _ in closed.open() }) { locator in
                let error = await #expect(throws: ServiceLocatorError.self) {
                    try await locator.close()
                }
                #expect(error?.code == .cycle)
                return SystemClock()
            })
        let error = await #expect(throws: ServiceLocatorError.self) {
            try await locator.resolve((any Clock).self)
        }
        #expect(error?.code == .closed)
        try await closed.wait()
        try await locator.close()
    }

    @Test func `a hook that closes its own scope or one above does not dead-lock`() async throws {
        let log = Log()
        let above = locator
        let child = try above.child(named: "low")
        try child.register(
            (any Clock).self,
            .instance(SystemClock()) { _ in
                for scope in [child, above] {
                    do {
                        try await scope.close()
                    } catch let error as ServiceLocatorError {
                        log.add(error.code.rawValue)
                    }
                }
            })
        try await child.close()
        #expect(log.entries == ["cycle", "cycle"])
        try await above.close()
    }
}
