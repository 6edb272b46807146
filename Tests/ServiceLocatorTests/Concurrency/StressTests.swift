import ServiceLocator
import Synchronization
import TestSupport
import Testing

/// Many threads against a simple model: an object is whole and alive when it is found.
@Suite struct StressTests {
    /// Logs if it is used after it was ended and released.
    final class Service: Sendable {
        static let alive = Atomic<Int>(0)
        let canary: [Int]

        init(_ number: Int) {
            canary = [number, number]
            Self.alive.wrappingAdd(1, ordering: .relaxed)
        }

        deinit { Self.alive.wrappingSubtract(1, ordering: .relaxed) }

        var isWhole: Bool { canary.count == 2 && canary[0] == canary[1] }
    }

    @Test func `services are whole while they are resolved, replaced and closed`() async throws {
        let wrong = Log()
        for round in 0..<20 {
            let app = ServiceLocator()
            try app.register(Service.self, .lazy { _ in Service(0) })
            let low = try app.child()
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await onThreads(3) { thread in Self.use(thread == 0 ? app : low, wrong) }
                }
                group.addTask {
                    for number in 1...100 {
                        try? await app.replace(Service.self, .lazy { _ in Service(number) })
                    }
                    try? await (round % 2 == 0 ? app : low).close()
                }
            }
            try await app.close()
        }
        #expect(wrong.entries == [])
        #expect(Service.alive.load(ordering: .sequentiallyConsistent) == 0)
    }

    /// Resolves until the scope is closed, or long enough.
    private static func use(_ scope: ServiceLocator, _ wrong: Log) {
        for _ in 0..<20_000 {
            do {
                let service = try scope.resolve(Service.self)
                if !service.isWhole { wrong.add("broken") }
            } catch {
                if error.code != .closed { wrong.add(error.code.rawValue) }
                return
            }
        }
    }

    @Test func `scopes come and go while their parent is used`() async throws {
        let app = ServiceLocator()
        let made = Log()
        let ended = Log()
        let wrong = Log()
        try app.register(
            SMTPMailer.self,
            .lazy(.scoped, onClose: { _ in ended.add("") }) { _ in
                made.add("")
                return SMTPMailer()
            })
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        do {
                            try await app.withChild { child in
                                let first = try await child.resolve(SMTPMailer.self)
                                let again = try await child.resolve(SMTPMailer.self)
                                if first !== again { wrong.add("two") }
                            }
                        } catch {
                            wrong.add("\(error)")
                        }
                    }
                }
            }
        }
        #expect(wrong.entries == [])
        #expect(made.count == 400 && ended.count == 400)
    }
}
