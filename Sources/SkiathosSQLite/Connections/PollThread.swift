import CSkiathosThreads
import SkiathosStore

/// A thread of its own that runs a closure at an interval until this is released.
///
/// A timer of the system's queues wakes two threads for each call, and takes several times as much of
/// a processor.
///
/// Not `Sendable`: used by its owner alone, under the lock of that.
final class PollThread {
    /// What the thread keeps until it ends.
    private final class Context: Sendable {
        let look: @Sendable () -> Void

        init(_ look: @escaping @Sendable () -> Void) { self.look = look }
    }

    private let ticker: OpaquePointer

    /// Starts the thread; the first call comes after the interval.
    ///
    /// - Parameter look: Kept until the thread has ended. A call that is under way when this is
    ///   released goes on.
    /// - Throws: ``StoreError`` if the system has no room for another thread.
    init(every interval: Duration, _ look: @escaping @Sendable () -> Void) throws {
        let context = Unmanaged.passRetained(Context(look))
        var ticker: OpaquePointer?
        let code = skiathos_start_ticker(
            "skiathos.watch", Self.nanoseconds(interval),
            { Unmanaged<Context>.fromOpaque($0).takeUnretainedValue().look() },
            { Unmanaged<Context>.fromOpaque($0).release() }, context.toOpaque(), &ticker)
        guard code == 0, let ticker else {
            context.release()
            throw StoreError(
                .backend,
                "No thread could be started that looks for the commits of other processes: \(SystemCalls.Failure(number: code)). End some threads, or raise their limit."
            )
        }
        self.ticker = ticker
    }

    deinit { skiathos_stop_ticker(ticker) }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
