import SkiathosStore

extension Entity where RawID: GeneratedKey {
    /// Creates an entity with a new ID, which is final at once.
    ///
    /// ```swift
    /// let user = try User.create(in: context) { $0.firstname = "Ada" }
    /// // INSERT INTO "user" … when the write ends, or before its next query
    /// ```
    ///
    /// - Parameters:
    ///   - context: The context of the write.
    ///   - change: Sets properties of the new value; may not change its ID.
    /// - Returns: The tracked object.
    /// - Throws: What the closure throws; nothing was created then.
    @discardableResult
    @inlinable
    public static func create(
        in context: WriteContext, _ change: (inout Self) throws -> Void = { _ in }
    ) throws -> Managed<Self> {
        let unit = try context.unit(of: Self.self)
        return try unit.create(id: try context.newID(for: unit), change)
    }
}

extension Entity {
    /// Creates an entity with an ID of the caller's choice.
    ///
    /// ```swift
    /// try Country.create(id: "GR", in: context) { $0.name = "Greece" }
    /// ```
    ///
    /// - Throws: What the closure throws, or `StoreError` with code `uniqueViolation` if the
    ///   write tracks the ID already; if only the store has it, the write throws it when it
    ///   ends.
    @discardableResult
    @inlinable
    public static func create(
        id: ID, in context: WriteContext, _ change: (inout Self) throws -> Void = { _ in }
    ) throws -> Managed<Self> {
        let unit = try context.unit(of: Self.self)
        try context.useID(id, for: unit)
        return try unit.create(id: id, change)
    }

    /// Stores a value as a new row.
    ///
    /// An ID that is ``EntityID/unassigned`` is replaced by a new one, where IDs are generated.
    ///
    /// ```swift
    /// let id = try dal.write { try User.insert(User(firstname: "Ada"), in: $0).id }
    /// ```
    ///
    /// - Throws: `StoreError` with code `uniqueViolation` if the write tracks the ID already;
    ///   if only the store has it, the write throws it when it ends. ``DataAccessError`` with
    ///   code `invalidID` if an ID is needed and none was given.
    @discardableResult
    @inlinable
    public static func insert(_ value: Self, in context: WriteContext) throws -> Managed<Self> {
        let unit = try context.unit(of: Self.self)
        guard value.id == .unassigned, let generated = RawID.self as? any GeneratedKey.Type else {
            try context.useID(value.id, for: unit)
            return try unit.add(value)
        }
        var value = value
        value.id = try context.newID(for: unit, generated)
        return try unit.add(value)
    }
}

extension UnitOfWork {
    @inlinable
    func create(id: E.ID, _ change: (inout E) throws -> Void) throws -> Managed<E> {
        var value = E(id: id)
        try change(&value)
        guard value.id == id else { throw DataAccessError.changedID(E.self) }
        return try add(value)
    }
}

extension WriteContext {
    /// A new ID of an entity whose keys are generated.
    @inlinable
    func newID<E: Entity>(for unit: UnitOfWork<E>) throws -> E.ID where E.RawID: GeneratedKey {
        if let key = E.RawID.generate() { return E.ID(rawValue: key) }
        let number = try transaction.ids[unit.entity].next()
        guard let key = E.RawID(sequenceNumber: number) else {
            preconditionFailure("\(E.RawID.self) neither generates keys nor takes the store's.")
        }
        return E.ID(rawValue: key)
    }

    /// A new ID, where it is only known at run time that keys are generated.
    @usableFromInline
    func newID<E: Entity, Key: GeneratedKey>(
        for unit: UnitOfWork<E>, _ key: Key.Type
    ) throws -> E.ID {
        let generated =
            try Key.generate() ?? Key(sequenceNumber: transaction.ids[unit.entity].next())
        guard let key = generated as? E.RawID else {
            preconditionFailure("\(Key.self) neither generates keys nor takes the store's.")
        }
        return E.ID(rawValue: key)
    }

    /// Records an ID that was chosen by the caller.
    @inlinable
    func useID<E: Entity>(_ id: E.ID, for unit: UnitOfWork<E>) throws {
        guard id != .unassigned else { throw DataAccessError.missingID(E.self) }
        if let number = id.rawValue.pageNumber {
            transaction.ids[unit.entity].advance(past: number)
        }
    }
}

extension DataAccessError {
    @usableFromInline @inline(never)
    static func missingID<E: Entity>(_ type: E.Type) -> DataAccessError {
        DataAccessError(
            .invalidID,
            "A \(E.schema.typeName) was given no ID (\(E.RawID.self) IDs are not generated, or the unassigned one was passed). Choose one with create(id:in:)."
        )
    }

    @usableFromInline @inline(never)
    static func changedID(_ type: Any.Type) -> DataAccessError {
        DataAccessError(
            .invalidID,
            "The closure of \(type).create changed the ID. IDs are final; choose one with create(id:in:)."
        )
    }
}
