import Locks
import SkiathosStore
import Synchronization

/// Looks for the commits of other processes at an interval, on a connection of its own.
///
/// SQLite tells no process of the commits of another, so looking is all that can be done. It takes a
/// few microseconds, most of them to find out that the file was not replaced.
final class CommitPoll: CommitWatch {
    private struct State {
        /// `nil` where the system has refused it, until the next ``check()``.
        var thread: PollThread?
        /// `nil` before the first look, and after one that has failed.
        var connection: VersionConnection?
        /// Whether commits may have been missed, since a look has failed.
        var hasMissed = false
        /// What the last look has failed with; `nil` after one that has not.
        var failure: StoreError.Code?
        /// Since when the file is locked; `nil` if it is not.
        var lockedSince: ContinuousClock.Instant?
        var isEnded = false
    }

    /// Held during each look, and while commits are reported: ``end()`` waits for that.
    private let state = Lock(State())
    private let path: StorePath
    private let file: ReadFile
    private let errors: ErrorTranslation
    private let interval: Duration
    private let report: @Sendable (CommitWatchEvent) -> Void

    /// Begins to look at an interval.
    init(
        _ path: StorePath, _ file: ReadFile, _ errors: ErrorTranslation, every interval: Duration,
        _ report: @escaping @Sendable (CommitWatchEvent) -> Void
    ) {
        self.path = path
        self.file = file
        self.errors = errors
        self.interval = interval
        self.report = report
        state.withLock { $0.thread = try? makeThread() }
    }

    func check() {
        let failure = state.withLock { state -> (any Error)? in
            guard !state.isEnded else { return nil }
            do {
                if try look(&state) { report(.committed) }
                return nil
            } catch {
                return failed(error, &state)
            }
        }
        // Without the lock: an error handler may close the store.
        if let failure { report(.failed(failure)) }
    }

    func end() {
        state.withLock { state in
            state.isEnded = true
            state.thread = nil
            state.connection = nil
        }
    }

    /// Looks once; returns whether commits have to be reported.
    private func look(_ state: inout State) throws -> Bool {
        if state.thread == nil { state.thread = try makeThread() }
        // The connection that is opened below could be that of another file.
        try file.check()
        let connection = try state.connection ?? VersionConnection(path, errors)
        state.connection = connection
        let finding = try connection.look(errors)
        guard finding != .lock else {
            try checkLock(&state)
            return false
        }
        defer {
            state.hasMissed = false
            state.failure = nil
            state.lockedSince = nil
        }
        return finding == .commits || state.hasMissed
    }

    /// Throws if the file has been locked for so long that reads fail, too.
    private func checkLock(_ state: inout State) throws {
        let since = state.lockedSince ?? .now
        state.lockedSince = since
        guard since.duration(to: .now) > .seconds(ConnectionSettings.busyTimeout) else { return }
        throw StoreError(
            .busy,
            "Another program has kept the store \(path.quotedFile) locked for \(Int(ConnectionSettings.busyTimeout)) seconds, so its commits are not seen. End that program, or wait for it."
        )
    }

    /// Records that a look has failed; returns the error if it is to be reported.
    private func failed(_ error: any Error, _ state: inout State) -> (any Error)? {
        state.connection = nil
        state.hasMissed = true
        let code = (error as? StoreError)?.code ?? .backend
        defer { state.failure = code }
        return state.failure == code ? nil : error
    }

    private func makeThread() throws -> PollThread {
        try PollThread(every: interval) { [weak self] in self?.check() }
    }
}
