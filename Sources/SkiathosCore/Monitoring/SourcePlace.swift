/// A source location in the application, from which a call came.
struct SourcePlace: @unchecked Sendable, CustomStringConvertible {
    // Sendable: the bytes are those of a literal, which exist for ever and never change.

    /// The name of the file, which ends with a zero.
    let file: UnsafePointer<UInt8>
    let line: UInt

    @inline(__always)
    init(file: StaticString, line: UInt) { self.init(file: file.utf8Start, line: line) }

    /// - Parameter file: The bytes of a literal.
    init(file: UnsafePointer<UInt8>, line: UInt) {
        self.file = file
        self.line = line
    }

    var description: String { "\(String(cString: file)):\(line)" }
}
