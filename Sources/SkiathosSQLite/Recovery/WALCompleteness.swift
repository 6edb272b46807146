import GRDBSQLite
import SkiathosStore

/// Whether the WAL of a store that was not closed holds what was acknowledged, as far as can be told.
struct WALCompleteness {
    /// What the last sync of the WAL has left; see ``CommitWitness``.
    private let synced: WALClaim?
    /// The index that a process has left which ended without closing the store, if the machine has
    /// not been started since.
    ///
    /// It knows every commit, also those that no sync has covered.
    private let index: WALIndexHeader?
    /// Whether there is an index of the WAL beside the store, which SQLite removes together with the
    /// WAL.
    private let hasIndexFile: Bool

    /// Finds what can be known before the first connection is opened.
    ///
    /// - Parameter isSameBoot: Whether the last writer ran since the machine was started, so that
    ///   what it has written is there though it was not synced.
    init(_ path: StorePath, isSameBoot: Bool) throws {
        let hasWitness = try SystemCalls.status(of: path.witnessFile) != nil
        // A witness that cannot be read is as good as none.
        synced = hasWitness ? try? CommitWitness.claim(at: path) : nil
        let bytes =
            isSameBoot
            ? SystemCalls.readUnlessOpen(path.indexFile, count: WALIndexHeader.size) : nil
        index = bytes?.withUnsafeBytes { WALIndexHeader($0) }
        hasIndexFile = (try SystemCalls.status(of: path.indexFile)?.size ?? 0) > 0
    }

    /// Whether anything can be told.
    var isKnown: Bool { synced != nil || lastCommit != nil }

    /// The last commit that the index knows.
    private var lastCommit: WALClaim? {
        guard let index, index.frameCount > 0 else { return nil }
        return WALClaim(
            salts: index.salts, frameCount: index.frameCount, checksum: index.checksum,
            isCheckpointed: index.checkpointedFrameCount == index.frameCount)
    }

    /// What a WAL has lost.
    struct Loss {
        /// What is left to do.
        enum Remedy {
            /// Going on with the commits that are there.
            case goOn
            /// Removing the WAL, since the main file has all of it.
            case removeWAL
            /// A backup: the main file has pages of commits that are missing, and those which are
            /// there would bring back older ones.
            case backup
        }

        /// What is missing, as a part of a sentence.
        var description: String
        var remedy: Remedy
    }

    /// What is missing; `nil` if nothing is known to be.
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
                claim.isCheckpointed ? .removeWAL : soundFrames < checkpointed ? .backup : .goOn
            return Loss(description: description, remedy: remedy)
        }
        guard let walk else {
            // Another program that closed the store has removed both, and lost nothing.
            if claim.isCheckpointed || !hasIndexFile { return nil }
            return loss("it is missing or empty, and had \(total) frames", soundFrames: 0)
        }
        guard let header = try walk.header() else {
            // Recovery passes over it.
            if claim.isCheckpointed { return nil }
            return loss("its header is damaged, and it had \(total) frames", soundFrames: 0)
        }
        // The WAL has started over, by this package or another program.
        guard header.salts == claim.salts else { return nil }
        let (count, checksum) = try walk.soundFrames(header, upTo: total)
        if count == total, checksum == claim.checksum { return nil }
        if count == 0, claim.isCheckpointed { return nil }
        return loss("it is sound up to frame \(count), and had \(total)", soundFrames: count)
    }
}
