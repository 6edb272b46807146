public import SkiathosStore

/// The worker context of one write: its unit of work, its identity map and its transaction.
///
/// Valid only inside the closure of the `write` that made it, and never in another task: the
/// compiler refuses to let it out.
public final class WriteContext {
    /// The entities of the store.
    public let schema: StoreSchema

    // All guarded by the write: its closure runs on one thread at a time, and the type is not
    // Sendable.
    var isOpen = true
    var scopes: [NestedScope] = [] {
        didSet { isNested = !scopes.isEmpty }
    }
    /// Whether a nested scope is open, for code that is inlined into users' modules.
    @usableFromInline var isNested = false
    @usableFromInline var sequences: [IDSequence]
    private var units: [(any AnyUnitOfWork)?]
    private var isTransactionOpen = false
    private let writer: any StoreWriter
    private let interruption: Interruption?

    init(
        schema: StoreSchema, writer: any StoreWriter, sequences: [IDSequence],
        interruption: Interruption?
    ) {
        self.schema = schema
        self.writer = writer
        self.sequences = sequences
        self.interruption = interruption
        units = Array(repeating: nil, count: schema.entities.count)
    }
}

@available(*, unavailable, message: "a context stays in the closure that it was given to.")
extension WriteContext: Sendable {}

extension WriteContext: QueryContext {
    /// Runs a closure with the connection of this write, after bringing its pending changes to
    /// the open transaction.
    ///
    /// - Throws: also what bringing the changes throws, such as a violated constraint. They stay
    ///   pending then.
    public func query<R>(_ body: (any StoreSession) throws -> R) throws -> R {
        try flush()
        return try withSession(body)
    }
}

extension WriteContext {
    /// The unit of work of an entity.
    @usableFromInline
    func unit<E: Entity>(of entity: E.Type) throws -> UnitOfWork<E> {
        guard isOpen else { throw DataAccessError.contextEnded("write") }
        let position = try position(of: E.self)
        if let unit = units[position] { return unsafeDowncast(unit, to: UnitOfWork<E>.self) }
        let unit = UnitOfWork<E>(entity: position, context: self)
        units[position] = unit
        return unit
    }

    /// Runs a closure with the connection, without bringing pending changes.
    func withSession<R>(_ body: (any StoreWriteSession) throws -> R) throws -> R {
        guard isOpen else { throw DataAccessError.contextEnded("write") }
        try interruption?.check()
        return try writer.withSession { session in
            // After a full disk or an interruption the store may have undone the transaction by
            // itself. A closure that swallowed that error must not go on outside of one.
            guard session.isInTransaction == isTransactionOpen else {
                throw DataAccessError(
                    .transactionLost,
                    "The store undid this write after an earlier error, which the closure caught. Let that error leave the closure."
                )
            }
            return try body(session)
        }
    }

    /// Runs a closure that changes rows directly, and refreshes the objects it may have touched.
    func change<R>(
        refreshing entities: Set<Int>, _ body: (any StoreWriteSession) throws -> R
    ) throws -> R {
        try flush()
        return try withSession { session in
            try openTransaction(session)
            let result = try body(session)
            try refresh(entities, in: session)
            return result
        }
    }

    /// Brings the pending changes of all entities to the open transaction.
    func flush() throws {
        guard isOpen else { throw DataAccessError.contextEnded("write") }
        guard units.contains(where: { $0?.hasPendingObjects ?? false }) else { return }
        let plan = try FlushPlan(units: units, schema: schema, sequences: sequences)
        try withSession { session in
            try openTransaction(session)
            try session.apply(plan.steps)
            for unit in units { unit?.didFlush() }
            for (entity, limit) in plan.reservations { sequences[entity].reserved = limit }
            try refresh(plan.touchedByDeletion, in: session)
        }
    }

    /// Brings what is left and makes sure that all references hold.
    ///
    /// Returns whether there is anything to commit.
    func finish() throws -> Bool {
        try flush()
        guard isTransactionOpen else { return false }
        try withSession { try $0.checkReferences() }
        return true
    }

    /// Lets go of all objects; every further use of the context is an error.
    func end() {
        isOpen = false
        for unit in units { unit?.end() }
        units = []
        scopes = []
    }

    private func openTransaction(_ session: any StoreWriteSession) throws {
        guard !isTransactionOpen else { return }
        try session.begin()
        isTransactionOpen = true
    }

    private func refresh(_ entities: Set<Int>, in session: any StoreSession) throws {
        for entity in entities { try units[entity]?.refresh(in: session) }
    }
}

extension WriteContext {
    /// Runs a closure as a unit within the unit: if it throws, what it did is undone, in the
    /// store and in every object, and the write goes on.
    ///
    /// ```swift
    /// try dal.write { context in
    ///     let order = try Order.create(in: context)
    ///     do {
    ///         try context.nested { try book(order, in: $0) }
    ///     } catch let error as BookingRefused {
    ///         order.note = error.reason       // what book(_:in:) changed is gone, the order stays
    ///     }
    /// }
    /// // SAVEPOINT … ROLLBACK TO …
    /// ```
    ///
    /// Nested scopes may be nested in turn. Objects that were created inside a failed scope
    /// count as deleted.
    @discardableResult
    public func nested<R>(_ body: (WriteContext) throws -> R) throws -> R {
        try flush()
        try withSession {
            try openTransaction($0)
            try $0.openSavepoint()
        }
        let scope = NestedScope(reservedIDs: sequences.map(\.reserved))
        scopes.append(scope)
        do {
            let result = try body(self)
            try flush()
            try withSession { try $0.releaseSavepoint() }
            scopes.removeLast()
            if let outer = scopes.last { scope.merge(into: outer) }
            return result
        } catch {
            scopes.removeLast()
            try undo(scope)
            throw error
        }
    }

    private func undo(_ scope: NestedScope) throws {
        try withSession { session in
            try session.rollbackSavepoint()
            for unit in units { unit?.forgetPending() }
            scope.undoAll()
            for index in sequences.indices { sequences[index].reserved = scope.reservedIDs[index] }
            // Objects that were first fetched inside the scope may show rows as it had left them.
            try refresh(Set(units.indices), in: session)
        }
    }
}
