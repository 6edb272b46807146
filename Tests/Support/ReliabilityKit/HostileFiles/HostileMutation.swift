import Foundation
import TestTools

/// Damages files as decay, careless programs or people who mean harm would.
struct HostileMutation {
    private static let words = [
        "TRIGGER", "UNIQUE", "INSERT", "DELETE", "UPDATE", "VALUES", "TEXT", "BLOB", "REAL",
        "INDEX",
        "TABLE", "STRICT", "ROWID", "fts5", "shelf", "title", "AFTER", "BEGIN", "NULL", "PRIMARY",
        "WITHOUT", "CASCADE", "content", "skiathos",
    ]

    private var random: SeededNumbers
    private(set) var files: HostileFiles
    /// The other stores, of which parts are taken.
    private let others: [HostileFiles]

    init(_ files: HostileFiles, _ others: [HostileFiles], _ random: SeededNumbers) {
        self.files = files
        self.others = others
        self.random = random
    }

    /// Makes a few mutations.
    mutating func mutate() {
        for _ in 0...random.below(3) {
            let suffixes = files.contents.keys.sorted()
            let suffix = suffixes[random.below(suffixes.count)]
            guard var bytes = files.contents[suffix], !bytes.isEmpty else { continue }
            mutate(&bytes, isWAL: suffix == "-wal")
            files.contents[suffix] = bytes
        }
        // Otherwise SQLite ignores a WAL that was changed.
        if random.happens(70), let wal = files.contents["-wal"] {
            files.contents["-wal"] = WALChecksums.mended(wal)
        }
    }

    private mutating func mutate(_ bytes: inout Data, isWAL: Bool) {
        switch random.below(isWAL ? 10 : 9) {
        case 0:
            for _ in 0...random.below(8) {
                bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
            }
        case 1: bytes = bytes.prefix(random.below(bytes.count))
        case 2: copyPage(&bytes, isSwap: random.happens(50), isWAL: isWAL)
        case 3:
            let start = page(of: bytes, isWAL: isWAL)
            let end = min(bytes.count, start + files.pageSize)
            bytes.replaceSubrange(start..<end, with: Data(count: end - start))
        case 4: spliceHeader(&bytes, isWAL: isWAL)
        case 5: editSchema(&bytes)
        case 6: setNumber(&bytes, below: isWAL ? 56 : 108)
        case 7: setNumber(&bytes, below: bytes.count)
        case 8:
            // A page's own header: its kind, the number of its cells and where they are.
            let start = page(of: bytes, isWAL: isWAL)
            for _ in 0...random.below(4) where start + 16 < bytes.count {
                bytes[start + random.below(16)] = UInt8(random.below(256))
            }
        default:
            let frame = files.pageSize + WALChecksums.frameHeader
            for _ in 0...random.below(2) {
                var fresh = Data((0..<frame).map { _ in UInt8(random.below(256)) })
                // A page that is there, which ends a commit.
                fresh.replaceSubrange(
                    0..<8, with: [0, 0, 0, UInt8(1 + random.below(12)), 0, 0, 0, 40])
                if bytes.count > 24 { fresh.replaceSubrange(8..<16, with: bytes[16..<24]) }
                bytes.append(fresh)
            }
        }
        // So that indices begin at 0 again.
        bytes = Data(bytes)
    }

    /// Where a page begins.
    private mutating func page(of bytes: Data, isWAL: Bool) -> Int {
        let size = files.pageSize
        guard isWAL else { return size * random.below(max(1, bytes.count / size)) }
        let frame = size + WALChecksums.frameHeader
        let number = random.below(max(1, (bytes.count - WALChecksums.header) / frame))
        return min(
            bytes.count - 1, WALChecksums.header + number * frame + WALChecksums.frameHeader)
    }

    private mutating func copyPage(_ bytes: inout Data, isSwap: Bool, isWAL: Bool) {
        let (one, two) = (page(of: bytes, isWAL: isWAL), page(of: bytes, isWAL: isWAL))
        let size = files.pageSize
        guard one + size <= bytes.count, two + size <= bytes.count else { return }
        let first = Data(bytes[one..<(one + size)])
        let second = Data(bytes[two..<(two + size)])
        bytes.replaceSubrange(two..<(two + size), with: first)
        if isSwap { bytes.replaceSubrange(one..<(one + size), with: second) }
    }

    private mutating func spliceHeader(_ bytes: inout Data, isWAL: Bool) {
        let other = others[random.below(others.count)].contents[isWAL ? "-wal" : ""] ?? Data()
        let count = min(bytes.count, other.count, [32, 100, 4096][random.below(3)])
        bytes.replaceSubrange(0..<count, with: other.prefix(count))
    }

    /// Puts one word of SQL in the place of another.
    private mutating func editSchema(_ bytes: inout Data) {
        let old = Data(Self.words[random.below(Self.words.count)].utf8)
        let new = Self.words.filter { $0.utf8.count == old.count }
        guard let place = bytes.range(of: old) else { return }
        bytes.replaceSubrange(place, with: Data(new[random.below(new.count)].utf8))
    }

    /// Puts a number that programs are careless about anywhere.
    private mutating func setNumber(_ bytes: inout Data, below limit: Int) {
        let count = [1, 2, 4][random.below(3)]
        let value: UInt64 = [0, 1, 0x7F, 0xFF, 0x7FFF_FFFF, 0xFFFF_FFFF][random.below(6)]
        let start = random.below(max(1, min(limit, bytes.count) - count))
        for byte in 0..<count where start + byte < bytes.count {
            bytes[start + byte] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - byte)))
        }
    }
}

/// The checksums of a WAL (sqlite.org/fileformat2.html, 4.2).
enum WALChecksums {
    static let header = 32
    static let frameHeader = 24

    /// The WAL with the checksums that its content asks for, and its salts in every frame.
    static func mended(_ wal: Data) -> Data {
        guard wal.count >= header else { return wal }
        var wal = wal
        let isBig = wal[3] & 1 == 1
        var sum: (UInt32, UInt32) = (0, 0)
        add(wal[0..<24], to: &sum, isBig: isBig)
        put(sum, at: 24, in: &wal)
        let pageSize = Int(number(at: 8, in: wal))
        guard (512...65536).contains(pageSize) else { return wal }
        let salts = Data(wal[16..<24])
        var start = header
        while start + frameHeader + pageSize <= wal.count {
            wal.replaceSubrange((start + 8)..<(start + 16), with: salts)
            add(wal[start..<(start + 8)], to: &sum, isBig: isBig)
            let page = start + frameHeader
            add(wal[page..<(page + pageSize)], to: &sum, isBig: isBig)
            put(sum, at: start + 16, in: &wal)
            start = page + pageSize
        }
        return wal
    }

    private static func number(at offset: Int, in data: Data) -> UInt32 {
        data[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func put(_ sum: (UInt32, UInt32), at offset: Int, in wal: inout Data) {
        withUnsafeBytes(of: (sum.0.bigEndian, sum.1.bigEndian)) {
            wal.replaceSubrange(offset..<(offset + 8), with: $0)
        }
    }

    private static func add(_ bytes: Data, to sum: inout (UInt32, UInt32), isBig: Bool) {
        bytes.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
                let pair = (
                    bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self),
                    bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                )
                sum.0 &+= (isBig ? pair.0.bigEndian : pair.0.littleEndian) &+ sum.1
                sum.1 &+= (isBig ? pair.1.bigEndian : pair.1.littleEndian) &+ sum.0
            }
        }
    }
}
