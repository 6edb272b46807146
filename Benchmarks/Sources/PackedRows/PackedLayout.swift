/// Where the columns of a row lie in its bytes.
///
/// Numbers come first, with eight bytes each, then the end of each text as four bytes, then the
/// texts one after the other. Everything is in the byte order of the machine and need not be
/// aligned.
package struct PackedLayout: Sendable {
    package let numbers: Int
    package let texts: Int

    @inlinable package init(numbers: Int, texts: Int) {
        self.numbers = numbers
        self.texts = texts
    }

    /// Where the first text begins.
    @inlinable package var textStart: Int { textEnd(texts) }

    /// The size of a row whose texts have so many bytes together.
    @inlinable package func size(textBytes: Int) -> Int { textStart + textBytes }

    @inlinable package func number(_ position: Int) -> Int { position * 8 }

    /// Where the end of a text stands.
    @inlinable package func textEnd(_ position: Int) -> Int { numbers * 8 + position * 4 }
}
