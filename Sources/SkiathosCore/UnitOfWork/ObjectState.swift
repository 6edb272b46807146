/// What a write has done to an object, and what is left to do.
///
/// Not nested in ``Managed``: as a generic type it would cost every look at it a search for its
/// metadata, wherever the entity is not known to the compiler.
@frozen
@usableFromInline
struct ObjectState: OptionSet {
    @usableFromInline let rawValue: UInt8

    @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Listed by its unit of work as something that the next flush has to look at.
    @inlinable static var pending: ObjectState { ObjectState(rawValue: 1) }
    /// The open transaction has a row for it.
    @inlinable static var stored: ObjectState { ObjectState(rawValue: 2) }
    /// It was deleted, or its creation undone.
    @inlinable static var deleted: ObjectState { ObjectState(rawValue: 4) }
    /// This write made it.
    @inlinable static var created: ObjectState { ObjectState(rawValue: 8) }
}
