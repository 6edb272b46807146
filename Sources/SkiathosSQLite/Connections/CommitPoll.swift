import SkiathosLocks
import SkiathosStore
import Synchronization

/// Looks for the commits of other processes, on a connection of its own.
///
/// SQLite tells no process of the commits of another. Linux tells that the WAL was written; where no
/// system does, this looks at an interval. While nothing is committed, a look reads some words of shared
/// memory, and once a second finds out that the file was not replaced, which takes longer than all the
/// rest.
final class CommitPoll: CommitWatch {
    /// How long a replaced file may stay unnoticed while nothing is committed.
    private static var fileInterval: Duration { .seconds(1) }

    private struct State {
        /// `nil` where the system has refused it, until the next ``check()``.
        var thread: PollThread?
        /// `nil` where the system tells of no writes, and after it has not told of one.
        var writes: WriteWatch?
        /// Whether it tells of each write to the WAL.
        var isWALWatched = false
        /// When the thread looks.
        var pace: PollPace
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
    private let state: Lock<State>
    private let path: StorePath
    private let file: ReadFile
    private let errors: ErrorTranslation
    private let report: @Sendable (CommitWatchEvent) -> Void

    /// Begins to look.
    ///
    /// - Parameters:
    ///   - interval: The time between two looks, if commits are found or the system tells of no writes.
    ///   - writes: What tells of writes to the WAL.
    init(
        _ path: StorePath, _ file: ReadFile, _ errors: ErrorTranslation, every interval: Duration,
        or writes: WriteWatch?, _ report: @escaping @Sendable (CommitWatchEvent) -> Void
    ) {
        self.path = path
        self.file = file
        self.errors = errors
        self.report = report
        state = Lock(State(writes: writes, pace: PollPace(every: interval)))
        state.withLock { $0.thread = try? makeThread($0) }
    }

    /// Whether writes to the WAL lead to looks.
    var isWALWatched: Bool { state.withLock { $0.isWALWatched } }

    /// Whether nothing else does, but for one a second.
    var isListening: Bool { state.withLock { $0.isWALWatched && $0.pace.isQuiet } }

    func check() {
        let failure = state.withLock { state in
            state.isEnded ? nil : look(&state, fileWithin: .zero).failure
        }
        // Without the lock: an error handler may close the store.
        if let failure { report(.failed(failure)) }
    }

    func end() {
        state.withLock { state in
            state.isEnded = true
            state.thread = nil
            state.writes = nil
            state.connection = nil
        }
    }

    /// A look of the thread; returns how long it waits for the next one.
    private func tick() -> PollPace.Pause {
        let (pause, failure) = state.withLock { state -> (PollPace.Pause, (any Error)?) in
            guard !state.isEnded else { return (state.pace.first, nil) }
            // Before the look: a later write may belong to a commit that the look does not see.
            let told = state.writes?.take() ?? .nothing
            let time = told == .otherFile ? .zero : Self.fileInterval
            let (outcome, failure) = look(&state, fileWithin: time)
            if outcome == .commits, state.isWALWatched, state.pace.isQuiet, told == .nothing,
                state.writes?.take() == .nothing
            {
                // The next commits, too, would be seen only by chance.
                state.writes = nil
                state.isWALWatched = false
            }
            let pause = state.pace.pause(
                after: outcome, wasWritten: told != .nothing, isWatched: state.isWALWatched,
                at: .now)
            return (pause, failure)
        }
        if let failure { report(.failed(failure)) }
        return pause
    }

    /// Looks once, and reports commits; returns what has failed, if that is to be reported.
    ///
    /// - Parameter time: How long ago the file may have been found, if nothing was committed since.
    private func look(
        _ state: inout State, fileWithin time: Duration
    ) -> (outcome: PollPace.Outcome, failure: (any Error)?) {
        do {
            let outcome = try find(&state, fileWithin: time)
            if outcome == .commits { report(.committed) }
            return (outcome, nil)
        } catch {
            return (.lockOrFailure, failed(error, &state))
        }
    }

    private func find(_ state: inout State, fileWithin time: Duration) throws -> PollPace.Outcome {
        if state.thread == nil { state.thread = try makeThread(state) }
        try checkFile(&state, within: time)
        let connection = try state.connection ?? VersionConnection(path, errors)
        state.connection = connection
        let finding = try connection.look(errors)
        guard finding != .lock else {
            try checkLock(&state)
            return .lockOrFailure
        }
        defer {
            state.hasMissed = false
            state.failure = nil
            state.lockedSince = nil
        }
        return finding == .commits || state.hasMissed ? .commits : .nothing
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
        // Also where the WAL was removed and made again.
        state.isWALWatched = state.writes?.watch(path.walFile) ?? false
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

    private func makeThread(_ state: State) throws -> PollThread {
        let pace = state.pace
        return try PollThread(after: pace.first, or: state.writes) { [weak self] in
            self?.tick() ?? pace.first
        }
    }
}
