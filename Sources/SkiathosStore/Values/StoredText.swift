/// A text that is compared as a store does: by its UTF-8 bytes.
///
/// `String` takes canonically equivalent texts for the same, such as "é" in one scalar and in two, which
/// are two values of a column and two IDs. Whatever looks a stored text up in memory looks it up by
/// this type.
///
/// ```swift
/// "\u{e9}" == "e\u{301}"                                           // true
/// StoredText("\u{e9}") == StoredText("e\u{301}")                   // false
/// ```
@frozen
public struct StoredText: Hashable, Comparable, Sendable {
    /// The text.
    public let text: String

    /// Makes the stored form of a text.
    @inlinable public init(_ text: String) { self.text = text }

    /// Compares the bytes.
    @inlinable public static func == (left: StoredText, right: StoredText) -> Bool {
        left.text.isIdentical(to: right.text)
    }

    /// Compares the bytes, whose order is that of the Unicode scalars.
    @inlinable public static func < (left: StoredText, right: StoredText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes.
    @inlinable public func hash(into hasher: inout Hasher) {
        // Nil only for text that is no native Swift text.
        let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isHashed == nil { for byte in text.utf8 { hasher.combine(byte) } }
        // So that two texts, one after the other, differ from two others with the same bytes.
        hasher.combine(0xFF as UInt8)
    }
}
