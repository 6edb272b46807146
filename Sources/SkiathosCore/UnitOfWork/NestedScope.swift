/// What one `nested { }` has touched, so that its failure can undo it in memory as the savepoint
/// undoes it in the store.
final class NestedScope {
    // Guarded by the write that the scope belongs to.
    private var undo: [ObjectIdentifier: () -> Void] = [:]
    /// The limits of integer IDs that the open transaction held when the scope began.
    let limits: [Int64]

    /// What the open transaction held when the scope began.
    let record: ChangeRecord

    /// The rows that had changed when the scope began, if somebody wants to know each of them.
    let capture: ChangeCapture?

    init(limits: [Int64], record: ChangeRecord, capture: ChangeCapture? = nil) {
        self.limits = limits
        self.record = record
        self.capture = capture
    }

    /// Remembers an object as it is now, unless the scope has touched it before.
    ///
    /// The object has no pending change at the scope's beginning, since that flushes.
    func remember<E: Entity>(_ object: Managed<E>) {
        let key = ObjectIdentifier(object)
        guard undo[key] == nil else { return }
        let value = object.current
        let applied = object.baseline?.applied
        let state = object.state.subtracting(.pending)
        undo[key] = {
            object.current = value
            if let applied { object.baseline?.applied = applied } else { object.baseline = nil }
            object.state = state
            guard !state.contains(.deleted) else { return }
            // The scope may have made another object with the same ID.
            object.unit.map.register(object, under: value.id.rawValue)
        }
    }

    /// Remembers that an object did not exist before.
    func rememberCreation<E: Entity>(of object: Managed<E>) {
        let key = object.current.id.rawValue
        undo[ObjectIdentifier(object)] = {
            // Still created by the write, so that discarding its changes does not bring it back.
            object.state = [.deleted, .created]
            // There may be a row with its ID, which the scope did not know of.
            object.unit.map.remove(object, under: key)
        }
    }

    /// Puts every touched object back.
    func undoAll() {
        for restore in undo.values { restore() }
        undo = [:]
    }

    /// Adds what this scope touched to the scope around it, which may yet fail.
    ///
    /// What that scope remembers already is older and stays.
    func merge(into outer: NestedScope) {
        outer.undo.merge(undo) { older, _ in older }
    }
}
