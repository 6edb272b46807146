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

    /// A checksum of the bytes, which is not zero.
    let checksum: UInt64

    init?(checksum: UInt64) {
        guard checksum != 0 else { return nil }
        self.checksum = checksum
    }

    /// Reads a header; `nil` if there is none.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.size, bytes.starts(with: Self.magic) else { return nil }
        self.init(checksum: Fingerprint.hash(bytes.prefix(Self.size)))
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

    init(_ handle: OpaquePointer) throws { pointer = try Self.object(of: handle) }

    /// SQLite's object of the main file of a connection.
    static func object(of handle: OpaquePointer) throws -> UnsafeMutablePointer<sqlite3_file> {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let found = withUnsafeMutablePointer(to: &file) {
            sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, $0)
        }
        guard found == SQLITE_OK, let file else {
            throw StoreError(
                .backend, "SQLite has not opened the store.", backendCode: Int(found))
        }
        return file
    }

    /// Reads the header; `nil` if the file has none.
    ///
    /// - Throws: ``StoreError`` with code `inputOutput` if it cannot be read, which says nothing about it.
    func header() throws -> MainHeader? {
        guard let read = pointer.pointee.pMethods?.pointee.xRead else { return nil }
        return try withUnsafeTemporaryAllocation(byteCount: MainHeader.size, alignment: 8) {
            buffer in
            let code = read(pointer, buffer.baseAddress, Int32(buffer.count), 0)
            guard code == SQLITE_OK || code == ResultCodes.shortRead else {
                throw StoreError(
                    .inputOutput,
                    "The main file could not be read. Check the disk, then try again.",
                    backendCode: Int(code))
            }
            return code == SQLITE_OK ? MainHeader(UnsafeRawBufferPointer(buffer)) : nil
        }
    }
}
