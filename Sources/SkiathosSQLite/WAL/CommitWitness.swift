import GRDBSQLite
import SkiathosStore

/// The least extent of a WAL: the salts in its header, its number of frames, and the checksum
/// of the last one, which covers all before.
///
/// Without frames it says only which main file a WAL belongs to.
struct WALClaim: Equatable, Sendable {
    var salts: SIMD2<UInt32>
    var frameCount: UInt32
    var checksum: SIMD2<UInt32>
    /// Whether all frames are checkpointed, so that the WAL may restart or be removed.
    ///
    /// A part of such a WAL still does harm: recovery would restore older pages.
    var isCheckpointed = false
    /// The header that the main file had when the WAL held nothing that it lacked; `nil` if it is not known.
    ///
    /// If all frames are checkpointed, it is the header that they have left.
    var base: MainHeader?
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
    private static let magic: [UInt8] = Array("SkiaWAL2".utf8)
    private static let size = 48
    /// The record of earlier versions, without the header of the main file.
    private static let earlierMagic: [UInt8] = Array("SkiaWAL1".utf8)
    private static let earlierSize = 40
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
            if claim == nil { try Self.begin(file) }
        } catch  where error.code & 0xFF == SQLITE_FULL {
            return nil
        }
    }

    /// Writes the first record.
    ///
    /// The space is allocated now, while a failure does no harm. It is synced: otherwise a loss of power
    /// could leave anything in the file, and it would be taken for that of another program.
    private static func begin(_ file: VFSFile) throws(VFSFile.Failure) {
        do {
            try file.write(encode(nil))
            try file.sync()
        } catch {
            file.remove()
            throw error
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

    /// Says which main file a WAL belongs to that has begun, unless anything was claimed of it.
    func begin(_ salts: WALSalts, _ base: MainHeader) throws(VFSFile.Failure) {
        guard claim == nil else { return }
        try make(WALClaim(salts: salts.words, frameCount: 0, checksum: .zero, base: base))
    }

    /// Claims that the main file has all of the WAL, and which header it has.
    func markCheckpointed(_ base: MainHeader?) throws(VFSFile.Failure) {
        guard var claim, !claim.isCheckpointed else { return }
        claim.isCheckpointed = true
        claim.base = base
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

    /// A record is 48 bytes in one sector: the magic, 32 bytes of the claim, and a checksum of all
    /// that.
    private static func encode(_ claim: WALClaim?) -> [UInt8] {
        var bytes = magic
        let words = [
            claim?.salts.x, claim?.salts.y, claim?.frameCount, claim?.checksum.x,
            claim?.checksum.y, claim?.isCheckpointed == true ? 1 : 0,
        ]
        for word in words {
            withUnsafeBytes(of: (word ?? 0).littleEndian) { bytes.append(contentsOf: $0) }
        }
        let base = claim?.base?.checksum ?? 0
        withUnsafeBytes(of: base.littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: Fingerprint.hash(bytes).littleEndian) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// The claim of a record; `nil` if it has none, or was torn.
    private static func decode(_ bytes: [UInt8]) -> WALClaim? {
        let isEarlier = bytes.starts(with: earlierMagic)
        guard isEarlier || bytes.starts(with: magic) else { return nil }
        let end = (isEarlier ? earlierSize : size) - MemoryLayout<UInt64>.size
        func number<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
            bytes.withUnsafeBytes {
                Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
            }
        }
        func word(_ index: Int) -> UInt32 { number(magic.count + index * 4, UInt32.self) }
        guard number(end, UInt64.self) == Fingerprint.hash(bytes[..<end]),
            word(0) | word(1) | word(2) > 0
        else { return nil }
        return WALClaim(
            salts: SIMD2(word(0), word(1)), frameCount: word(2),
            checksum: SIMD2(word(3), word(4)), isCheckpointed: word(5) == 1,
            base: isEarlier ? nil : MainHeader(checksum: number(magic.count + 24, UInt64.self)))
    }
}
