/// A source location in the application, from which a call came.
struct SourcePlace: Sendable, CustomStringConvertible {
    let file: StaticString
    let line: UInt

    var description: String { "\(file):\(line)" }
}
