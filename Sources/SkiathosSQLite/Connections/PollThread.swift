import CSkiathosThreads
import SkiathosStore

/// A thread of its own that runs a closure again and again until this is released.
///
/// A timer of the system's queues wakes two threads for each call, and takes several times as much of
/// a processor.
///
/// Not `Sendable`: used by its owner alone, under the lock of that.
final class PollThread {
    /// What the thread keeps until it ends.
    private final class Context: Sendable {
        let writes: WriteWatch?
        let look: @Sendable () -> PollPace.Pause

        init(_ writes: WriteWatch?, _ look: @escaping @Sendable () -> PollPace.Pause) {
            self.writes = writes
            self.look = look
        }
    }

    private let ticker: OpaquePointer

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - pause: How long it waits before the first call.
    ///   - writes: What ends its waits before their time.
    ///   - look: Returns how long it waits before the next call. Kept until the thread has ended. A call
    ///     that is under way when this is released goes on.
    /// - Throws: ``StoreError`` if the system has no room for another thread.
    init(
        after pause: PollPace.Pause, or writes: WriteWatch?,
        _ look: @escaping @Sendable () -> PollPace.Pause
    ) throws {
        let context = Unmanaged.passRetained(Context(writes, look))
        var ticker: OpaquePointer?
        let code = skiathos_start_ticker(
            "skiathos.watch", skiathos_pause(pause), writes?.descriptor ?? -1,
            { skiathos_pause(Unmanaged<Context>.fromOpaque($0).takeUnretainedValue().look()) },
            { Unmanaged<Context>.fromOpaque($0).release() }, context.toOpaque(), &ticker)
        guard code == 0, let ticker else {
            context.release()
            throw StoreError(
                .backend,
                "No thread could be started that looks for the commits of other processes: \(SystemCalls.Failure(number: code)). End some threads or close some files, or raise their limits."
            )
        }
        self.ticker = ticker
    }

    deinit { skiathos_stop_ticker(ticker) }
}

extension skiathos_pause {
    fileprivate init(_ pause: PollPace.Pause) {
        self.init(deaf: Self.nanoseconds(pause.deaf), longest: Self.nanoseconds(pause.longest))
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
