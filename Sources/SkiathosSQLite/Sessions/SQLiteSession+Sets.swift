import GRDBSQLite
import SkiathosStore

extension SQLiteSession {
    func update(_ request: FetchRequest, _ assignments: [StoreAssignment]) throws -> Int {
        try requireWritable()
        guard !assignments.isEmpty else { return try count(request) }
        willChange()
        do {
            return try change(try shared.requests.update(request, assignments), request)
        } catch let error as StoreError {
            throw explain(error, request, assignments)
        }
    }

    func delete(_ request: FetchRequest) throws -> Int {
        try requireWritable()
        willDelete()
        return try cascading(from: request.entity) {
            try change(try shared.requests.delete(request), request)
        } orElse: { deletion in
            try delete(request, by: &deletion)
        }
    }

    func deleteEverything() throws {
        try requireWritable()
        willDelete()
        for entity in shared.schema.entities.indices where hasIntegerID(entity) {
            try setHighestID(of: entity, to: try highestID(of: entity))
        }
        // Those that refer come after those that are referred to, so from the end no row is
        // deleted that another one still refers to, apart from cycles.
        for entity in shared.schema.entities.indices.reversed() { try deleteAll(of: entity) }
    }

    private func change(_ text: SQLText, _ request: FetchRequest) throws -> Int {
        try rollingBackIfRefused {
            try statement(text.sql).use { statement in
                try bind(text.parameters, to: statement, entity: request.entity)
                return try metered(statement, request, rows: 0) {
                    try check(sqlite3_step(statement.pointer), entity: request.entity)
                    return Int(sqlite3_changes64(handle))
                }
            }
        }
    }

    /// The error for a value that its column cannot hold, in the terms of the change: SQLite speaks of
    /// column types where a sum is beyond 64 bits, and of no value where one is not a number.
    private func explain(
        _ error: StoreError, _ request: FetchRequest, _ assignments: [StoreAssignment]
    ) -> StoreError {
        let entity = shared.schema.entities[request.entity]
        let computed = assignments.filter(\.isComputed).map { entity.columns[$0.column].name }
        let columns = error.columns.isEmpty ? computed : error.columns
        let isOfConstraint = [ConstraintCode.dataType, ConstraintCode.notNull]
            .contains { error.backendCode == Int($0) }
        // The condition may compute as well.
        let isOfCheck =
            error.code == .invalidValue
            && (request.predicate == nil || error.isColumnCheckFailure)
        guard isOfConstraint || isOfCheck, !columns.isEmpty,
            columns.allSatisfy(computed.contains)
        else { return error }
        let names = columns.map { "\"\(entity.table)\".\"\($0)\"" }.joined(separator: " or ")
        return StoreError(
            .invalidValue,
            "The change would give \(names) a value that the column cannot hold. Nothing was changed; exclude such rows by the condition.",
            entity: entity.table, columns: columns, backendCode: error.backendCode)
    }
}

extension StoreAssignment {
    /// Whether the new value is a number that SQLite computes.
    fileprivate var isComputed: Bool {
        switch operation {
        case .add: true
        case .set(let expression): !expression.isCopy
        }
    }
}
