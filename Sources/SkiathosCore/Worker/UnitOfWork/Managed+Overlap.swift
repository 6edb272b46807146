import SkiathosStore

/// Accesses to an object while one of its properties is being changed in place, as by the closure of
/// `removeAll(where:)` or the second argument of `swap`.
///
/// Stored properties are independent of each other. All else accesses the value as a whole, which is not
/// valid memory meanwhile.
extension Managed {
    /// Reads a stored property that is not being changed.
    @usableFromInline @inline(never)
    func valueDuringChange<V>(of keyPath: KeyPath<E, V>) -> V {
        guard let bytes = ByteRange(of: keyPath) else { trapOverlap(with: keyPath) }
        requireApart(bytes, keyPath, from: changing)
        // By its address: the value as a whole must not even be copied.
        return withUnsafeMutablePointer(to: &storage) {
            UnsafeRawPointer($0).load(fromByteOffset: Int(bytes.start), as: V.self)
        }
    }

    /// Reads the ID, which nobody changes.
    @usableFromInline @inline(never)
    func idDuringChange() -> E.ID {
        if changing == .whole { trapOverlap() }
        return Self.id(of: &storage)
    }

    // As an `inout` argument the value is not copied.
    @inline(never)
    private static func id(of value: inout E) -> E.ID { value.id }

    /// Called before the change of a stored property inside of another change.
    @usableFromInline @inline(never)
    func willChange<V>(_ bytes: ByteRange, _ keyPath: KeyPath<E, V>, inside outer: ByteRange) {
        requireApart(bytes, keyPath, from: outer)
        unit.outerChanges.append(OuterChange(object: ObjectIdentifier(self), bytes: outer))
    }

    private func requireApart<V>(
        _ bytes: ByteRange, _ keyPath: KeyPath<E, V>, from innermost: ByteRange
    ) {
        guard
            !bytes.overlaps(innermost),
            !unit.outerChanges.contains(where: {
                $0.object == ObjectIdentifier(self) && $0.bytes.overlaps(bytes)
            })
        else { trapOverlap(with: keyPath) }
    }

    @usableFromInline @inline(never)
    func trapOverlap(with keyPath: PartialKeyPath<E>? = nil) -> Never {
        let name = E.schema.typeName
        guard let keyPath else {
            fatalError(
                "A \(name) was used as a whole while one of its properties is being changed in place. Read its value, delete it and make queries, which store it first, before or after the change; or change a copy of the property, and set the property afterwards."
            )
        }
        guard let column = E.column(at: keyPath) else {
            fatalError(
                "A computed property of a \(name), or one with observers, was used while a property of the object is being changed in place. Read it before the change; or change a copy of the property, and set the property afterwards."
            )
        }
        fatalError(
            "The property '\(E.schema.columns[column].name)' of a \(name) was used while it is being changed in place. Change a copy of it, and set the property afterwards."
        )
    }
}

/// A change of an object's property around another one.
@usableFromInline
struct OuterChange {
    let object: ObjectIdentifier
    let bytes: ByteRange
}
