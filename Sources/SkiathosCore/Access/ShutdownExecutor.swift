import Dispatch

/// Runs the tasks of a shutdown on threads that no closure can hold.
///
/// The pool of Swift's tasks has one thread for each core. Where long closures hold all of
/// them, a deadline would pass unnoticed.
package final class ShutdownExecutor: TaskExecutor {
    package static let shared = ShutdownExecutor()

    private init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // A separate serial queue always gets a thread, and a shutdown has few jobs.
        DispatchQueue(label: "skiathos.shutdown").async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
