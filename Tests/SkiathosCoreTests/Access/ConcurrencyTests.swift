import Dispatch
import Foundation
import Skiathos
import SkiathosLocks
import TestSupport
import Testing

struct ConcurrencyTests {
    @Test(arguments: Place.allCases)
    func `a hundred tasks that read and write at once lose no update`(_ place: Place) async throws {
        try await withStore(place) { dal in
            let id = try await dal.write { try User.create(in: $0).id }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<100 {
                    group.addTask {
                        for _ in 0..<5 {
                            let written = try await dal.write { context in
                                let user = try User.find(id, in: context)
                                user?.age += 1
                                return user?.age ?? 0
                            }
                            let seen = try await dal.read { try User.find(id, in: $0)?.age } ?? 0
                            #expect(seen >= written, "task \(task)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await dal.read { try User.find(id, in: $0)?.age } == 500)
        }
    }

    @Test func `threads and tasks get their permits in turn`() async throws {
        try await withStore { dal in
            let id = try await dal.write { try User.create(in: $0).id }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        await withContinuation { continuation in
                            DispatchQueue.global().async {
                                for _ in 0..<25 {
                                    _ = try? dal.write { try User.find(id, in: $0)?.age += 1 }
                                }
                                continuation.resume()
                            }
                        }
                    }
                    group.addTask {
                        for _ in 0..<25 {
                            _ = try? await dal.write { try User.find(id, in: $0)?.age += 1 }
                        }
                    }
                }
            }
            #expect(try await dal.read { try User.find(id, in: $0)?.age } == 400)
        }
    }

    enum Form: CaseIterable { case value, noValue }

    @Test(.generousTimeLimit, arguments: Form.allCases)
    func `tasks that read again and again, and never wait, let others run`(
        _ form: Form
    ) async throws {
        let count = ProcessInfo.processInfo.activeProcessorCount
        var configuration = Configuration()
        // So that none of them waits for a connection.
        configuration.readerCount = count + 1
        try await withStore(.file, configuration: configuration) { dal in
            let others = Log<Void>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                // One for each thread of the pool.
                for _ in 0..<count {
                    group.addTask {
                        // A limit of time would need a thread of the pool, too.
                        var count = 0
                        while others.entries.isEmpty, count < 1_000_000 {
                            count += 1
                            switch form {
                            case .value: _ = try await dal.read { try User.count(in: $0) }
                            case .noValue: try await dal.read { _ = try User.count(in: $0) }
                            }
                        }
                        #expect(!others.entries.isEmpty)
                    }
                }
                group.addTask { others.note(()) }
                try await group.waitForAll()
            }
        }
    }
}
