public import SkiathosStore

/// The tracked object of one entity in one write: properties are read and set as on the value,
/// and what has changed is stored when the write ends.
///
/// ```swift
/// try dal.write { context in
///     guard let user = try User.find(id, in: context) else { return }
///     user.age += 1                       // UPDATE "user" SET "age" = 37 WHERE "id" = 1
/// }
/// ```
///
/// A write has one object for each ID, however often it is fetched. Objects are valid only
/// inside the closure of the write that made them; the compiler does not let them escape.
///
/// Setting a property of a deleted object is a programming mistake and traps. So is every use of an
/// object after its write has ended, reading it included, by whatever way it has left the closure.
@dynamicMemberLookup
public final class Managed<E: Entity> {
    /// The state of an object before its first change.
    @usableFromInline
    final class Baseline {
        /// The value before the first change, which `discardChanges()` restores.
        @usableFromInline let original: E
        /// The value that the open transaction holds, if that is not the original any more.
        ///
        /// Most objects are flushed once, and need no third copy of themselves.
        @exclusivity(unchecked) @usableFromInline var flushed: E?

        @inlinable init(_ value: E) { original = value }

        /// The value that the open transaction holds, from which the next update is computed.
        @inlinable var applied: E {
            get { flushed ?? original }
            set { flushed = newValue }
        }

        /// The columns that differ in a value from what the open transaction holds.
        @inlinable
        func changedColumns(to value: E) -> ColumnSet {
            if let flushed { return value.changedColumns(from: flushed) }
            return value.changedColumns(from: original)
        }
    }

    // All guarded by the write that the object belongs to: its closure runs on one thread at a
    // time, and the type is not Sendable.
    @usableFromInline var current: E
    // Only read and set as a whole, by code that calls nothing meanwhile, so that no two
    // accesses can overlap: checking exclusive access at run time costs 70 instructions each
    // time.
    @exclusivity(unchecked) @usableFromInline var baseline: Baseline?
    @exclusivity(unchecked) @usableFromInline var state: ObjectState
    /// The moment of its unit of work at which it was last set; 0 until then.
    @exclusivity(unchecked) @usableFromInline var stamp: UInt32
    @usableFromInline let unit: UnitOfWork<E>

    @inlinable
    init(
        _ value: E, of unit: UnitOfWork<E>, state: ObjectState = .stored, stamp: UInt32 = 0
    ) {
        current = value
        self.unit = unit
        self.state = state
        self.stamp = stamp
    }

    /// Whether the row with its ID belongs to it.
    ///
    /// `false` if its deletion lies in the open transaction, or if it was deleted before it had
    /// a row.
    @inlinable var isDue: Bool { state.intersection([.deleted, .stored]) != .deleted }

    /// The ID, which is final from the moment of creation.
    @inlinable public var id: E.ID {
        unit.requireOpen()
        return current.id
    }

    /// The present value, which may leave the write.
    @inlinable public var value: E {
        unit.requireOpen()
        return current
    }

    /// Reads and sets a property.
    @inlinable public subscript<V>(dynamicMember keyPath: WritableKeyPath<E, V>) -> V {
        get {
            unit.requireOpen()
            return current[keyPath: keyPath]
        }
        _modify {
            // After the write has ended, its moment is none at which an object was set.
            if stamp != unit.moment || state.intersection([.pending, .deleted]) != .pending {
                unit.willChange(self)
            }
            yield &current[keyPath: keyPath]
        }
    }

    /// Reads a computed or constant property.
    @_disfavoredOverload
    @inlinable public subscript<V>(dynamicMember keyPath: KeyPath<E, V>) -> V {
        unit.requireOpen()
        return current[keyPath: keyPath]
    }
}

@available(
    *, unavailable,
    message: "an object stays in the write that made it; hand out its id or its value instead."
)
extension Managed: Sendable {}
