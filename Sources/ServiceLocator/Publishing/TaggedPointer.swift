/// The address of a box, with marks in the bits that addresses do not use.
struct TaggedPointer {
    /// The box is a ``WeakBox``.
    static let weak: UInt = 1
    /// Only an asynchronous resolve may take it.
    static let asynchronous: UInt = 2
    /// Only for callers that resolve from the very scope of the slot.
    static let scoped: UInt = 4
    // Objects of Swift lie at multiples of 16 bytes.
    private static let marks: UInt = 15

    /// No service is published: callers need the lock of the scope.
    static let empty: UInt = 0

    let bits: UInt

    /// The bits of a pointer, which does not keep the box alive.
    static func bits(for box: ErasedBox, marks: UInt) -> UInt {
        UInt(bitPattern: Unmanaged<AnyObject>.passUnretained(box).toOpaque()) | marks
    }

    @inline(__always)
    func has(_ marks: UInt) -> Bool { bits & marks != 0 }

    /// The box; only for use in a read section.
    @inline(__always)
    var box: Unmanaged<AnyObject>? {
        UnsafeRawPointer(bitPattern: bits & ~Self.marks).map { .fromOpaque($0) }
    }
}
