/// The texts that begin with a prefix, as a range that an index can serve.
enum PrefixRange {
    /// The smallest text above every text with the prefix, or `nil` if there is none above.
    ///
    /// Texts are ordered by their UTF-8 bytes, which is the order of their Unicode scalars.
    static func upperBound(of prefix: String) -> String? {
        var scalars = prefix.unicodeScalars
        while let last = scalars.popLast() {
            guard let next = successor(of: last) else { continue }
            scalars.append(next)
            return String(scalars)
        }
        return nil
    }

    private static func successor(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        // The scalar after U+D7FF is U+E000: what lies between are halves of surrogate pairs.
        scalar.value == 0xD7FF ? Unicode.Scalar(0xE000 as UInt32) : Unicode.Scalar(scalar.value + 1)
    }
}
