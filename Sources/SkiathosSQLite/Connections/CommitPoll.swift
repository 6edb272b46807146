import Locks
import SkiathosStore
import Synchronization

/// Looks for the commits of other processes at an interval, on a connection of its own.
///
/// SQLite tells no process of the commits of another, so looking is all that can be done. While nothing is
/// committed, a look reads some words of shared memory, and once a second finds out that the file was not
/// replaced, which takes longer than all the rest.
final class CommitPoll: CommitWatch {
    /// How long a replaced file may stay unnoticed while nothing is committed.
    private static var fileInterval: Duration { .seconds(1) }

    private struct State {
        /// `nil` where the system has refused it, until the next ``check()``.
        var thread: PollThread?
        /// `nil` before the first look, and after one that has failed.
        var connection: VersionConnection?
        /// When the path led to the file; `nil` before that was found out.
        var fileChecked: ContinuousClock.Instant?
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

    func check() { check(fileWithin: .zero) }

    /// - Parameter time: How long ago the file may have been found, if nothing was committed since.
    private func check(fileWithin time: Duration) {
        let failure = state.withLock { state -> (any Error)? in
            guard !state.isEnded else { return nil }
            do {
                if try look(&state, fileWithin: time) { report(.committed) }
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
    private func look(_ state: inout State, fileWithin time: Duration) throws -> Bool {
        if state.thread == nil { state.thread = try makeThread() }
        try checkFile(&state, within: time)
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

    /// Throws if the file was replaced: the connection that is opened next could be that of another one.
    private func checkFile(_ state: inout State, within time: Duration) throws {
        let now = ContinuousClock.now
        if state.connection?.isUnchanged == true, let last = state.fileChecked,
            last.duration(to: now) < time
        {
            return
        }
        try file.check()
        state.fileChecked = now
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
        try PollThread(every: interval) { [weak self] in
            self?.check(fileWithin: Self.fileInterval)
        }
    }
}
