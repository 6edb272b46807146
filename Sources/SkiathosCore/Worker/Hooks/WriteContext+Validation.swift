import SkiathosStore

extension WriteContext {
    /// How many rows are validated at a time after an `update(where:set:)`.
    private static var validationBatch: Int { 500 }

    /// Changes all rows of a request, and validates them afterwards if their entity has a
    /// validation; if any fails, all rows are as before.
    func update<E: Entity>(
        _ entity: E.Type, _ request: FetchRequest, _ assignments: [StoreAssignment]
    ) throws -> Int {
        let unit = try unit(of: E.self)
        try hold(E.self, request, deleting: false)
        guard traits[unit.entity].hasValidation else {
            return try change(unit.entity, refreshing: [unit.entity]) {
                try $0.update(request, assignments)
            }
        }
        return try change(unit.entity, refreshing: [unit.entity]) { session in
            // The condition may not hold any more afterwards, so the IDs are recorded before.
            var ids: [StoreValue] = []
            try session.fetch(ProjectionRequest([.column(0)], of: request)) { cursor in
                while cursor.next() {
                    let id = try E.ID(row: cursor.row, column: 0)
                    ids.append(try StoreValue(id, Coding.of(E.ID.self)))
                }
            }
            return try inSavepoint(session) {
                let count = try session.update(request, assignments)
                try validate(ids, of: unit, in: session)
                return count
            }
        }
    }

    private func validate<E: Entity>(
        _ ids: [StoreValue], of unit: UnitOfWork<E>, in session: any StoreSession
    ) throws {
        var failures = ValidationFailures()
        for start in stride(from: 0, to: ids.count, by: Self.validationBatch) {
            let batch = Array(ids[start..<min(start + Self.validationBatch, ids.count)])
            try unit.validateRows(batch, in: session, into: &failures)
        }
        try failures.check()
    }

    private func inSavepoint<R>(
        _ session: any StoreWriteSession, _ body: () throws -> R
    ) throws -> R {
        try session.openSavepoint()
        do {
            let result = try body()
            try session.releaseSavepoint()
            return result
        } catch {
            // Some failures have rolled back the whole transaction, which the next use
            // detects.
            if session.isInTransaction { try session.rollbackSavepoint() }
            throw error
        }
    }
}
