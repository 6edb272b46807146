#if Macros
/// A file that cannot be imported, and why.
struct ShopFileProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension DecodingError {
    /// What is wrong and where, in the names and counting of the file.
    var sentence: String {
        switch self {
        case .keyNotFound(let key, let context):
            "\(Self.place(context.codingPath)) lacks \(Self.name(key))."
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(Self.place(context.codingPath)) is of another kind than expected."
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            context.debugDescription
        case .dataCorrupted(let context):
            "\(Self.place(context.codingPath)) is \(context.debugDescription)."
        @unknown default: "\(self)"
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "its content" }
        return path.map { key in key.intValue.map { "record \($0 + 1)" } ?? name(key) }
            .joined(separator: ", ")
    }

    private static func name(_ key: any CodingKey) -> String {
        key.stringValue.prefix(1).uppercased() + key.stringValue.dropFirst()
    }
}
#endif
