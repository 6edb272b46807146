import SkiathosStore

extension UnitOfWork {
    /// Validates every pending object that is new or was changed.
    func validatePending(into failures: inout ValidationFailures) {
        var validation = Validation<E>()
        for object in pending where object.isToBeWritten {
            let value = object.current
            value.validate(&validation)
            failures.add(from: &validation)
        }
    }

    /// Validates rows as they are in the open transaction.
    func validateRows(
        _ ids: [StoreValue], in session: any StoreSession, into failures: inout ValidationFailures
    ) throws {
        var values: [E] = []
        try session.fetch(entity: entity, ids: ids) { try E.decodeRows(&$0, into: &values) }
        var validation = Validation<E>()
        for value in values {
            value.validate(&validation)
            failures.add(from: &validation)
        }
    }
}

extension Managed {
    /// Whether the next flush inserts the object or updates any column of it.
    var isToBeWritten: Bool {
        switch pendingChange.kind {
        case .insert, .update: true
        case .none, .delete: false
        }
    }
}
