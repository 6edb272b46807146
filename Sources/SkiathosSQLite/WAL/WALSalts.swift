/// The two salts of a WAL, which each of its frames repeats (sqlite.org/fileformat2.html, 4.1).
///
/// Whenever the WAL restarts, SQLite adds 1 to the first and chooses the second at random.
struct WALSalts: Equatable, Sendable {
    /// The eight bytes as they are in the file.
    private let bytes: UInt64

    init(_ bytes: UInt64) { self.bytes = bytes }

    /// The salts as they were read, each as a number of this machine.
    init(_ salts: SIMD2<UInt32>) { bytes = unsafeBitCast(salts, to: UInt64.self) }

    /// The salts as they are in the file, each as a number of this machine.
    var words: SIMD2<UInt32> { unsafeBitCast(bytes, to: SIMD2<UInt32>.self) }

    /// The first salt.
    var count: UInt32 { UInt32(truncatingIfNeeded: bytes).bigEndian }
}
