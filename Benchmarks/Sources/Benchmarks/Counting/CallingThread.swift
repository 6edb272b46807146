import SkiathosPlatformLibC
import Synchronization

/// Runs a task on the thread that calls, where its instructions are counted.
final class CallingThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs a closure in a task on this thread, until its end.
    static func run(_ body: @escaping @Sendable () async throws -> Void) throws {
        let thread = CallingThread()
        try withExtendedLifetime(thread) {
            let ending = Ending<Void>()
            Task(executorPreference: thread) { await ending.run(body) }
            while true {
                if let result = ending.result { return try result.get() }
                guard let job = thread.jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                    sched_yield()
                    continue
                }
                job.runSynchronously(on: thread.asUnownedTaskExecutor())
            }
        }
    }
}
