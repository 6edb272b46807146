/// The state of an object in a write: what was done to it, and what is left to do.
///
/// Not nested in ``Managed``: in a generic type, every access would search for its metadata
/// wherever the entity is not known to the compiler.
@frozen
@usableFromInline
struct ObjectState: OptionSet {
    @usableFromInline let rawValue: UInt8

    @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

    /// In the list of its unit of work for the next flush.
    @inlinable static var pending: ObjectState { ObjectState(rawValue: 1) }
    /// The open transaction has a row for it.
    @inlinable static var stored: ObjectState { ObjectState(rawValue: 2) }
    /// It was deleted, or its creation rolled back.
    @inlinable static var deleted: ObjectState { ObjectState(rawValue: 4) }
    /// It was created by this write.
    @inlinable static var created: ObjectState { ObjectState(rawValue: 8) }
}
