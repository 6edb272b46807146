#if Lifecycle
import Dispatch
import ReliabilityKit
import UnixSignals

/// Observes SIGTERM and SIGINT beside the code that handles them.
final class SignalObserver: Sendable {
    private let signals: UnixSignalsSequence
    private let arrival = DispatchSemaphore(value: 0)
    private let arrivals: AsyncStream<Void>

    /// From here on the signals do not end the process by themselves.
    init() async {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
        self.signals = signals
        self.arrivals = arrivals
        // Off the pool: closures of writes, and a checkpoint that is held, may block all its threads.
        Task(executorPreference: OwnThreads()) { [arrival] in
            for await _ in signals {
                ProtocolLine.reached(.signalled).say()
                arrival.signal()
                continuation.finish()
            }
        }
    }

    /// Blocks until the first signal has come.
    func wait() {
        arrival.wait()
        arrival.signal()
    }

    /// Waits until the first signal has come.
    func first() async { for await _ in arrivals {} }
}

/// Runs tasks on a queue, whose threads are none of the pool.
private final class OwnThreads: TaskExecutor {
    private let queue = DispatchQueue(label: "signals")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
#else
/// Stands for the observer where the package is built without signals.
final class SignalObserver: Sendable {
    init() async { fatalError("Build ReliabilityChild with the trait Lifecycle to see signals.") }
    func wait() {}
    func first() async {}
}
#endif
