import ServiceLocator
import Testing

/// The end of scopes: children first, the last made first, every hook.
@Suite struct CloseTests {
    let app = ServiceLocator(named: "app")
    let log = Log()

    @Test func `children end first, and what was made last ends first`() async throws {
        let log = log
        try app.register(
            (any Clock).self,
            .lazy(onClose: { _ in log.add("clock") }) { _ in SystemClock() })
        try app.register(
            (any Mailer).self,
            .lazy(onClose: { _ in log.add("mailer") }) { SMTPMailer(clock: try $0.resolve()) })
        let child = try app.child(named: "request")
        try child.register(Greeter.self) { Greeter(mailer: try $0.resolve()) }
        try child.register(Probe.self, .instance(Probe { log.add("probe") }))
        _ = try await child.resolve(Greeter.self)
        try await app.close()
        #expect(log.entries == ["probe", "mailer", "clock"])
        #expect(app.isClosed && child.isClosed)
    }

    @Test func `a service that was never made is not ended`() async throws {
        let log = log
        try app.register(
            (any Clock).self, .lazy(onClose: { _ in log.add("clock") }) { _ in SystemClock() })
        try await app.close()
        #expect(log.entries == [])
    }

    @Test func `every call after the close throws closed`() async throws {
        try app.register((any Clock).self, .instance(SystemClock()))
        let child = try app.child(named: "request")
        _ = try await child.resolve((any Clock).self)
        try await app.close()
        let attempts: [() throws -> Void] = [
            { _ = try app.resolve((any Clock).self) },
            { _ = try child.resolve((any Clock).self) },
            { try app.register((any Mailer).self, .instance(SMTPMailer())) },
            { _ = try app.child() },
        ]
        for attempt in attempts {
            let error = #expect(throws: ServiceLocatorError.self) { try attempt() }
            #expect(error?.code == .closed)
        }
        let replaced = await #expect(throws: ServiceLocatorError.self) {
            try await app.replace((any Clock).self, .instance(SystemClock()))
        }
        let verified = await #expect(throws: ServiceLocatorError.self) { try await app.verify() }
        #expect(replaced?.code == .closed && verified?.code == .closed)
    }

    @Test func `a closed child leaves its parent open`() async throws {
        try app.register((any Clock).self, .instance(SystemClock()))
        let child = try app.child(named: "request")
        try await child.close()
        let error = #expect(throws: ServiceLocatorError.self) {
            try child.resolve((any Clock).self)
        }
        #expect(error?.code == .closed)
        #expect(try await app.resolve((any Clock).self).hour == 17)
    }

    @Test func `hooks that fail do not keep others from running, and are reported together`()
        async throws
    {
        let log = log
        for number in 1...3 {
            try app.register(
                (any Clock).self, named: "\(number)",
                .instance(SystemClock()) { _ in
                    log.add("\(number)")
                    if number != 2 { throw Failure(number: number) }
                })
        }
        for _ in 1...2 {
            let error = await #expect(throws: ServiceLocatorError.self) { try await app.close() }
            #expect(error?.code == .closeFailed)
            let causes = error?.problems.compactMap { ($0.cause as? Failure)?.number }
            #expect(causes == [3, 1])
        }
        #expect(log.entries == ["3", "2", "1"])
    }

    @Test func `a failing child is reported by the parent`() async throws {
        let child = try app.child()
        try child.register((any Clock).self, .instance(SystemClock()) { _ in throw Failure() })
        let error = await #expect(throws: ServiceLocatorError.self) { try await app.close() }
        #expect(error?.problems.first?.cause as? Failure == Failure())
    }

    @Test func `a service that is being made while the scope closes is ended`() async throws {
        let log = log
        let begun = AsyncGate()
        let gate = AsyncGate()
        try app.register(
            (any Clock).self,
            .asynchronous(onClose: { _ in log.add("ended") }) { _ in
                begun.open()
                try await gate.wait()
                return SystemClock()
            })
        let app = app
        let resolved = Task { try await app.resolve((any Clock).self) }
        try await begun.wait()
        async let closed: Void = app.close()
        while !app.isClosed { await Task.yield() }
        gate.open()
        try await closed
        let error = await #expect(throws: ServiceLocatorError.self) { try await resolved.value }
        #expect(error?.code == .closed)
        #expect(log.entries == ["ended"])
    }

    @Test func `the closing continues if the caller is cancelled`() async throws {
        let log = log
        let gate = AsyncGate()
        try app.register(
            (any Clock).self,
            .instance(SystemClock()) { _ in
                try await gate.wait()
                log.add("ended")
            })
        let app = app
        let task = Task { try await app.close() }
        while !app.isClosed { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.open()
        try await app.close()
        #expect(log.entries == ["ended"])
    }

    @Test func `a scope that lasts for a closure is closed in any case`() async throws {
        let log = log
        let app = app
        for fails in [false, true] {
            try? await app.withChild { child in
                try child.register(
                    (any Clock).self, .instance(SystemClock()) { _ in log.add("ended") })
                if fails { throw Failure() }
            }
        }
        #expect(log.count == 2)
    }

    @Test func `a cancelled task waits for the end of the scope of a closure`() async throws {
        let log = log
        let app = app
        let task = Task {
            try await app.withChild { child in
                try child.register(
                    (any Clock).self,
                    .instance(SystemClock()) { _ in
                        await Task.yield()
                        log.add("ended")
                    })
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        try await task.value
        #expect(log.entries == ["ended"])
    }

    @Test func `a scope that is never closed releases its services, the last first`() async throws {
        let log = log
        do {
            let scope = ServiceLocator()
            for number in 1...3 {
                try scope.register(
                    Probe.self, named: "\(number)", .lazy { _ in Probe { log.add("\(number)") } })
                _ = try await scope.resolve(Probe.self, named: "\(number)")
            }
        }
        #expect(log.entries == ["3", "2", "1"])
    }
}
