#if RequestCore
public import SkiathosPlatformFoundation
public import SkiathosCore
public import SkiathosStore

extension QueuedRequest: Entity {
    /// The columns by the names of their properties.
    public struct Columns: Sendable {
        /// The ID.
        public let id = Column<QueuedRequest, QueuedRequest.ID>(0, Coding.of(QueuedRequest.ID.self))
        /// The ordering key: requests with the same key are delivered in order.
        public let key = Column<QueuedRequest, String>(1, Coding.of(String.self))
        /// Whether it is pending or dead-lettered.
        public let state = Column<QueuedRequest, State>(2, Coding.of(State.self))
        /// The method, such as `PATCH`.
        public let method = Column<QueuedRequest, String>(3, Coding.of(String.self))
        /// The path below the base URL.
        public let path = Column<QueuedRequest, String>(4, Coding.of(String.self))
        /// The items of the query.
        public let query = Column<QueuedRequest, [Field]>(5, Coding.of([Field].self))
        /// The headers, without credentials.
        public let headers = Column<QueuedRequest, [Field]>(6, Coding.of([Field].self))
        /// The bytes of the body.
        public let body = Column<QueuedRequest, Data?>(7, Coding.of(Data?.self))
        /// The media type of the body.
        public let contentType = Column<QueuedRequest, String?>(8, Coding.of(String?.self))
        /// The name for logs, metrics and spans.
        public let name = Column<QueuedRequest, String?>(9, Coding.of(String?.self))
        /// The `Idempotency-Key` of every delivery, by which a server recognises a repetition.
        public let idempotencyKey = Column<QueuedRequest, String>(10, Coding.of(String.self))
        /// How many deliveries have failed.
        public let attempts = Column<QueuedRequest, Int>(11, Coding.of(Int.self))
        /// How many failed deliveries have reached the server.
        public let attemptsAtServer = Column<QueuedRequest, Int>(12, Coding.of(Int.self))
        /// When the next delivery is due; nil is at once.
        public let nextAttempt = Column<QueuedRequest, Date?>(13, Coding.of(Date?.self))
        /// The code of the last failure, such as `timedOut`.
        public let lastError = Column<QueuedRequest, String?>(14, Coding.of(String?.self))
        /// The status of the last unsuccessful answer.
        public let lastStatus = Column<QueuedRequest, Int?>(15, Coding.of(Int?.self))
        /// When it was enqueued.
        public let created = Column<QueuedRequest, Date>(16, Coding.of(Date.self))
        /// When the last delivery has failed.
        public let lastAttempt = Column<QueuedRequest, Date?>(17, Coding.of(Date?.self))
    }

    /// The columns.
    public static let columns = Columns()
    /// The columns of a row of their own.
    public static func makeColumns() -> Columns { Columns() }

    /// The table and its keys.
    public static let schema = EntitySchema(
        QueuedRequest.self, table: "dataRequestQueue", id: Coding.of(QueuedRequest.ID.self),
        columns: [
            ColumnSchema("key", Coding.of(String.self)),
            ColumnSchema("state", Coding.of(State.self)),
            ColumnSchema("method", Coding.of(String.self)),
            ColumnSchema("path", Coding.of(String.self)),
            ColumnSchema("query", Coding.of([Field].self)),
            ColumnSchema("headers", Coding.of([Field].self)),
            ColumnSchema("body", Coding.of(Data?.self)),
            ColumnSchema("contentType", Coding.of(String?.self)),
            ColumnSchema("name", Coding.of(String?.self)),
            ColumnSchema("idempotencyKey", Coding.of(String.self)),
            ColumnSchema("attempts", Coding.of(Int.self)),
            ColumnSchema("attemptsAtServer", Coding.of(Int.self)),
            ColumnSchema("nextAttempt", Coding.of(Date?.self)),
            ColumnSchema("lastError", Coding.of(String?.self)),
            ColumnSchema("lastStatus", Coding.of(Int?.self)),
            ColumnSchema("created", Coding.of(Date.self)),
            ColumnSchema("lastAttempt", Coding.of(Date?.self)),
        ], unique: [["idempotencyKey"]], indexed: ["key"])

    /// The position of the column that a key path leads to.
    public static func column(at keyPath: PartialKeyPath<QueuedRequest>) -> Int? {
        switch keyPath {
        case \QueuedRequest.id: 0
        case \QueuedRequest.key: 1
        case \QueuedRequest.state: 2
        case \QueuedRequest.method: 3
        case \QueuedRequest.path: 4
        case \QueuedRequest.query: 5
        case \QueuedRequest.headers: 6
        case \QueuedRequest.body: 7
        case \QueuedRequest.contentType: 8
        case \QueuedRequest.name: 9
        case \QueuedRequest.idempotencyKey: 10
        case \QueuedRequest.attempts: 11
        case \QueuedRequest.attemptsAtServer: 12
        case \QueuedRequest.nextAttempt: 13
        case \QueuedRequest.lastError: 14
        case \QueuedRequest.lastStatus: 15
        case \QueuedRequest.created: 16
        case \QueuedRequest.lastAttempt: 17
        default: nil
        }
    }

