import GRDBSQLite
import SkiathosStore

/// Whether the WAL of a store that was not closed has all acknowledged commits, as far as is
/// known.
struct WALCompleteness {
    /// The claim of the last sync of the WAL; see ``CommitWitness``.
    private let synced: WALClaim?
    /// The WAL index of a process that ended without closing the store, if the machine was not
    /// restarted.
    ///
    /// It contains every commit, also those that no sync has covered.
    private let index: WALIndexHeader?
    /// Whether there is an index of the WAL beside the store, which SQLite removes together with the
    /// WAL.
    private let hasIndexFile: Bool

    /// Reads the witness and the index before the first connection is opened.
    ///
    /// - Parameter isSameBoot: Whether the last writer ran since the machine was started, so that
    ///   what it has written is there though it was not synced.
    init(_ path: StorePath, isSameBoot: Bool) throws {
        let hasWitness = try path.sideFile(.witness).find() != .missing
        // A witness that cannot be read is as good as none.
        synced = hasWitness ? try? CommitWitness.claim(at: path) : nil
        let bytes =
            isSameBoot
            ? SystemCalls.readUnlessOpen(path.indexFile, count: WALIndexHeader.size) : nil
        index = bytes?.withUnsafeBytes { WALIndexHeader($0) }
        hasIndexFile = (try SystemCalls.status(of: path.indexFile)?.size ?? 0) > 0
    }

    /// Whether there is any claim to check.
    var isKnown: Bool { synced != nil || lastCommit != nil }

    /// The last commit in the index.
    private var lastCommit: WALClaim? {
        guard let index, index.frameCount > 0 else { return nil }
        return WALClaim(
            salts: index.salts, frameCount: index.frameCount, checksum: index.checksum,
            isCheckpointed: index.checkpointedFrameCount == index.frameCount)
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
        func loss(_ description: String, soundFrames: UInt32) -> Loss {
            let checkpointed = index?.checkpointedFrameCount ?? 0
            let remedy: Loss.Remedy =
                claim.isCheckpointed
                ? .removeWAL : soundFrames < checkpointed ? .backup : .acceptLoss
            return Loss(description: description, remedy: remedy)
        }
        guard let walk else {
            // Another program that closed the store has removed both, and lost nothing.
            if claim.isCheckpointed || !hasIndexFile { return nil }
            return loss("it is missing or empty, and had \(total) frames", soundFrames: 0)
        }
        guard let header = try walk.header() else {
            // Recovery ignores it.
            if claim.isCheckpointed { return nil }
            return loss("its header is damaged, and it had \(total) frames", soundFrames: 0)
        }
        // The WAL has restarted, by this package or another program.
        guard header.salts == claim.salts else { return nil }
        let (count, checksum) = try walk.soundFrames(header, upTo: total)
        if count == total, checksum == claim.checksum { return nil }
        if count == 0, claim.isCheckpointed { return nil }
        return loss("it is sound up to frame \(count), and had \(total)", soundFrames: count)
    }
}
