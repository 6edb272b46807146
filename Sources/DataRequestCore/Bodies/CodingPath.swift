#if RequestCore
/// The path to a value that is encoded or decoded, for messages.
///
/// It has names of the program's types. Dictionary keys are left out, since they are user
/// data.
struct CodingPath: CustomStringConvertible {
    private let keys: [any CodingKey]

    init(_ keys: [any CodingKey]) { self.keys = keys }

    /// The path, such as `tracks[3].title`, or `the top`.
    var description: String {
        var text = ""
        for key in keys {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + Self.name(of: key)
            }
        }
        return text.isEmpty ? "the top" : text
    }

    static func name(of key: any CodingKey) -> String {
        Mirror(reflecting: key).displayStyle == .enum ? key.stringValue : "*"
    }
}
#endif
