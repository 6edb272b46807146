import GRDBSQLite
import SkiathosStore

extension SQLiteSession {
    func update(_ request: FetchRequest, _ assignments: [StoreAssignment]) throws -> Int {
        try requireWritable()
        guard !assignments.isEmpty else { return try count(request) }
        willChange()
        do {
            return try change(try texts.requests.update(request, assignments), request)
        } catch let error as StoreError {
            throw explain(error, request, assignments)
        }
    }

    func delete(_ request: FetchRequest) throws -> Int {
        try requireWritable()
        willDelete()
        return try change(try texts.requests.delete(request), request)
    }

    func deleteEverything() throws {
        try requireWritable()
        willDelete()
        for entity in texts.schema.entities.indices where hasIntegerID(entity) {
            try setHighestID(of: entity, to: try highestID(of: entity))
        }
        // Those that refer come after those that are referred to, so from the end no row is
        // deleted that another one still refers to, apart from cycles.
        for texts in texts.requests.entities.reversed() {
            try perform("DELETE FROM \(texts.table)")
        }
    }

    private func change(_ text: SQLText, _ request: FetchRequest) throws -> Int {
        try undoneIfRefused {
            try statement(text.sql).use { statement in
                try bind(text.parameters, to: statement, entity: request.entity)
                return try metered(statement, request, rows: 0) {
                    try check(sqlite3_step(statement.pointer), entity: request.entity)
                    return Int(sqlite3_changes64(handle))
                }
            }
        }
    }

    /// A sum beyond 64 bits becomes a floating point number in SQLite, which an integer column
    /// refuses; the error should speak of the sum and not of column types.
    private func explain(
        _ error: StoreError, _ request: FetchRequest, _ assignments: [StoreAssignment]
    ) -> StoreError {
        let sums = assignments.filter { if case .add = $0.operation { true } else { false } }
        let isOverflow = error.backendCode == Int(ConstraintCode.dataType)
        let isDecimal = error.message.contains(DecimalArithmetic.failure)
        guard !sums.isEmpty, isOverflow || isDecimal else { return error }
        let entity = texts.schema.entities[request.entity]
        let columns =
            error.columns.isEmpty ? sums.map { entity.columns[$0.column].name } : error.columns
        let names = columns.map { "\"\(entity.table)\".\"\($0)\"" }.joined(separator: " or ")
        return StoreError(
            .invalidValue,
            "Adding to \(names) would give a number that the column cannot hold. Nothing was changed; exclude such rows by the condition.",
            entity: entity.table, columns: columns, backendCode: error.backendCode)
    }
}
