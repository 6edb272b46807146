import ServiceLocator
import TestSupport
import Testing

/// "Thread-safe table", and the first part of defect 14: the locator's table was not synchronised.
@Suite struct ConcurrencyTests {
    let locator = ServiceLocator()

    @Test func `a thousand tasks that ask at once get one asynchronous service`() async throws {
        let log = Log()
        let locator = locator
        try locator.register(
            SMTPMailer.self,
            .asynchronous { _ in
                log.add("made")
                for _ in 0..<100 { await Task.yield() }
                return SMTPMailer()
            })
        let found = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
            for _ in 0..<1000 {
                group.addTask { ObjectIdentifier(try await locator.resolve(SMTPMailer.self)) }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(found.count == 1)
        #expect(log.count == 1)
    }

    @Test func `threads that ask at once get one lazy service`() async throws {
        for _ in 0..<50 {
            let locator = ServiceLocator()
            let log = Log()
            let found = Log()
            try locator.register(SMTPMailer.self) { _ in
                log.add("made")
                return SMTPMailer()
            }
            await onThreads(8) { _ in
                if let mailer = try? locator.resolve(SMTPMailer.self) {
                    found.add("\(ObjectIdentifier(mailer))")
                }
            }
            #expect(log.count == 1)
            #expect(found.count == 8 && Set(found.entries).count == 1)
        }
    }

    @Test func `a thread that asks while another makes the service waits for it`() async throws {
        let begun = AsyncGate()
        let gate = AsyncGate()
        let log = Log()
        let locator = locator
        try locator.register((any Clock).self) { _ in
            begun.open()
            gate.block()
            throw Failure()
        }
        await onThreads(3) { index in
            if index == 2 { return gate.open() }
            if index == 1 { begun.block() }
            do throws(ServiceLocatorError) {
                _ = try locator.resolve((any Clock).self)
            } catch {
                log.add(error.code.rawValue)
            }
        }
        #expect(log.entries == ["constructionFailed", "constructionFailed"])
    }

    @Test func `a cancelled waiting call does not cancel the construction for others`() async throws
    {
        let begun = AsyncGate()
        let gate = AsyncGate()
        let locator = locator
        try locator.register(
            (any Clock).self,
            .asynchronous { _ in
                begun.open()
                try await gate.wait()
                try Task.checkCancellation()
                return SystemClock()
            })
        let first = Task { try await locator.resolve((any Clock).self).hour }
        try await begun.wait()
        let second = Task { try await locator.resolve((any Clock).self).hour }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        gate.open()
        #expect(try await second.value == 17)
    }

    @Test func `a failure reaches every waiting call, with its own path`() async throws {
        let gate = AsyncGate()
        let begun = AsyncGate()
        let locator = locator
        try locator.register(
            (any Clock).self,
            .asynchronous { locator in
                begun.open()
                try await gate.wait()
                return try await locator.resolve(SystemClock.self)
            })
        try locator.register(
            (any Mailer).self, .asynchronous { SMTPMailer(clock: try await $0.resolve()) })
        let first = Task { try await locator.resolve((any Clock).self).hour }
        try await begun.wait()
        let second = Task { try await locator.resolve((any Mailer).self).clock.hour }
        while locator.graph().services[1].dependencies.isEmpty { await Task.yield() }
        gate.open()
        let errors = [
            await #expect(throws: ServiceLocatorError.self) { try await first.value },
            await #expect(throws: ServiceLocatorError.self) { try await second.value },
        ]
        #expect(errors.map { $0?.code } == [.missing, .missing])
        #expect(errors[0]?.path == ["Clock", "SystemClock"])
        #expect(errors[1]?.path.first == "Mailer")
        #expect(errors[1]?.path.last == "SystemClock")
    }

    @Test func `services can be registered while others are resolved`() async throws {
        let locator = locator
        let wrong = Log()
        try locator.register((any Clock).self, .instance(FixedClock(hour: -1)))
        await onThreads(4) { thread in
            for number in 0..<500 {
                let name = "\(thread).\(number)"
                try? locator.register(
                    (any Clock).self, named: name, .instance(FixedClock(hour: number)))
                let found = try? locator.resolve((any Clock).self, named: name).hour
                let other = try? locator.resolve((any Clock).self).hour
                if found != number || other != -1 { wrong.add(name) }
            }
        }
        #expect(wrong.entries == [])
        #expect(locator.graph().services.count == 2001)
    }
}
