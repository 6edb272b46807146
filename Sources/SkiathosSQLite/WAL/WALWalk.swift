import GRDBSQLite

/// Reads a WAL as SQLite's recovery does, and finds the end of its sound frames
/// (sqlite.org/fileformat2.html, 4.1 and 4.2).
struct WALWalk {
    /// The header of a WAL that recovery would accept.
    struct Header: Equatable {
        var pageSize: Int
        var salts: SIMD2<UInt32>
        fileprivate var isBigEndian: Bool
        fileprivate var checksum: SIMD2<UInt32>
    }

    static let headerSize = 32
    static let frameHeaderSize = 24
    private static let version: UInt32 = 3_007_000

    /// Reads bytes at an offset; fewer at the end of the file.
    private let read: (_ offset: Int64, _ into: UnsafeMutableRawBufferPointer) throws -> Int

    init(
        _ read: @escaping (_ offset: Int64, _ into: UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        self.read = read
    }

    /// Reads the file of a WAL; bytes that cannot be read are missing.
    init(reading file: VFSFile) {
        self.init { offset, buffer in (try? file.read(offset, buffer)) ?? 0 }
    }

    /// The header; `nil` if there is none that recovery would accept.
    func header() throws -> Header? {
        try withUnsafeTemporaryAllocation(byteCount: Self.headerSize, alignment: 8) { buffer in
            guard try read(0, buffer) == Self.headerSize else { return nil }
            let bytes = UnsafeRawBufferPointer(buffer)
            let magic = Self.number(bytes, 0)
            guard magic & ~1 == 0x377F_0682, Self.number(bytes, 4) == Self.version else {
                return nil
            }
            let pageSize = Int(Self.number(bytes, 8))
            guard (512...65_536).contains(pageSize), pageSize.nonzeroBitCount == 1 else {
                return nil
            }
            let isBigEndian = magic & 1 == 1
            let sum = Self.sum(.zero, bytes[..<24], isBigEndian)
            guard sum == SIMD2(Self.number(bytes, 24), Self.number(bytes, 28)) else { return nil }
            return Header(
                pageSize: pageSize, salts: Self.rawSalts(bytes, 16), isBigEndian: isBigEndian,
                checksum: sum)
        }
    }

    /// How many frames are sound from the beginning, up to a limit, and the checksum of the last.
    ///
    /// - Parameter visit: Called with the number of the page of each, and its bytes.
    func soundFrames(
        _ header: Header, upTo limit: UInt32 = .max,
        visit: (_ page: UInt32, _ bytes: UnsafeRawBufferPointer) -> Void = { _, _ in }
    ) throws -> (count: UInt32, checksum: SIMD2<UInt32>) {
        let size = Self.frameHeaderSize + header.pageSize
        return try withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
            let bytes = UnsafeRawBufferPointer(buffer)
            var sum = header.checksum
            var count: UInt32 = 0
            while count < limit {
                let offset = Int64(Self.headerSize) + Int64(count) * Int64(size)
                guard try read(offset, buffer) == size,
                    Self.rawSalts(bytes, 8) == header.salts, Self.number(bytes, 0) != 0
                else { break }
                let next = Self.sum(
                    Self.sum(sum, bytes[..<8], header.isBigEndian),
                    bytes[Self.frameHeaderSize...], header.isBigEndian)
                guard next == SIMD2(Self.number(bytes, 16), Self.number(bytes, 20)) else { break }
                sum = next
                count += 1
                visit(
                    Self.page(ofFrameHeader: bytes),
                    UnsafeRawBufferPointer(rebasing: bytes[Self.frameHeaderSize...]))
            }
            return (count, sum)
        }
    }

    /// The number of the page of a frame.
    static func page(ofFrameHeader bytes: UnsafeRawBufferPointer) -> UInt32 { number(bytes, 0) }

    /// The claim that the header of a frame makes, which is not checked.
    static func claim(
        ofFrameHeader bytes: UnsafeRawBufferPointer, frameCount: UInt32
    ) -> WALClaim {
        WALClaim(
            salts: rawSalts(bytes, 8), frameCount: frameCount,
            checksum: SIMD2(number(bytes, 16), number(bytes, 20)))
    }

    /// Salts as the index of the WAL has them: copied, in no byte order.
    private static func rawSalts(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> SIMD2<UInt32> {
        SIMD2(
            bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self),
            bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self))
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
        UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// The checksum of a WAL, in the byte order that its header asks for.
    private static func sum(
        _ start: SIMD2<UInt32>, _ bytes: Slice<UnsafeRawBufferPointer>, _ isBigEndian: Bool
    ) -> SIMD2<UInt32> {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes)
        var (first, second) = (start.x, start.y)
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            let left = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            let right = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            first &+= (isBigEndian ? left.bigEndian : left.littleEndian) &+ second
            second &+= (isBigEndian ? right.bigEndian : right.littleEndian) &+ first
        }
        return SIMD2(first, second)
    }
}
