import GRDBSQLite
import SkiathosStore

extension SQLiteSession {
    /// How many levels of a cascade are left to SQLite, whose work for one grows with the square of their
    /// number.
    private static let shallowDepth: Int32 = 32

    /// Runs a statement that deletes rows of an entity, or deletes them one by one if others are
    /// deleted with them through many levels.
    ///
    /// - Parameters:
    ///   - entity: The position of the entity.
    ///   - statement: Runs the statement, whose failure may leave a part of its changes.
    ///   - oneByOne: Deletes the same rows.
    func cascading<R>(
        from entity: Int, _ statement: () throws -> R,
        orElse oneByOne: (inout DeepDeletion) throws -> R
    ) throws -> R {
        guard shared.cascades.mayBeDeep[entity] else { return try statement() }
        if let result = try ifShallow(statement) { return result }
        var deletion = DeepDeletion(self)
        return try oneByOne(&deletion)
    }

    /// Runs a closure; `nil` if it was rolled back since a cascade went too deep.
    private func ifShallow<R>(_ body: () throws -> R) throws -> R? {
        try perform(.openCascade)
        let deepest = sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, Self.shallowDepth)
        let result = Result { try body() }
        sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, deepest)
        // After some failures SQLite has rolled back the whole transaction.
        if isInTransaction {
            if case .failure = result { try perform(#"ROLLBACK TO "cascade""#) }
            try perform(.releaseCascade)
        }
        do {
            return try result.get()
        } catch let error as StoreError where error.code == .tooComplex && isInTransaction {
            return nil
        }
    }

    /// Deletes rows whose IDs are sent.
    func delete(_ rows: any RowSource, of entity: Int, _ statement: () throws -> Void) throws {
        try cascading(from: entity, statement) { deletion in
            for id in try rows.storedIDs() { _ = try deletion.delete(id, of: entity) }
        }
    }

    /// Deletes all rows of an entity.
    func deleteAll(of entity: Int) throws {
        let entitySQL = shared.requests.entities[entity]
        try cascading(from: entity) {
            try perform("DELETE FROM \(entitySQL.table)")
        } orElse: { deletion in
            _ = try delete(FetchRequest(entity: entity), by: &deletion)
        }
    }

    /// Deletes the rows of a request, which are found before the first one is deleted; returns how many
    /// were not deleted with another one.
    func delete(_ request: FetchRequest, by deletion: inout DeepDeletion) throws -> Int {
        let ids = SpilledIDs(shared.errors)
        let text = try shared.requests.selectIDs(request)
        try statement(text.sql).use { statement in
            try bind(text.parameters, to: statement, entity: request.entity)
            var code = sqlite3_step(statement.pointer)
            while code == SQLITE_ROW {
                try ids.append(StoreValue(statement.pointer, column: 0))
                code = sqlite3_step(statement.pointer)
            }
            try check(code, entity: request.entity)
        }
        var count = 0
        while let id = try ids.next(1).first {
            if try deletion.delete(id, of: request.entity) { count += 1 }
        }
        return count
    }
}
