import PlatformLibC
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
            let end = Ending()
            Task(executorPreference: thread) {
                let ending: Result<Void, any Error>
                do { ending = .success(try await body()) } catch { ending = .failure(error) }
                end.result.withLock { $0 = ending }
            }
            while true {
                if let ending = end.result.withLock({ $0 }) { return try ending.get() }
                guard let job = thread.jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                    sched_yield()
                    continue
                }
                job.runSynchronously(on: thread.asUnownedTaskExecutor())
            }
        }
    }

    private final class Ending: Sendable {
        let result = Mutex<Result<Void, any Error>?>(nil)
    }
}
