import GRDBSQLite
import SkiathosStore

/// The least extent of a WAL: the salts in its header, its number of frames, and the checksum
/// of the last one, which covers all before.
struct WALClaim: Equatable, Sendable {
    var salts: SIMD2<UInt32>
    var frameCount: UInt32
    var checksum: SIMD2<UInt32>
    /// Whether all frames are checkpointed, so that the WAL may restart or be removed.
    ///
    /// A part of such a WAL still does harm: recovery would restore older pages.
    var isCheckpointed = false
}

/// A small file that records the end of the last synced WAL.
///
/// SQLite ends a WAL at the first frame whose checksum does not match. So a single flipped bit
/// silently hides every later commit. The witness detects this: it is written after each sync
/// of the WAL, and checked at the next opening.
///
/// The record is not synced itself: an older one claims less. Only before the WAL may start
/// over, which makes a claim untrue, the record that says so is synced. So the claim is true
/// in every state of the file after a loss of power.
///
/// Not `Sendable`: guarded by the lock of the ``WALSync`` that has it.
final class CommitWitness {
    private static let magic: [UInt8] = Array("SkiaWAL1".utf8)
    private static let size = 40
    /// The form of the file; a later version of the record differs in the last byte of the magic.
    static let form: SideFile.Form = {
        let longest = 4096
        return SideFile.Form(
            longest: Int64(longest), sample: longest, content: "the end of a WAL"
        ) { bytes in
            bytes.starts(with: magic.dropLast()) || SideFile.Form.isTorn(bytes, of: magic)
        }
    }()

    private let file: VFSFile
    /// The claim that the file makes about the WAL.
    private var claim: WALClaim?

    /// Opens the witness of a store, and creates it if there is none.
    ///
    /// - Returns: `nil` if the disk has no room for it. Commits are as safe without it, but a
    ///   damaged WAL is not recognised.
    init?(_ path: StorePath) throws(VFSFile.Failure) {
        do {
            file = try VFSFile(path.sideFile(.witness), creates: true)
            claim = Self.decode(try file.read(Self.size))
            // The space is allocated now, while a failure does no harm.
            if claim == nil { try file.write(Self.encode(nil)) }
        } catch  where error.code & 0xFF == SQLITE_FULL {
            return nil
        }
    }

    /// The claim of a store that is about to be opened; `nil` if there is none.
    static func claim(at path: StorePath) throws(VFSFile.Failure) -> WALClaim? {
        decode(try VFSFile(path.sideFile(.witness), creates: false).read(size))
    }

    /// Claims that the WAL durably has at least these frames.
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

    /// Clears the claim, and syncs that.
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
