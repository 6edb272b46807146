import SkiathosStore

/// Accesses to an object while one of its properties is being changed in place, as by the closure of
/// `removeAll(where:)` or the second argument of `swap`.
///
/// Stored properties are independent of each other. All else accesses the value as a whole, which is not
/// valid memory meanwhile.
extension Managed {
    /// Reads a property while another one is being changed.
    @usableFromInline @inline(never)
    func valueDuringChange<V>(of keyPath: KeyPath<E, V>) -> V {
        let bytes = requireApart(keyPath)
        // By its address: the value as a whole must not even be copied.
        guard let bytes else { return storage[keyPath: keyPath] }
        return withUnsafeMutablePointer(to: &storage) {
            UnsafeRawPointer($0).load(fromByteOffset: bytes.lowerBound, as: V.self)
        }
    }

    /// Reads the ID, which is final, during the change of another property.
    @usableFromInline @inline(never)
    func idDuringChange() -> E.ID {
        if isChangedAsAWhole { trapOverlap() }
        return Self.id(of: &storage)
    }

    // As an `inout` argument the value is not copied.
    @inline(never)
    private static func id(of value: inout E) -> E.ID { value.id }

    /// Called before the change of a property inside of another change.
    @usableFromInline @inline(never)
    func willChange(_ keyPath: PartialKeyPath<E>) {
        requireApart(keyPath)
        guard let changing else { return }
        unit.outerChanges.append((ObjectIdentifier(self), changing))
    }

    private var isChangedAsAWhole: Bool {
        changing?.toOpaque() == Unmanaged.passUnretained(self).toOpaque()
    }

    /// Returns the bytes of a property, none if it is computed; traps if they are being changed.
    ///
    /// Nothing is computed of a value whose bytes are being changed. A computed property that is being changed
    /// has none: it was read, and is set at the end.
    @discardableResult
    private func requireApart(_ keyPath: PartialKeyPath<E>) -> Range<Int>? {
        if isChangedAsAWhole { trapOverlap(with: keyPath) }
        let bytes = Self.bytes(of: keyPath)
        let outer = unit.outerChanges.filter { $0.object == ObjectIdentifier(self) }
        for other in outer.map({ $0.property }) + [changing] {
            guard let other = other?.takeUnretainedValue() as? PartialKeyPath<E>,
                let changed = Self.bytes(of: other)
            else { continue }
            if bytes?.overlaps(changed) ?? true { trapOverlap(with: keyPath) }
        }
        return bytes
    }

    /// The place of a stored property in the value; `nil` for one that is computed or has observers.
    private static func bytes(of keyPath: PartialKeyPath<E>) -> Range<Int>? {
        func size<V>(_ type: V.Type) -> Int { MemoryLayout<V>.size }
        return MemoryLayout<E>.offset(of: keyPath).map {
            $0..<$0 + _openExistential(type(of: keyPath).valueType, do: size)
        }
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
