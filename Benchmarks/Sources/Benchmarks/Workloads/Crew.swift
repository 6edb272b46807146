import Dispatch
import Foundation
import Synchronization

/// Several threads or tasks that do something at the same time.
enum Crew {
    /// Runs a closure on threads of their own and waits for all: Dispatch would start no more than
    /// there are cores.
    ///
    /// - Throws: the first error of any.
    static func threads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
        let failure = Mutex<(any Error)?>(nil)
        @Sendable func run(_ number: Int) {
            do {
                try body(number)
            } catch {
                failure.withLock { $0 = $0 ?? error }
            }
        }
        let end = DispatchGroup()
        for number in 1..<count {
            end.enter()
            Thread.detachNewThread {
                run(number)
                end.leave()
            }
        }
        run(0)
        end.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    /// Runs a closure in tasks and waits for all.
    static func tasks(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Void
    ) throws {
        try waiting {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<count { group.addTask { try await body(number) } }
                try await group.waitForAll()
            }
        }
    }
}
