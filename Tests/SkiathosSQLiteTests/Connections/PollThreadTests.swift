import Foundation
import Locks
import Synchronization
import TestSupport
import Testing

@testable import SkiathosSQLite

/// The thread that looks for commits of other processes.
@Suite(.generousTimeLimit) struct PollThreadTests {
    /// What a closure keeps, so that it is released when the thread has ended.
    private final class Looks: Sendable {
        let count = Atomic(0)
        let thread = Lock<PollThread?>(nil)
        private let target: Int
        private let reached: Latch
        private let released: Latch

        init(_ target: Int, reached: Latch, released: Latch) {
            self.target = target
            self.reached = reached
            self.released = released
        }

        deinit { released.open() }

        func add() {
            if count.wrappingAdd(1, ordering: .relaxed).newValue == target { reached.open() }
        }
    }

    private let reached = Latch()
    private let released = Latch()

    @Test func `a thread runs its closure again and again until it is released`() async throws {
        var thread: PollThread?
        do {
            let looks = Looks(5, reached: reached, released: released)
            thread = try PollThread(every: .milliseconds(1)) { looks.add() }
        }
        try await reached.wait()
        withExtendedLifetime(thread) {}
        thread = nil
        try await released.wait()
    }

    /// In a process of its own, which has no other such thread.
    @Test func `a thread that waits ends at once when it is released`() async {
        await #expect(processExitsWith: .success) {
            let released = Latch()
            do {
                let looks = Looks(1, reached: Latch(), released: released)
                let thread = try PollThread(every: .seconds(3600)) { looks.add() }
                while !PollThreadTests.isAsleep { await Task.yield() }
                withExtendedLifetime(thread) {}
            }
            try await released.wait()
        }
    }

    /// Whether the thread sleeps; where the system does not say so, as if it did.
    private static var isAsleep: Bool {
        let tasks = "/proc/self/task"
        guard let numbers = try? FileManager.default.contentsOfDirectory(atPath: tasks) else {
            return true
        }
        return numbers.contains { number in
            let status = try? String(contentsOfFile: "\(tasks)/\(number)/status", encoding: .utf8)
            return status?.contains("skiathos.watch") == true && status?.contains("S (") == true
        }
    }

    @Test func `a closure may release the thread that runs it, and does not run again`()
        async throws
    {
        do {
            let looks = Looks(1, reached: reached, released: released)
            // Held until the thread is there.
            try looks.thread.withLock { thread in
                thread = try PollThread(every: .milliseconds(1)) {
                    looks.thread.withLock { $0 = nil }
                    looks.add()
                    #expect(looks.count.load(ordering: .relaxed) == 1)
                }
            }
        }
        try await released.wait()
    }
}
