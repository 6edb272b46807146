/// Writes the columns of one row into bytes that are large enough for it.
package struct RowPacker {
    @usableFromInline let layout: PackedLayout
    @usableFromInline let start: UnsafeMutableRawPointer
    /// Where the next text begins.
    @usableFromInline var end: Int
    /// How many texts were written.
    @usableFromInline var texts = 0

    @inlinable package init(_ layout: PackedLayout, at start: UnsafeMutableRawPointer) {
        self.layout = layout
        self.start = start
        end = layout.textStart
    }

    @inlinable package func put(_ number: Int64, at position: Int) {
        start.storeBytes(of: number, toByteOffset: layout.number(position), as: Int64.self)
    }

    @inlinable package func put(_ number: Double, at position: Int) {
        start.storeBytes(of: number, toByteOffset: layout.number(position), as: Double.self)
    }

    /// Writes the next text; they are written in the order of their positions.
    @inlinable package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            if let source = utf8.baseAddress {
                (start + end).copyMemory(from: source, byteCount: utf8.count)
            }
            end += utf8.count
        }
        start.storeBytes(of: UInt32(end), toByteOffset: layout.textEnd(texts), as: UInt32.self)
        texts += 1
    }
}
