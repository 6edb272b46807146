import GRDBSQLite
import SkiathosPlatformLibC
import SkiathosStore

/// Disk space that is reserved for deletions: a file of filler bytes beside the store.
///
/// In WAL mode a deletion needs space before it frees any: its pages are appended to the WAL,
/// and those of earlier commits may still have to be added to the main file. So on a full disk
/// it would fail like any other write. The file is removed before the deletion, and written
/// again after a checkpoint, which frees at least the space that the main file took.
///
/// Not `Sendable`: used on the queue of the writer's connection alone, which guards every field.
final class DiskReserve {
    /// The largest size of the file.
    private static let largest = 1 << 20
    /// A smaller file would not take the pages of one deletion and its checkpoint.
    private static let least = 1 << 16
    /// The file takes at most this part of what is free.
    private static let part = 16
    /// How many times its size must be free for the WAL to reach the configured length.
    private static let plenty = 64
    private static let magic: [UInt8] = Array("SkiaRSV1".utf8)
    /// The repeated filler: bytes that a compressing file system cannot shrink.
    private static let block: [UInt8] = {
        var bytes = magic
        bytes.reserveCapacity(least)
        // The generator of Knuth's MMIX.
        var number: UInt64 = 1
        while bytes.count < least {
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }()

    /// The form of the file: the filler, of which a loss of power may leave any blocks as NULs.
    static let form = SideFile.Form(
        longest: Int64(2 * largest), sample: 2 * largest, content: "the filler of a reserve"
    ) { bytes in
        stride(from: 0, to: bytes.count, by: diskBlock).allSatisfy { start in
            isFiller(bytes, start..<min(bytes.count, start + diskBlock))
        }
    }
    /// No disk writes less at once.
    private static let diskBlock = 512
    private static let zeros = [UInt8](repeating: 0, count: diskBlock)

    /// The store that it belongs to.
    let path: StorePath
    /// The file; `nil` while it is released, or if the disk has no room for it.
    private var file: VFSFile?
    /// How many bytes the file is to have.
    private(set) var size = DiskReserve.least
    /// How many bytes it has.
    private(set) var heldSize = 0

    /// Makes the reserve of a store that is open for writing.
    ///
    /// It is not a failure if the disk has no room for it or the file cannot be made;
    /// deletions may then fail while the disk is full.
    init(_ path: StorePath) {
        self.path = path
        guard let wanted = wantedSize else { return }
        size = wanted
        grow(to: size)
        // A disk that is this full needs its last space itself.
        if heldSize < size { release() }
    }

    deinit { release() }

    /// Removes the reserve of a process that ended without closing the store.
    ///
    /// Its space is needed to open a store on a full disk.
    ///
    /// A file of another program stays; the store then has no reserve.
    static func removeRemains(at path: StorePath) {
        let side = path.sideFile(.reserve)
        guard case .ours? = try? side.find() else { return }
        try? VFSFile(side, creates: false).remove()
    }

    /// Whether a block of the file was written by this package, in whole, in part or not at all.
    private static func isFiller(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        let start = range.lowerBound % block.count
        let equals = { (other: [UInt8], start: Int) in
            bytes.withUnsafeBytes { bytes in
                other.withUnsafeBytes { other in
                    guard let one = bytes.baseAddress, let two = other.baseAddress else {
                        return true
                    }
                    return memcmp(one + range.lowerBound, two + start, range.count) == 0
                }
            }
        }
        return equals(block, start) || equals(zeros, 0)
            || SideFile.Form.isTorn(bytes[range], of: Array(block[start..<start + range.count]))
    }

    /// How many bytes the file may have, by the free space; `nil` if that is too little.
    private var wantedSize: Int? {
        guard let freeSpace else { return Self.largest }
        let size = min(Self.largest, freeSpace / Self.part / 4096 * 4096)
        return size < Self.least ? nil : size
    }

    /// Whether there is a file.
    var isHeld: Bool { file != nil }

    /// How many bytes of the disk are free for this process; `nil` where the system does not say.
    var freeSpace: Int? { SystemCalls.freeSpace(at: path.directory) }

    /// Whether less is free than a large deletion may take.
    var isSpaceLow: Bool { freeSpace.map { $0 < 2 * size } ?? false }

    /// Whether a WAL of the usual length could fill the disk, or the reserve.
    var needsShortWAL: Bool { freeSpace.map { $0 < Self.plenty * size } ?? false }

    /// How many bytes the main file lacks for a number of pages.
    func growth(toPages count: Int, of pageSize: Int) -> Int {
        let status = try? SystemCalls.status(of: path.file)
        return max(0, count * pageSize - Int(status?.size ?? 0))
    }

    /// Frees the space; has no effect if it is already free.
    func release() {
        // Also where another program has the file open, or its name cannot be removed.
        try? file?.truncate(to: 0)
        file?.remove()
        file = nil
        heldSize = 0
    }

    /// Reserves the space again, as far as the disk has it.
    ///
    /// The system's number of free bytes is not sufficient, since it ignores user quotas.
    ///
    /// - Returns: Whether as much is still free, so that the disk is not full any more; also
    ///   true if the file cannot be made for another reason.
    func establish() -> Bool {
        size = max(size, wantedSize ?? 0)
        guard grow(to: 2 * size) else { return true }
        let isPlenty = heldSize >= 2 * size
        do {
            heldSize = min(heldSize, size)
            try file?.truncate(to: heldSize)
        } catch {
            release()
        }
        if heldSize < Self.least { release() }
        return isPlenty
    }

    /// Writes the file up to its end, or until the disk is full.
    ///
    /// - Returns: `false` if it cannot be made.
    @discardableResult
    private func grow(to end: Int) -> Bool {
        do throws(VFSFile.Failure) {
            if file == nil {
                file = try VFSFile(path.sideFile(.reserve), creates: true, isNew: true)
            }
            while heldSize < end {
                let count = min(Self.block.count, end - heldSize)
                let isWhole = count == Self.block.count
                try file?.write(isWhole ? Self.block : Array(Self.block[..<count]), at: heldSize)
                heldSize += count
            }
        } catch {
            guard error.code & 0xFF == SQLITE_FULL else {
                release()
                return false
            }
        }
        return true
    }
}
