/// A part of an object's value: the bytes of a property, all of them, or none.
@usableFromInline
struct ByteRange: Equatable {
    @usableFromInline var start: UInt32
    @usableFromInline var end: UInt32

    @inlinable
    init(start: UInt32, end: UInt32) {
        self.start = start
        self.end = end
    }

    /// The bytes of a stored property; `nil` for one that is computed or has observers.
    ///
    /// A constant in an optimised build, where the key path is a literal.
    @inlinable @inline(__always)
    init?<E, V>(of keyPath: KeyPath<E, V>) {
        guard let offset = MemoryLayout<E>.offset(of: keyPath) else { return nil }
        start = UInt32(truncatingIfNeeded: offset)
        end = UInt32(truncatingIfNeeded: offset + MemoryLayout<V>.size)
    }

    @inlinable static var none: ByteRange { ByteRange(start: 0, end: 0) }
    @inlinable static var whole: ByteRange { ByteRange(start: 0, end: .max) }

    @inlinable var isNone: Bool { end == 0 }

    func overlaps(_ other: ByteRange) -> Bool { start < other.end && other.start < end }
}
