import SkiathosStore

/// The objects that one `nested { }` has touched, so that its failure restores them in memory
/// as the savepoint restores the store.
final class NestedScope {
    // Guarded by the write that the scope belongs to.
    private var undo: [ObjectIdentifier: () -> Void] = [:]
    /// The objects whose rows were read inside the scope, by the position of the entity.
    private var fetched: [Int: any AnyFetchedObjects] = [:]
    /// The limits of integer IDs that the open transaction held when the scope began.
    let limits: [Int64]
    /// The journal of the write when the scope began.
    let mark: WriteJournal.Mark

    init(limits: [Int64], mark: WriteJournal.Mark) {
        self.limits = limits
        self.mark = mark
    }

    /// Saves the state of an object, unless the scope has touched it before.
    ///
    /// The object has no pending change at the scope's beginning, since that flushes.
    func remember<E: Entity>(_ object: Managed<E>) {
        let key = ObjectIdentifier(object)
        guard undo[key] == nil else { return }
        let value = object.current
        let applied = object.applied
        let state = object.state.subtracting(.pending)
        undo[key] = {
            object.current = value
            if let applied { object.applied = applied } else { object.removeBaseline() }
            object.state = state
            guard !state.contains(.deleted) else { return }
            // The scope may have made another object with the same ID.
            object.unit.map.register(object, under: value.id.rawValue)
        }
    }

    /// Records that an object did not exist before.
    func rememberCreation<E: Entity>(of object: Managed<E>) {
        let key = object.current.id.rawValue
        undo[ObjectIdentifier(object)] = {
            // Still created by the write, so that discarding its changes does not restore it.
            object.state = [.deleted, .created]
            // A row with its ID may exist, which the scope did not know of.
            object.unit.map.remove(object, under: key)
        }
    }

    /// Restores every touched object.
    func undoAll() {
        for restore in undo.values { restore() }
        undo = [:]
    }

    /// Records objects whose rows were read inside the scope.
    func rememberFetched<E: Entity>(
        _ objects: some Sequence<Managed<E>>, of unit: UnitOfWork<E>
    ) {
        let known = fetched[unit.entity] as? FetchedObjects<E> ?? FetchedObjects(of: unit)
        known.add(objects)
        fetched[unit.entity] = known
    }

    /// Reads the rows of such objects again, which may show what the scope has undone.
    ///
    /// Of all others the scope has saved the state before it changed them.
    func refreshFetched(in session: any StoreSession) throws {
        for objects in fetched.values { try objects.refresh(in: session) }
    }

    /// Adds what this scope touched to the enclosing scope, which may yet fail.
    ///
    /// The states that the enclosing scope has saved are older and stay.
    func merge(into outer: NestedScope) {
        outer.undo.merge(undo) { older, _ in older }
        handFetched(to: outer)
    }

    /// Adds the objects whose rows were read inside this scope to the enclosing one, also if this one
    /// was rolled back: they stay tracked.
    func handFetched(to outer: NestedScope) {
        outer.fetched.merge(fetched) { known, new in
            known.add(all: new)
            return known
        }
    }
}

/// The nested scopes that are open, the innermost last.
@usableFromInline
struct NestedScopes {
    private var stack: [NestedScope] = []
    /// Whether any is open, for code that is inlined into users' modules.
    @usableFromInline private(set) var isOpen = false

    init() {}

    /// The innermost.
    var last: NestedScope? { stack.last }

    mutating func open(_ scope: NestedScope) {
        stack.append(scope)
        isOpen = true
    }

    /// Closes the innermost.
    mutating func close() {
        stack.removeLast()
        isOpen = !stack.isEmpty
    }
}
