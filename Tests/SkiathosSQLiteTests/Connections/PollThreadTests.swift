import Foundation
import SkiathosLocks
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

    private static func thread(
        every interval: Duration, _ look: @escaping @Sendable () -> Void
    ) throws -> PollThread {
        let pause = PollPace.Pause(deaf: interval, longest: interval)
        return try PollThread(after: pause, or: nil) {
            look()
            return pause
        }
    }

    @Test func `a thread runs its closure again and again until it is released`() async throws {
        var thread: PollThread?
        do {
            let looks = Looks(5, reached: reached, released: released)
            thread = try Self.thread(every: .milliseconds(1)) { looks.add() }
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
                let thread = try Self.thread(every: .seconds(3600)) { looks.add() }
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
                thread = try Self.thread(every: .milliseconds(1)) {
                    looks.thread.withLock { $0 = nil }
                    looks.add()
                    #expect(looks.count.load(ordering: .relaxed) == 1)
                }
            }
        }
        try await released.wait()
    }

    @Test(.enabled(if: WriteWatch.isUsable))
    func `a thread runs its closure when a file is written, though its pause is long`() async throws
    {
        let directory = try TemporaryDirectory()
        let file = directory.file("written")
        try Data().write(to: URL(fileURLWithPath: file))
        let writes = try #require(WriteWatch())
        #expect(writes.watch(file))
        let (calls, continuation) = AsyncStream.makeStream(of: Bool.self)
        let thread = try PollThread(
            after: PollPace.Pause(deaf: .zero, longest: .seconds(3600)), or: writes
        ) {
            continuation.yield(writes.take() == .writes)
            return PollPace.Pause(deaf: .milliseconds(1), longest: .seconds(3600))
        }
        var iterator = calls.makeAsyncIterator()
        for _ in 0..<20 {
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
            try handle.write(contentsOf: Data([1]))
            try handle.close()
            let wasWritten = await iterator.next()
            #expect(wasWritten == true)
        }
        withExtendedLifetime(thread) {}
    }
}
