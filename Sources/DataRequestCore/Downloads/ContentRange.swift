#if RequestCore
/// The value of `Content-Range`: the part of the whole that came, or the size of the whole.
struct ContentRange: Equatable {
    /// The bytes from the first to the last; nil if none came, as with status 416.
    var bytes: ClosedRange<Int64>?
    /// The size of the whole, if it is told.
    var total: Int64?

    /// Reads `bytes 5-9/10`, `bytes 5-9/*` and `bytes */10`; nil for everything else.
    init?(_ text: String?) {
        guard let text, text.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] != "*" {
            guard let total = Self.number(parts[1]) else { return nil }
            self.total = total
        }
        if parts[0] == "*" { return }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first <= last, last < total ?? .max
        else { return nil }
        bytes = first...last
    }

    private static func number(_ text: Substring) -> Int64? {
        guard text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text)
    }
}
#endif
