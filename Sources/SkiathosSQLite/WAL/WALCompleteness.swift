import GRDBSQLite
import SkiathosStore

/// Whether the WAL of a store that was not closed has all acknowledged commits, and belongs to the main
/// file, as far as is known.
struct WALCompleteness {
    /// The claim of the last sync of the WAL; see ``CommitWitness``.
    private let synced: WALClaim?
    /// The WAL index of a process that ended without closing the store, if the machine was not
    /// restarted.
    ///
    /// It contains every commit, also those that no sync has covered.
    private let index: WALIndexHeader?
    /// The same, whenever the machine was restarted.
    private let anyIndex: WALIndexHeader?
    /// The header of the main file; `nil` if it has none, as in the middle of a checkpoint that was cut off.
    private let main: MainHeader?

    /// Reads the witness and the index before the first connection is opened.
    ///
    /// - Parameter isSameBoot: Whether the last writer ran since the machine was started, so that
    ///   what it has written is there though it was not synced.
    init(_ path: StorePath, isSameBoot: Bool) throws {
        let hasWitness = try path.sideFile(.witness).find() != .missing
        // A witness that cannot be read is as good as none.
        synced = hasWitness ? try? CommitWitness.claim(at: path) : nil
        let bytes = SystemCalls.readUnlessOpen(path.indexFile, count: WALIndexHeader.size)
        anyIndex = bytes?.withUnsafeBytes { WALIndexHeader($0) }
        index = isSameBoot ? anyIndex : nil
        main = try? MainHeader.read(at: path)
    }

    /// Whether there is any claim to check.
    var isKnown: Bool { synced != nil || lastCommit != nil }

    /// The last commit in the index.
    private var lastCommit: WALClaim? {
        guard let index, index.frameCount > 0 else { return nil }
        return WALClaim(
            salts: index.salts, frameCount: index.frameCount, checksum: index.checksum,
            isCheckpointed: index.checkpointedFrameCount == index.frameCount,
            base: synced?.salts == index.salts ? synced?.base : nil)
    }

    /// The header that the main file had when a WAL held nothing that it lacked; `nil` if it is not known.
    func base(of header: WALWalk.Header) -> MainHeader? {
        guard let synced else { return nil }
        if header.salts == synced.salts { return synced.base }
        // The frames that it claims are in the main file, and it has restarted once since.
        let isNext = WALSalts(header.salts).count == WALSalts(synced.salts).count &+ 1
        return synced.isCheckpointed && isNext ? synced.base : nil
    }

    /// Whether a WAL may belong to the main file: this has the header that it had before, or one that the
    /// WAL holds.
    ///
    /// Where nothing is known of either, it may.
    func belongsToMain(_ walk: WALWalk) throws -> Bool {
        guard let main, let header = try walk.header(), let base = base(of: header), main != base
        else { return true }
        var isHeld = false
        _ = try walk.soundFrames(header) { page, bytes in
            if page == MainHeader.page, MainHeader(bytes) == main { isHeld = true }
        }
        return isHeld
    }

    /// A loss of commits in a WAL.
    struct Loss {
        /// The way to deal with the loss.
        enum Remedy {
            /// Continuing with the remaining commits.
            case acceptLoss
            /// Removing the WAL, since the main file has all of it.
            case removeWAL
            /// A backup: the main file has pages of missing commits, and the remaining frames
            /// would restore older pages.
            case backup
        }

        /// The missing commits, as a part of a message.
        var description: String
        var remedy: Remedy
    }

    /// The loss; `nil` if no loss is known.
    ///
    /// - Parameter walk: Reads the WAL; `nil` if it is missing or has no content.
    func loss(_ walk: WALWalk?) throws -> Loss? {
        for claim in [lastCommit, synced].compactMap({ $0 }) {
            if let loss = try loss(of: claim, walk) { return loss }
        }
        return nil
    }

    private func loss(of claim: WALClaim, _ walk: WALWalk?) throws -> Loss? {
        let total = claim.frameCount
        guard total > 0 else { return nil }
        func loss(_ description: String, soundFrames: UInt32) -> Loss {
            let checkpointed = index?.checkpointedFrameCount ?? 0
            let remedy: Loss.Remedy =
                claim.isCheckpointed
                ? .removeWAL : soundFrames < checkpointed ? .backup : .acceptLoss
            return Loss(description: description, remedy: remedy)
        }
        guard let walk else {
            guard isMissing(claim) else { return nil }
            return loss("it is missing or empty, and had \(total) frames", soundFrames: 0)
        }
        guard let header = try walk.header() else {
            // Recovery ignores it.
            if claim.isCheckpointed { return nil }
            return loss("its header is damaged, and it had \(total) frames", soundFrames: 0)
        }
        guard header.salts == claim.salts else {
            // The WAL has restarted, by this package or another program, unless it is not the same one.
            guard isMissing(claim) else { return nil }
            return loss("it is another one, and had \(total) frames", soundFrames: 0)
        }
        let (count, checksum) = try walk.soundFrames(header, upTo: total)
        if count == total, checksum == claim.checksum { return nil }
        if count == 0, claim.isCheckpointed { return nil }
        return loss("it is sound up to frame \(count), and had \(total)", soundFrames: count)
    }

    /// Whether frames that are not in the WAL are missing from the main file, too.
    ///
    /// Other programs may have checkpointed the WAL, and then emptied or removed it. A WAL that anything of
    /// was copied to the main file has left another header there, since it holds one.
    private func isMissing(_ claim: WALClaim) -> Bool {
        if claim.isCheckpointed { return false }
        if let base = claim.base, let main, main == base { return true }
        // SQLite removes the index with the WAL, and says in it that the WAL is empty.
        guard let anyIndex, anyIndex.salts == claim.salts else { return false }
        return anyIndex.frameCount > anyIndex.checkpointedFrameCount
    }
}