    /// Makes one with the defaults.
    public init(id: QueuedRequest.ID) { self.id = id }

    /// Decodes a row.
    public init(row: RowReader) throws {
        id = try row.value(Coding.of(QueuedRequest.ID.self), at: 0)
        key = try row.value(Coding.of(String.self), at: 1)
        state = try row.value(Coding.of(State.self), at: 2)
        method = try row.value(Coding.of(String.self), at: 3)
        path = try row.value(Coding.of(String.self), at: 4)
        query = try row.value(Coding.of([Field].self), at: 5)
        headers = try row.value(Coding.of([Field].self), at: 6)
        body = try row.value(Coding.of(Data?.self), at: 7)
        contentType = try row.value(Coding.of(String?.self), at: 8)
        name = try row.value(Coding.of(String?.self), at: 9)
        idempotencyKey = try row.value(Coding.of(String.self), at: 10)
        attempts = try row.value(Coding.of(Int.self), at: 11)
        attemptsAtServer = try row.value(Coding.of(Int.self), at: 12)
        nextAttempt = try row.value(Coding.of(Date?.self), at: 13)
        lastError = try row.value(Coding.of(String?.self), at: 14)
        lastStatus = try row.value(Coding.of(Int?.self), at: 15)
        created = try row.value(Coding.of(Date.self), at: 16)
        lastAttempt = try row.value(Coding.of(Date?.self), at: 17)
    }

    /// Binds the value of a column.
    public func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(QueuedRequest.ID.self), at: position)
        case 1: try parameters.bind(key, Coding.of(String.self), at: position)
        case 2: try parameters.bind(state, Coding.of(State.self), at: position)
        case 3: try parameters.bind(method, Coding.of(String.self), at: position)
        case 4: try parameters.bind(path, Coding.of(String.self), at: position)
        case 5: try parameters.bind(query, Coding.of([Field].self), at: position)
        case 6: try parameters.bind(headers, Coding.of([Field].self), at: position)
        case 7: try parameters.bind(body, Coding.of(Data?.self), at: position)
        case 8: try parameters.bind(contentType, Coding.of(String?.self), at: position)
        case 9: try parameters.bind(name, Coding.of(String?.self), at: position)
        case 10: try parameters.bind(idempotencyKey, Coding.of(String.self), at: position)
        case 11: try parameters.bind(attempts, Coding.of(Int.self), at: position)
        case 12: try parameters.bind(attemptsAtServer, Coding.of(Int.self), at: position)
        case 13: try parameters.bind(nextAttempt, Coding.of(Date?.self), at: position)
        case 14: try parameters.bind(lastError, Coding.of(String?.self), at: position)
        case 15: try parameters.bind(lastStatus, Coding.of(Int?.self), at: position)
        case 16: try parameters.bind(created, Coding.of(Date.self), at: position)
        default: try parameters.bind(lastAttempt, Coding.of(Date?.self), at: position)
        }
    }

    /// The columns that differ.
    public func changedColumns(from other: QueuedRequest) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(key, other.key))
        changed.insert(2, if: !Coding.of(State.self).areIdentical(state, other.state))
        changed.insert(3, if: !Coding.of(String.self).areIdentical(method, other.method))
        changed.insert(4, if: !Coding.of(String.self).areIdentical(path, other.path))
        changed.insert(5, if: !Coding.of([Field].self).areIdentical(query, other.query))
        changed.insert(6, if: !Coding.of([Field].self).areIdentical(headers, other.headers))
        changed.insert(7, if: !Coding.of(Data?.self).areIdentical(body, other.body))
        changed.insert(8, if: !Coding.of(String?.self).areIdentical(contentType, other.contentType))
        changed.insert(9, if: !Coding.of(String?.self).areIdentical(name, other.name))
        changed.insert(
            10, if: !Coding.of(String.self).areIdentical(idempotencyKey, other.idempotencyKey))
        changed.insert(11, if: !Coding.of(Int.self).areIdentical(attempts, other.attempts))
        changed.insert(
            12, if: !Coding.of(Int.self).areIdentical(attemptsAtServer, other.attemptsAtServer))
        changed.insert(13, if: !Coding.of(Date?.self).areIdentical(nextAttempt, other.nextAttempt))
        changed.insert(14, if: !Coding.of(String?.self).areIdentical(lastError, other.lastError))
        changed.insert(15, if: !Coding.of(Int?.self).areIdentical(lastStatus, other.lastStatus))
        changed.insert(16, if: !Coding.of(Date.self).areIdentical(created, other.created))
        changed.insert(17, if: !Coding.of(Date?.self).areIdentical(lastAttempt, other.lastAttempt))
        return changed
    }
}
#endif
