import Dispatch
import Locks
import SkiathosStore
import Synchronization

/// Checks that the files of an open store are those that were opened, and that the WAL is
/// complete.
///
/// A check takes a few microseconds, a tenth of a small write. So commits check only if the
/// last check is ``interval`` ago; syncs and checkpoints always do.
final class FileWatch: Sendable {
    /// The smallest interval between two checks by commits, in milliseconds.
    ///
    /// A check also runs this long after the last commit.
    private static let interval = 50

    private struct State: Sendable {
        var identities: FileIdentities
        /// The last frame at the last check; nil once the WAL may restart.
        var mark: Mark?
        /// How many frames were found to follow each other without a gap.
        var soundFrames: Int64 = 0
        /// How often the WAL could restart.
        var generation = 0
        /// When the last check was made.
        var time: Int
        /// Whether a check is scheduled.
        var isScheduled = false
    }

    /// The last frame of a WAL at some moment.
    struct Mark: Sendable {
        /// Its offset in the WAL.
        let offset: Int64
        /// Its header.
        let header: WALFile.Header
    }

    private let file: WALFile
    private let frameSize: Int64
    /// Never held for longer than one check.
    private let state: Lock<State>
    /// How many bytes of the WAL were in use after the last commit.
    private let walSize = Atomic<Int64>(0)

    /// Records the files of a store that was just opened.
    init(_ file: WALFile, _ path: StorePath, pageSize: Int) throws {
        self.file = file
        frameSize = Int64(pageSize + WALWalk.frameHeaderSize)
        state = Lock(
            State(identities: try FileIdentities(path), time: SystemCalls.coarseMilliseconds))
    }

    /// Records how long the WAL is after a commit.
    func walHasSize(_ bytes: Int64) { walSize.store(bytes, ordering: .releasing) }

    /// Records that the next commit may restart the WAL, and truncate its file.
    func walMayRestart() {
        state.withLock { state in
            state.mark = nil
            state.soundFrames = 0
            state.generation += 1
            walSize.store(0, ordering: .releasing)
        }
    }

    /// How many frames the WAL has up to one at an offset.
    func frameCount(upTo offset: Int64) -> UInt32 {
        UInt32(clamping: (offset - Int64(WALWalk.headerSize)) / frameSize + 1)
    }

    /// Called before each commit, which checks the files if that is due, since the last check was
    /// some time ago, and which has to schedule another check unless one is.
    func recordCommit() -> (isDue: Bool, mustSchedule: Bool) {
        let now = SystemCalls.coarseMilliseconds
        return state.withLock { state in
            defer { state.isScheduled = true }
            return (now - state.time >= Self.interval, !state.isScheduled)
        }
    }

    /// Has a closure called when the interval has passed, so that a check follows the last commit
    /// too; called where ``recordCommit()`` has asked for it.
    func schedule(_ check: @escaping @Sendable () -> Void) {
        DispatchQueue.global().asyncAfter(
            deadline: .now() + .milliseconds(Self.interval)
        ) { [weak self] in
            self?.state.withLock { $0.isScheduled = false }
            check()
        }
    }

    /// Checks the files.
    ///
    /// - Parameter isThorough: Whether to check every frame that was written since the last
    ///   thorough check. A WAL that was truncated may have grown again since, with a gap in
    ///   it.
    /// - Returns: The last frame; `nil` where the WAL may restart.
    /// - Throws: ``StoreError`` with code `interference`.
    func check(isThorough: Bool) throws -> Mark? {
        let (mark, size) = try state.withLock { state in
            let size = walSize.load(ordering: .acquiring)
            try state.identities.check(walSize: size)
            if let mark = state.mark, try file.header(at: mark.offset) != mark.header {
                throw state.identities.walWasCut
            }
            let offset = size - frameSize
            if offset > 0 {
                state.mark = Mark(offset: offset, header: try file.header(at: offset))
            }
            state.time = SystemCalls.coarseMilliseconds
            return (state.mark, size)
        }
        if isThorough { try requireFrames(upTo: size) }
        return mark
    }

    /// Throws unless each frame exists, which is recognised by the salts of the WAL.
    ///
    /// Runs without the lock, since a commit may wait for it. A WAL that restarts meanwhile
    /// has other frames.
    private func requireFrames(upTo size: Int64) throws {
        let count = (size - Int64(WALWalk.headerSize)) / frameSize
        let (start, generation) = state.withLock { ($0.soundFrames, $0.generation) }
        guard count > start else { return }
        // The salts of the WAL follow 16 bytes of its header, those of a frame 8 of its own.
        let salts = try file.header(at: 8)[1]
        for index in start..<count {
            let offset = Int64(WALWalk.headerSize) + index * frameSize
            guard try file.header(at: offset)[1] != salts else { continue }
            return try state.withLock { state in
                if state.generation == generation { throw state.identities.walWasCut }
            }
        }
        state.withLock { state in
            if state.generation == generation { state.soundFrames = max(state.soundFrames, count) }
        }
    }
}
