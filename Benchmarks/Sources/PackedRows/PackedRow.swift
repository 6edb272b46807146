/// A row of columns that are read by their position, valid as long as its bytes are.
///
/// - Precondition: The bytes were written by ``RowPacker`` with the same layout; nothing is checked.
package struct PackedRow {
    @usableFromInline let layout: PackedLayout
    @usableFromInline let start: UnsafeRawPointer

    @inlinable package init(_ layout: PackedLayout, at start: UnsafeRawPointer) {
        self.layout = layout
        self.start = start
    }

    @inlinable package func integer(_ position: Int) -> Int64 {
        start.loadUnaligned(fromByteOffset: layout.number(position), as: Int64.self)
    }

    @inlinable package func double(_ position: Int) -> Double {
        start.loadUnaligned(fromByteOffset: layout.number(position), as: Double.self)
    }

    @inlinable package func text(_ position: Int) -> String {
        let from = position == 0 ? layout.textStart : end(position - 1)
        let bytes = UnsafeRawBufferPointer(start: start + from, count: end(position) - from)
        return String(decoding: bytes, as: UTF8.self)
    }

    @inlinable func end(_ position: Int) -> Int {
        Int(start.loadUnaligned(fromByteOffset: layout.textEnd(position), as: UInt32.self))
    }
}
