import GRDBSQLite
import SkiathosStore

/// The header of a main file, which tells the states apart that checkpoints have left it in
/// (sqlite.org/fileformat2.html, 1.3).
///
/// Nothing in SQLite's formats binds a WAL to its main file. Here every first transaction after a
/// checkpoint puts another mark into the header (``FileFormat/UserVersion``), so a copy of the file that
/// was made before another checkpoint has another header. The main file of a WAL has the header that the
/// last whole checkpoint has left, or one that the WAL holds.
///
/// The header lies in the first sector of the file, which a disk writes as a whole.
struct MainHeader: Equatable, Sendable {
    /// How many bytes it has.
    static let size = 100
    /// The number of the page that begins with it.
    static let page: UInt32 = 1
    private static let magic = Array("SQLite format 3\0".utf8)

    /// A checksum of the bytes (FNV-1a, Fowler, Noll and Vo), which is not zero.
    let checksum: UInt64

    init?(checksum: UInt64) {
        guard checksum != 0 else { return nil }
        self.checksum = checksum
    }

    /// Reads a header; `nil` if there is none.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.size, bytes.starts(with: Self.magic) else { return nil }
        self.init(checksum: bytes.prefix(Self.size).fnv1a)
    }

    /// Whether bytes are the header of a store of this package: with its application ID at offset 68.
    static func isOfStore(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard MainHeader(bytes) != nil else { return false }
        let application = bytes.loadUnaligned(fromByteOffset: 68, as: Int32.self)
        return Int32(bigEndian: application) == FileFormat.applicationID
    }

    /// The header of a store that is not open.
    static func read(at path: StorePath) throws(VFSFile.Failure) -> MainHeader? {
        let bytes = try VFSFile(main: path).read(size)
        return bytes.withUnsafeBytes { MainHeader($0) }
    }
}

/// The main file of an open store, as SQLite has opened it.
struct MainFile: @unchecked Sendable {
    // Sendable: SQLite's file object stays for as long as the connection is open, and reading at an
    // offset changes nothing in it.
    private let pointer: UnsafeMutablePointer<sqlite3_file>

    init(_ handle: OpaquePointer) throws {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let found = withUnsafeMutablePointer(to: &file) {
            sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, $0)
        }
        guard found == SQLITE_OK, let file else {
            throw StoreError(
                .backend, "SQLite has not opened the store.", backendCode: Int(found))
        }
        pointer = file
    }

    /// The header; `nil` if the file has none, or cannot be read.
    var header: MainHeader? {
        guard let read = pointer.pointee.pMethods?.pointee.xRead else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: MainHeader.size, alignment: 8) { buffer in
            guard read(pointer, buffer.baseAddress, Int32(buffer.count), 0) == SQLITE_OK else {
                return nil
            }
            return MainHeader(UnsafeRawBufferPointer(buffer))
        }
    }
}

extension Sequence<UInt8> {
    /// A checksum (FNV-1a, Fowler, Noll and Vo).
    var fnv1a: UInt64 {
        reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
