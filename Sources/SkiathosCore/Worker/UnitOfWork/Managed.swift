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
    // All guarded by the write that the object belongs to: its closure runs on one thread at a
    // time, and the type is not Sendable.

    // Accessed by `current` and by single properties, which check exclusive access with `changing`: the
    // runtime's check costs 40 instructions more each time, and takes the value as a whole.
    @exclusivity(unchecked) @usableFromInline var storage: E
    /// The key path of the property that is being changed, which may run code of the caller; this object, if
    /// its value is changed as a whole.
    ///
    /// That of the innermost change; those around it are with the unit of work. The code that makes the
    /// change retains it.
    @exclusivity(unchecked) @usableFromInline var changing: Unmanaged<AnyObject>?

    // Only read and set as a whole, by code that calls nothing meanwhile, so that no two
    // accesses can overlap: checking exclusive access at run time costs 70 instructions each
    // time.

    /// The value before the first change, which `discardChanges()` restores, once there is one.
    ///
    /// In memory of the unit of work, followed by space for the address of a second value.
    @exclusivity(unchecked) @usableFromInline var baseline: UnsafeMutablePointer<E>?
    /// Whether there is a second value: the one that the open transaction holds, if that is
    /// neither the original any more nor the present one.
    @exclusivity(unchecked) @usableFromInline var hasFlushedValue = false
    /// Whether the open transaction holds the present value, although there was another one before.
    ///
    /// Most objects are flushed once, and need no third copy of themselves.
    @exclusivity(unchecked) @usableFromInline var isApplied = false
    @exclusivity(unchecked) @usableFromInline var state: ObjectState
    /// The moment of its unit of work at which it was last set; 0 until then.
    @exclusivity(unchecked) @usableFromInline var stamp: UInt32
    @usableFromInline let unit: UnitOfWork<E>

    @inlinable
    init(
        _ value: E, of unit: UnitOfWork<E>, state: ObjectState = .stored, stamp: UInt32 = 0
    ) {
        storage = value
        self.unit = unit
        self.state = state
        self.stamp = stamp
    }

    /// The present value, in place.
    ///
    /// Traps while a property is being changed. Code that calls the caller's own passes a copy.
    @inlinable var current: E {
        @inline(__always) _read {
            if changing != nil { trapOverlap() }
            yield storage
        }
        @inline(__always) _modify {
            if changing != nil { trapOverlap() }
            if isApplied { applied = storage }
            changing = .passUnretained(self)
            defer { changing = nil }
            yield &storage
        }
    }

    /// The address of the present value, which is that of a property of this object, so that it
    /// stays the same as long as the object exists.
    @inlinable var address: UnsafeMutablePointer<E> {
        if changing != nil { trapOverlap() }
        return withUnsafeMutablePointer(to: &storage) { $0 }
    }

    /// Prefetches the present value, and what is beside it.
    @inlinable @inline(__always)
    func prefetchValue() {
        // The value comes first, after the two words that the runtime has in each object.
        let header = 2 * MemoryLayout<Int>.size
        prefetch(
            Unmanaged.passUnretained(self).toOpaque(),
            count: header + MemoryLayout<E>.stride + MemoryLayout<Unmanaged<AnyObject>?>.size)
    }

    deinit { removeBaseline() }

    /// Whether the row with its ID belongs to it.
    ///
    /// `false` if its deletion lies in the open transaction, or if it was deleted before it had
    /// a row.
    @inlinable var isDue: Bool { state.intersection([.deleted, .stored]) != .deleted }

    /// The ID, which is final from the moment of creation.
    @inlinable public var id: E.ID {
        unit.requireOpen()
        return changing == nil ? storage.id : idDuringChange()
    }

    /// The present value, which may leave the write.
    ///
    /// Traps while a property is being changed in place, as in a closure of `removeAll(where:)`.
    @inlinable public var value: E {
        unit.requireOpen()
        return current
    }

    /// Reads and sets a property.
    ///
    /// Properties that are stored are independent of each other, as those of a class:
    ///
    /// ```swift
    /// swap(&user.first, &user.last)
    /// user.tags.removeAll { $0 == user.last }
    /// ```
    @inlinable public subscript<V>(dynamicMember keyPath: WritableKeyPath<E, V>) -> V {
        get {
            unit.requireOpen()
            return changing == nil ? storage[keyPath: keyPath] : valueDuringChange(of: keyPath)
        }
        _modify {
            willChange()
            let outer = changing
            if outer != nil { willChange(keyPath) }
            if isApplied { applied = storage }
            changing = .passUnretained(keyPath)
            defer {
                changing = outer
                if outer != nil { unit.outerChanges.removeLast() }
                withExtendedLifetime(keyPath) {}
            }
            // A computed property is read before the change and set after it.
            yield &storage[keyPath: keyPath]
        }
    }

    /// Reads a computed or constant property.
    @_disfavoredOverload
    @inlinable public subscript<V>(dynamicMember keyPath: KeyPath<E, V>) -> V {
        unit.requireOpen()
        return changing == nil ? storage[keyPath: keyPath] : valueDuringChange(of: keyPath)
    }

    /// Called before each change of a property.
    @inlinable @inline(__always)
    func willChange() {
        // After the write has ended, its moment is none at which an object was set.
        if stamp != unit.moment || state.intersection([.pending, .deleted]) != .pending {
            unit.willChange(self)
        }
    }
}

@available(
    *, unavailable,
    message: "an object stays in the write that made it; hand out its id or its value instead."
)
extension Managed: Sendable {}
