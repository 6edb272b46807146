#if RequestCore
/// The value of `Content-Range`: the part of the whole that came, or the size of the whole.
struct ContentRange: Equatable {
    /// The bytes from the first to the last; nil if none came, as with status 416.
    var bytes: ClosedRange<Int64>?
    /// The size of the whole, if it is stated.
    var total: Int64?

    /// Reads `bytes 5-9/10`, `bytes 5-9/*` and `bytes */10`; nil for everything else.
    init?(_ text: String?) {
        guard let text, text.lowercased().begins(with: "bytes ") else { return nil }
        let parts = text.dropping(first: 6).parts(at: "/")
        guard parts.count == 2 else { return nil }
        if !parts[1].equals("*") {
            guard let total = Self.number(parts[1]) else { return nil }
            self.total = total
        }
        if parts[0].equals("*") { return }
        let ends = parts[0].parts(at: "-")
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first <= last, last < total ?? .max
        else { return nil }
        bytes = first...last
    }

    private static func number(_ text: String) -> Int64? { text.digits.map(Int64.init) }
}
#endif
