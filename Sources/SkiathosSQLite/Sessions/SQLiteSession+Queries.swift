import GRDBSQLite
import SkiathosStore

extension SQLiteSession: StoreSession {
    func fetch(_ request: FetchRequest, _ body: (inout RowCursor) throws -> Void) throws {
        let (statement, parameters) = try statement(.select, request) {
            try shared.requests.select(request)
        }
        try statement.use { statement in
            try bind(parameters, of: request, to: statement)
            try walk(statement, entity: request.entity, request, body)
        }
    }

    func fetch(
        entity: Int, id: StoreValue, _ body: (inout RowCursor) throws -> Void
    ) throws {
        if try lookUp(entity: entity, id: id, body) { return }
        let statement = try statement(for: .find, entity)
        try statement.use { statement in
            if case .integer(let id) = id {
                // The common case, without an array of values.
                try check(bindingCode: sqlite3_bind_int64(statement.pointer, 1, id))
            } else {
                try bind([id], to: statement, entity: entity)
            }
            try walk(statement, entity: entity, nil, body)
        }
    }

    func fetch(
        entity: Int, ids: [StoreValue], _ body: (inout RowCursor) throws -> Void
    ) throws {
        let request = FetchRequest(entity: entity, predicate: .contained(.column(0), ids))
        guard hasIntegerID(entity), let numbers = BulkIDs(ids) else {
            return try fetch(request, body)
        }
        let statement = try statement(for: numbers.areRuns ? .findRuns : .findInBulk, entity)
        let rows = BulkRows(numbers.rows, statement.pointer)
        try withExtendedLifetime(rows) {
            try statement.use { statement in
                try check(bindingCode: rows.bind())
                try walk(statement, entity: entity, request, body)
            }
        }
    }

    func fetch(_ request: ProjectionRequest, _ body: (inout RowCursor) throws -> Void) throws {
        let text = try shared.requests.project(request)
        let statement = try statement(text.sql)
        try statement.use { statement in
            try bind(text.parameters, to: statement, entity: request.rows.entity)
            try walk(
                statement, entity: request.rows.entity, request.rows, areRows: false, body)
        }
    }

    func fetch(_ request: UnionRequest, _ body: (inout RowCursor) throws -> Void) throws {
        let text = try shared.requests.union(request)
        // The meter gets the first part for the whole; a union has at least one.
        guard let first = request.parts.first else { return }
        try walk(text, first.rows, body)
    }

    func search(_ request: SearchRequest, _ body: (inout RowCursor) throws -> Void) throws {
        try walk(try shared.requests.search(request), request.rows, body)
    }

    func count(_ request: FetchRequest) throws -> Int {
        Int(try integer(.count, request) { try shared.requests.count(request) })
    }

    func exists(_ request: FetchRequest) throws -> Bool {
        try integer(.exists, request) { try shared.requests.exists(request) } != 0
    }

    private func integer(
        _ purpose: RequestShape.Purpose, _ request: FetchRequest, _ write: () throws -> SQLText
    ) throws -> Int64 {
        let (statement, parameters) = try statement(purpose, request, write)
        return try statement.use { statement in
            try bind(parameters, of: request, to: statement)
            return try integer(statement, entity: request.entity, request)
        }
    }

    /// The statement of a request, found by its shape if it has one, and the values of its
    /// parameters unless they are those of the request.
    private func statement(
        _ purpose: RequestShape.Purpose, _ request: FetchRequest, _ write: () throws -> SQLText
    ) throws -> (PreparedStatement, [StoreValue]?) {
        let shape = RequestShape(request, for: purpose)
        if let shape, let known = statements.statement(for: shape) { return (known, nil) }
        let text = try write()
        let statement = try statement(text.sql)
        if let shape { statements.keep(statement, for: shape, sql: text.sql) }
        return (statement, text.parameters)
    }

    private func walk(
        _ text: SQLText, _ request: FetchRequest, _ body: (inout RowCursor) throws -> Void
    ) throws {
        try walk(try statement(text.sql), text.parameters, request, body)
    }

    private func walk(
        _ statement: PreparedStatement, _ parameters: [StoreValue], _ request: FetchRequest,
        _ body: (inout RowCursor) throws -> Void
    ) throws {
        try statement.use { statement in
            try bind(parameters, to: statement, entity: request.entity)
            try walk(statement, entity: request.entity, request, body)
        }
    }

    /// Passes the rows of a bound statement to a closure.
    private func walk(
        _ statement: PreparedStatement, entity: Int, _ request: FetchRequest?, areRows: Bool = true,
        _ body: (inout RowCursor) throws -> Void
    ) throws {
        // One that finds a row by its ID has no request.
        if checksCancellation, request != nil { installCancellationCheckIfNeeded() }
        let rows = areRows ? statement.pointer : nil
        if let meter {
            return try meter.walk(statement, request, in: self) {
                try walk(&$0, entity, rows, body)
            }
        }
        let functions =
            checksCancellation ? SQLiteFunctions.checkingCancellation : SQLiteFunctions.table
        var cursor = RowCursor(statement: statement.pointer, functions: functions.pointer)
        cursor.expectedCount = statement.rowCount
        try walk(&cursor, entity, rows, body)
        statement.rowCount = cursor.decodedCount
    }

    /// Passes the rows of a cursor to a closure.
    ///
    /// - Parameter rows: The statement, if its results are the columns of the entity in order.
    func walk(
        _ cursor: inout RowCursor, _ entity: Int, _ rows: OpaquePointer?,
        _ body: (inout RowCursor) throws -> Void
    ) throws {
        do {
            try body(&cursor)
        } catch {
            // A failing query may be the cause of the closure's error.
            try check(cursor.code, entity: entity)
            guard let error = error as? StoreError else { throw error }
            throw locate(error, entity: entity, in: cursor.code == SQLITE_ROW ? rows : nil)
        }
        try check(cursor.code, entity: entity)
    }

    /// Binds these values, or without them those of a request that has a shape.
    private func bind(
        _ values: [StoreValue]?, of request: FetchRequest, to statement: PreparedStatement
    ) throws {
        if let values { return try bind(values, to: statement, entity: request.entity) }
        let parameters = statement.parameters
        var position = 0
        try locatingBinding(request.entity) {
            try request.forEachParameter {
                try $0.bind(to: parameters, at: position)
                position += 1
            }
        }
    }

    func check(bindingCode code: Int32) throws {
        if code != SQLITE_OK { throw failure(code, entity: nil) }
    }

    /// Adds the names of the entity and, where its rows are read, the column and the row's ID.
    private func locate(_ error: StoreError, entity: Int, in rows: OpaquePointer?) -> StoreError {
        let schema = shared.schema.entities[entity]
        guard error.entity == nil else { return error }
        guard error.code == .undecodableValue, let rows, let column = error.position,
            schema.columns.indices.contains(column)
        else { return error.locating(entity: schema.table) }
        var located = error.locating(entity: schema.table, columns: [schema.columns[column].name])
        located.rowID = StoreValue(rows, column: 0)
        return located
    }
}
