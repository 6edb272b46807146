import GRDBSQLite
import SkiathosStore

/// How far a WAL goes at least: the salts in its header, how many frames it has, and the checksum of
/// the last of them, which covers all before.
struct WALClaim: Equatable, Sendable {
    var salts: SIMD2<UInt32>
    var frameCount: UInt32
    var checksum: SIMD2<UInt32>
    /// Whether the main file has all of them, so that the WAL may start over or go.
    ///
    /// A part of it does harm even so: recovery would bring back older pages.
    var isCheckpointed = false
}

/// A small file that says how far the WAL goes which was synced last.
///
/// SQLite takes a WAL for ended at the first frame whose checksum does not fit. So a single flipped
/// bit hides every commit behind it, and nothing tells. The witness tells: it is written each time
/// that the WAL was synced, and found at the next opening.
///
/// The record is not synced itself: an older one claims less. Only where the WAL may start over,
/// which makes a claim untrue, is the record synced first that says so. So whatever a loss of power
/// leaves of this file, the claim is true.
///
/// Not `Sendable`: guarded by the lock of the ``LogBarrier`` that has it.
final class CommitWitness {
    private static let magic: [UInt8] = Array("SkiaWAL1".utf8)
    private static let size = 40

    private let file: VFSFile
    /// What the file claims.
    private var claim: WALClaim?

    /// Opens the witness of a store, which is created if there is none.
    ///
    /// - Returns: `nil` if the disk has no room for it. What is committed is as safe without it; a
    ///   damaged WAL is not recognised.
    init?(_ path: StorePath) throws(VFSFile.Failure) {
        do {
            file = try VFSFile(path.witnessFile, creates: true)
            claim = Self.decode(try file.read(Self.size))
            // The room is taken now, while a failure does no harm.
            if claim == nil { try file.write(Self.encode(nil)) }
        } catch  where error.code & 0xFF == SQLITE_FULL {
            return nil
        }
    }

    /// The claim of a store that is about to be opened; `nil` if there is none.
    static func claim(at path: StorePath) throws(VFSFile.Failure) -> WALClaim? {
        decode(try VFSFile(path.witnessFile, creates: false).read(size))
    }

    /// Claims that the WAL goes as far as this, and survives the loss of power.
    ///
    /// A claim that is checkpointed is synced.
    func make(_ claim: WALClaim) throws(VFSFile.Failure) {
        guard claim != self.claim else { return }
        try file.write(Self.encode(claim))
        if claim.isCheckpointed { try file.sync() }
        self.claim = claim
    }

    /// Claims that the main file has all of the WAL.
    func markCheckpointed() throws(VFSFile.Failure) {
        guard var claim, !claim.isCheckpointed else { return }
        claim.isCheckpointed = true
        try make(claim)
    }

    /// Claims nothing any more, and syncs that.
    func forget() throws(VFSFile.Failure) {
        guard claim != nil else { return }
        try file.write(Self.encode(nil))
        try file.sync()
        claim = nil
    }

    /// Removes the file of a store that was closed, whose WAL is gone.
    func remove() { file.remove() }

    /// A record is 40 bytes in one sector: the magic, 24 bytes of the claim, and a checksum of all
    /// that (FNV-1a, Fowler, Noll and Vo).
    private static func encode(_ claim: WALClaim?) -> [UInt8] {
        var bytes = magic
        let words = [
            claim?.salts.x, claim?.salts.y, claim?.frameCount, claim?.checksum.x,
            claim?.checksum.y, claim?.isCheckpointed == true ? 1 : 0,
        ]
        for word in words {
            withUnsafeBytes(of: (word ?? 0).littleEndian) { bytes.append(contentsOf: $0) }
        }
        withUnsafeBytes(of: checksum(bytes[...]).littleEndian) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// The claim of a record; `nil` if it has none, or was torn.
    private static func decode(_ bytes: [UInt8]) -> WALClaim? {
        guard bytes.starts(with: magic) else { return nil }
        func word(_ index: Int) -> UInt32 {
            bytes.withUnsafeBytes {
                UInt32(
                    littleEndian: $0.loadUnaligned(fromByteOffset: 8 + index * 4, as: UInt32.self))
            }
        }
        let sum = UInt64(word(6)) | UInt64(word(7)) << 32
        guard sum == checksum(bytes[..<(size - 8)]), word(2) > 0 else { return nil }
        return WALClaim(
            salts: SIMD2(word(0), word(1)), frameCount: word(2),
            checksum: SIMD2(word(3), word(4)), isCheckpointed: word(5) == 1)
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
