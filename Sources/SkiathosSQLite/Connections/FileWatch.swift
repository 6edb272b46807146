import CSkiathosSQLite
import Dispatch
import SkiathosLocks
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
        /// The header that the main file had when the WAL held nothing that it lacked; `nil` if it is not
        /// known.
        var base: MainHeader?
        /// The salts of the WAL at the last check; nil once it may restart.
        var salts: WALSalts?
        /// The last frame at the last check; nil once the WAL may restart.
        var mark: Mark?
        /// Up to where the frames were found to follow each other without a gap.
        var soundSize = Int64(WALWalk.headerSize)
        /// Where commits since then have ended, apart from the last.
        var commitEnds: [Int64] = []
        /// How often the WAL could restart.
        var generation = 0
        /// When the last check was made.
        var time: Int
        /// Whether a check is scheduled.
        var isScheduled = false

        /// Forgets what was found in a WAL that has restarted, or may do so.
        ///
        /// The ends of commits stay: some may be of the new one.
        mutating func restart(_ salts: WALSalts? = nil) {
            self.salts = salts
            mark = nil
            soundSize = Int64(WALWalk.headerSize)
            generation += 1
        }

        /// Records where the last commit has ended.
        mutating func note(commitEnd size: Int64) {
            let last = commitEnds.last ?? 0
            if size > last {
                commitEnds.append(size)
            } else if size < last {
                // Of a WAL that has restarted.
                commitEnds = [size]
            }
        }
    }

    /// How much of a WAL is in use, in one word, and of which.
    private struct Extent {
        private static let sizeBits: UInt64 = 40
        private static let largestSize: UInt64 = 1 << sizeBits - 1
        private static let largestTag: UInt64 = 1 << (64 - sizeBits) - 1

        let word: UInt64

        /// No WAL that is in use.
        static let none = Extent(word: 0)

        init(word: UInt64) { self.word = word }

        init(_ size: Int64, _ salts: WALSalts) {
            word = Self.tag(salts) << Self.sizeBits | min(UInt64(max(0, size)), Self.largestSize)
        }

        var size: Int64 { Int64(word & Self.largestSize) }

        /// Whether these are the salts of the WAL, as far as 24 bits tell.
        func isOf(_ salts: WALSalts) -> Bool { Self.tag(salts) == word >> Self.sizeBits }

        /// Whether these are the salts that the WAL has after it has restarted, at most so many times.
        func isFollowed(by salts: WALSalts, restarts: UInt64 = 1) -> Bool {
            let count = (Self.tag(salts) &- word >> Self.sizeBits) & Self.largestTag
            return (1...restarts).contains(count)
        }

        private static func tag(_ salts: WALSalts) -> UInt64 {
            UInt64(salts.count) & largestTag
        }
    }

    /// The last frame of a WAL at some moment.
    struct Mark: Sendable {
        /// Its offset in the WAL.
        let offset: Int64
        /// Its header.
        let header: WALFile.Header

        /// The salts that it repeats.
        var salts: WALSalts { WALSalts(header[1]) }
    }

    private let file: WALFile
    private let index: WALIndex
    private let main: MainFile
    private let frameSize: Int64
    /// How many bytes of frames are written in one call at the most: those of a commit are all there if the
    /// last of them is.
    private let sizeOfOneWrite: Int64
    /// Never held for longer than one check.
    private let state: Lock<State>
    /// The ``Extent`` of the WAL after the last commit.
    private let extent = Atomic<UInt64>(Extent.none.word)

    /// Records the files of a store that was just opened.
    ///
    /// - Parameters:
    ///   - handle: The connection that writes, whose WAL is open.
    ///   - hasWAL: Whether there was a WAL before. If not, the main file has everything.
    ///   - base: What is known of the main file of that WAL; see ``base``.
    init(
        _ handle: OpaquePointer, _ file: WALFile, _ index: WALIndex, _ path: StorePath,
        pageSize: Int, hasWAL: Bool, base: MainHeader?
    ) throws {
        self.file = file
        self.index = index
        main = try MainFile(handle)
        frameSize = Int64(pageSize + WALWalk.frameHeaderSize)
        sizeOfOneWrite = Int64(skiathos_frames_of_one_write(Int32(pageSize))) * frameSize
        state = Lock(
            State(
                identities: try FileIdentities(path), base: hasWAL ? base : try main.header(),
                time: SystemCalls.coarseMilliseconds))
    }

    /// The header that the main file had when the WAL held nothing that it lacked; `nil` if it is not known.
    var base: MainHeader? { state.withLock { $0.base } }

    /// Another program has made a checkpoint, after which the WAL has restarted: which header it has left is
    /// not known.
    func forgetBase() { state.withLock { $0.base = nil } }

    /// Records that a checkpoint of this store was made, or has failed.
    ///
    /// - Parameter isWhole: Whether the main file has the whole WAL.
    func mainWasWritten(isWhole: Bool) {
        state.withLock { state in
            // If the file is gone, the next check says so.
            try? state.identities.mainWasWritten()
            if isWhole { state.base = try? main.header() }
        }
    }

    /// Records how long the WAL is after a commit, and its salts.
    func walHasSize(_ bytes: Int64, _ salts: WALSalts) {
        extent.store(Extent(bytes, salts).word, ordering: .releasing)
    }

    /// Records that the next commit may restart the WAL, and truncate its file.
    func walMayRestart() {
        state.withLock { state in
            state.restart()
            state.commitEnds.removeAll()
            extent.store(Extent.none.word, ordering: .releasing)
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
        let last = Extent(word: extent.load(ordering: .relaxed)).size
        return state.withLock { state in
            defer { state.isScheduled = true }
            if last > 0 { state.note(commitEnd: last) }
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
    /// - Parameter isThorough: Whether to check every commit that was written since the last
    ///   thorough check. A WAL that was truncated may have grown again since, with a gap in
    ///   it, which reaches up to the end of the commit before.
    /// - Returns: The last frame; `nil` where the WAL may restart.
    /// - Throws: ``StoreError`` with code `interference`.
    func check(isThorough: Bool) throws -> Mark? {
        let (mark, generation) = try state.withLock { state in
            let mark = try check(&state)
            state.time = SystemCalls.coarseMilliseconds
            return (mark, state.generation)
        }
        if isThorough, let mark { try requireFrames(upTo: mark, generation) }
        return mark
    }

    private func check(_ state: inout State) throws -> Mark? {
        let extent = try checkIdentities(&state)
        let offset = extent.size - frameSize
        guard offset > 0 else { return nil }
        let isThere = try state.mark.map { try file.header(at: $0.offset) == $0.header } ?? true
        let last = Mark(offset: offset, header: try file.header(at: offset))
        // Last: SQLite writes the header of a WAL that restarts before its frames.
        let salts = try salts
        guard extent.isOf(salts) else {
            guard extent.isFollowed(by: salts) else { throw state.identities.walWasCut }
            // Another program has made a checkpoint, after which SQLite restarts the WAL. The first
            // commit is under way, or has failed.
            state.restart()
            return nil
        }
        if state.salts != salts {
            state.restart(salts)
        } else if !isThere {
            throw state.identities.walWasCut
        }
        guard last.salts == salts else { throw state.identities.walWasCut }
        state.mark = last
        return last
    }

    /// Checks that the files are there and have their content; returns how much of the WAL is in use.
    private func checkIdentities(_ state: inout State) throws -> Extent {
        let extent = Extent(word: extent.load(ordering: .acquiring))
        let isMainWritten: Bool
        do {
            isMainWritten = try state.identities.check(walSize: extent.size)
        } catch let error as StoreError where error.code == .interference && wasEmptied(extent) {
            // Nothing is lost by that, and the next commit writes a new WAL.
            state.restart()
            state.base = nil
            _ = self.extent.compareExchange(
                expected: extent.word, desired: Extent.none.word, ordering: .acquiringAndReleasing)
            _ = try state.identities.check(walSize: 0)
            try state.identities.mainWasWritten()
            return .none
        }
        if isMainWritten { try checkMain(&state, extent) }
        return extent
    }

    /// Whether another program has emptied the WAL after a checkpoint of all of it, as `PRAGMA
    /// wal_checkpoint(TRUNCATE)` does.
    ///
    /// SQLite says so in the index first, which the connections share.
    private func wasEmptied(_ extent: Extent) -> Bool {
        guard extent.size > 0, let header = index.header, header.frameCount == 0 else {
            return false
        }
        return extent.isFollowed(by: index.salts, restarts: Self.mostRestarts)
    }

    /// How often another program may have emptied the WAL between two checks.
    private static let mostRestarts: UInt64 = 1024

    /// Checks a main file that this store has not written: a checkpoint of another program leaves a header
    /// that the WAL holds.
    private func checkMain(_ state: inout State, _ extent: Extent) throws {
        guard let base = state.base else { return try state.identities.mainWasWritten() }
        // It is read while the other program may be writing it.
        for _ in 0..<3 {
            // Before it is examined: a later write is examined, too.
            var identities = state.identities
            try identities.mainWasWritten()
            if let header = try main.header(),
                try header == base || holds(header, upTo: extent.size)
            {
                state.identities = identities
                return
            }
            // The WAL has restarted, and the header lay in the one before.
            guard try extent.size == 0 || extent.isOf(salts) else { return }
            SystemCalls.pause(milliseconds: 1)
        }
        throw state.identities.mainWasOverwritten
    }

    /// Whether a frame of the first page has a header.
    private func holds(_ header: MainHeader, upTo size: Int64) throws -> Bool {
        try withUnsafeTemporaryAllocation(
            byteCount: WALWalk.frameHeaderSize + MainHeader.size, alignment: 8
        ) { buffer in
            let bytes = UnsafeRawBufferPointer(buffer)
            for offset in stride(from: Int64(WALWalk.headerSize), to: size, by: Int(frameSize)) {
                guard try file.read(offset, buffer) == buffer.count else { return false }
                if WALWalk.page(ofFrameHeader: bytes) == MainHeader.page,
                    MainHeader(
                        UnsafeRawBufferPointer(rebasing: bytes[WALWalk.frameHeaderSize...]))
                        == header
                {
                    return true
                }
            }
            return false
        }
    }

    /// The salts in the header of the WAL, which follow 16 bytes; those of a frame follow 8 of its own.
    private var salts: WALSalts {
        get throws { WALSalts(try file.header(at: 8)[1]) }
    }

    /// Throws unless the frames up to one follow each other, those of earlier commits included.
    ///
    /// Runs without the lock, since a commit may wait for it. A WAL that restarts meanwhile
    /// has other frames.
    private func requireFrames(upTo last: Mark, _ generation: Int) throws {
        let size = last.offset + frameSize
        let (begin, ends) = state.withLock { state in
            state.generation == generation
                ? (state.soundSize, state.commitEnds.filter { $0 < size } + [size]) : (size, [])
        }
        var start = begin
        for end in ends where end > start {
            let isOneWrite = end - start <= sizeOfOneWrite
            var offset = isOneWrite ? end - frameSize : start
            while offset < end {
                if try !isFrame(at: offset, with: last.salts, generation) { return }
                offset += frameSize
            }
            start = end
        }
        state.withLock { state in
            guard state.generation == generation else { return }
            state.soundSize = max(state.soundSize, size)
            state.commitEnds.removeAll { $0 <= size }
        }
    }

    /// Whether there is a frame of a WAL at an offset; `false` if the WAL has restarted.
    private func isFrame(
        at offset: Int64, with salts: WALSalts, _ generation: Int
    ) throws -> Bool {
        if WALSalts(try file.header(at: offset)[1]) == salts { return true }
        // Only then, to save a call of the system.
        let hasRestarted = try self.salts != salts
        return try state.withLock { state in
            if state.generation == generation, !hasRestarted { throw state.identities.walWasCut }
            return false
        }
    }
}
