import SkiathosStore

extension SQLiteSession {
    func apply(_ changes: [StoreChange]) throws {
        try requireWritable()
        guard let first = changes.first else { return }
        willApply(changes)
        // A statement that fails is rolled back, and a single row has no other to exchange
        // values with.
        if changes.count == 1, first.hasOneRow { return try carryOutAlone(first) }
        try perform(.openApplication)
        do {
            try carryOutSwapping(changes)
            try perform(.releaseApplication)
        } catch {
            try rollBackApplication()
            throw error
        }
    }

    func apply(_ changes: [StoreChange], onFailure recovery: FailureRecovery) throws {
        // Rows that exchange the values of a unique key may need a second attempt.
        guard recovery == .callerRollsBack, !changes.contains(where: touchesUniqueKey) else {
            return try apply(changes)
        }
        try requireWritable()
        willApply(changes)
        for change in changes { try carryOut(change, callerRollsBack: true) }
    }

    func insert(
        _ rows: any RowSource, count: Int, into entity: Int, onFailure recovery: FailureRecovery
    ) throws {
        guard recovery == .callerRollsBack, count < BulkThreshold.insertion else {
            return try apply([.insert(entity: entity, rows)], onFailure: recovery)
        }
        try requireWritable()
        willChange()
        try send(.insert, entity, rows) { try rows.sendRows(to: &$0) }
    }

    /// Runs the steps; after a conflict with a unique key that a later row changes, runs them
    /// once more with temporary values.
    ///
    /// SQLite checks unique keys row by row, so two rows cannot simply exchange their values.
    /// The first attempt uses no temporary values, since such exchanges are rare.
    private func carryOutSwapping(_ changes: [StoreChange]) throws {
        do {
            for change in changes { try carryOut(change) }
        } catch let error as StoreError where error.code == .uniqueViolation {
            let parkable = changes.filter(touchesUniqueKey)
            guard !parkable.isEmpty else { throw error }
            try perform(#"ROLLBACK TO "apply""#)
            for change in parkable { try park(change) }
            for change in changes { try carryOut(change) }
        }
    }

    /// Changes a single row.
    private func carryOutAlone(_ change: StoreChange) throws {
        do {
            try carryOut(change)
        } catch let error as StoreError where error.code == .damaged {
            // A damaged page can be met after the row is in some of the indexes, and SQLite goes on
            // after that, as it does not after other failures of this kind.
            try rollback()
            throw error
        }
    }

    /// - Parameter callerRollsBack: Whether a failure may leave partial changes.
    private func carryOut(_ change: StoreChange, callerRollsBack: Bool = false) throws {
        guard case .delete(let entity, let rows) = change else {
            return try carryOutByStatements(change, callerRollsBack)
        }
        try delete(rows, of: entity) { try carryOutByStatements(change, callerRollsBack) }
    }

    private func carryOutByStatements(_ change: StoreChange, _ callerRollsBack: Bool) throws {
        do {
            guard try !carryOutInBulk(change, callerRollsBack) else { return }
        } catch let error as StoreError where error.isAboutOneRow && error.rowPlace == nil {
            throw try locate(error, in: change)
        }
        try carryOutByRow(change)
    }

    private func carryOutByRow(_ change: StoreChange) throws {
        switch change {
        case .insert(let entity, let rows):
            try send(.insert, entity, rows) { try rows.sendRows(to: &$0) }
        case .update(let entity, let columns, let rows):
            guard !columns.isEmpty else { return }
            try send(.update(columns), entity, rows) { try rows.sendRows(to: &$0) }
        case .delete(let entity, let rows):
            try send(.delete, entity, rows) { try rows.sendIDs(to: &$0) }
        case .reserveIDs(let entity, let highest):
            try setHighestID(of: entity, to: highest)
        }
    }

    /// Finds the refused row after a statement for all rows has failed.
    ///
    /// Stores the rows one after the other until one is refused, and rolls that back.
    private func locate(_ error: StoreError, in change: StoreChange) throws -> StoreError {
        guard isInTransaction else { return error }
        try perform(.openApplication)
        defer { try? rollBackApplication() }
        do {
            try carryOutByRow(change)
        } catch let found as StoreError where found.code == error.code {
            return found
        }
        return error
    }

    /// Runs a change of many rows by one statement; returns whether it did.
    private func carryOutInBulk(_ change: StoreChange, _ callerRollsBack: Bool) throws -> Bool {
        let entities = shared.requests.entities
        switch change {
        case .insert(let entity, let rows):
            return try executeInBulk(
                rows, ifAtLeast: BulkThreshold.insertion,
                {
                    try entities[entity].insertInBulk(orFail: callerRollsBack && mayUseOrFail($0))
                }, entity, rows.lendRows)
        case .update(let entity, let columns, let rows):
            guard !columns.isEmpty else { return false }
            return try executeInBulk(
                rows, ifAtLeast: BulkThreshold.update,
                {
                    try entities[entity].updateInBulk(
                        columns, orFail: callerRollsBack && mayUseOrFail($0))
                }, entity, rows.lendRows)
        case .delete(let entity, let rows):
            return try executeInBulk(
                rows, ifAtLeast: BulkThreshold.deletion, { _ in entities[entity].deleteInBulk },
                entity, rows.lendIDs)
        case .reserveIDs: return false
        }
    }

    private func touchesUniqueKey(_ change: StoreChange) -> Bool {
        guard case .update(let entity, let columns, _) = change else { return false }
        return !columns.isDisjoint(with: shared.requests.entities[entity].uniqueColumns)
    }

    private func park(_ change: StoreChange) throws {
        guard case .update(let entity, let columns, let rows) = change else { return }
        let sql = shared.requests.entities[entity].park(columns)
        try send(to: try statement(sql), entity, rows) { try rows.sendIDs(to: &$0) }
    }

    func send(
        _ purpose: EntityStatements.Purpose, _ entity: Int, _ rows: any RowSource,
        _ body: (inout RowSink) throws -> Void
    ) throws {
        try send(to: try statement(for: purpose, entity), entity, rows, body)
    }

    /// Lets rows be sent to a statement.
    private func send(
        to statement: PreparedStatement, _ entity: Int, _ rows: any RowSource,
        _ body: (inout RowSink) throws -> Void
    ) throws {
        try statement.use { statement in
            var sink = RowSink(
                statement: statement.pointer, functions: SQLiteFunctions.table.pointer)
            do {
                try body(&sink)
            } catch let failure as BackendFailure {
                throw self.failure(failure.code, entity: entity)
                    .locating(row: sink.rowCount, of: rows)
            } catch let error as StoreError {
                throw error.locating(entity: shared.schema.entities[entity].table)
                    .locating(row: sink.rowCount, of: rows)
            }
        }
    }

    /// Rolls the steps back.
    private func rollBackApplication() throws {
        // After some failures SQLite has rolled back the whole transaction.
        guard isInTransaction else { return }
        try perform(#"ROLLBACK TO "apply""#)
        try perform(#"RELEASE "apply""#)
    }
}

extension StoreChange {
    /// Whether it is one row that changes.
    fileprivate var hasOneRow: Bool {
        switch self {
        case .insert(_, let rows), .update(_, _, let rows), .delete(_, let rows):
            rows.lendableCount == 1
        case .reserveIDs: false
        }
    }
}
