import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import SkiathosSQLite
@testable import SkiathosStore

/// Rows that join a transaction without a savepoint around them.
@Suite struct LoneInsertionTests {
    /// A transaction that holds a user beside one that is committed, as a batch of writes.
    ///
    /// It is committed, unless the closure rolls it back.
    ///
    /// - Parameter ids: Those of all users afterwards.
    private func withBatch(
        _ kind: StoreKind = .file, leaving ids: [Int64],
        _ body: (any PersistentStore, any StoreWriteSession) throws -> Void
    ) throws {
        try kind.withStore { store in
            try store.insert(Company.self, [1, "Acme"])
            try store.insert(User.self, user(1, email: "ada", company: 1))
            try store.writer.withSession { session in
                try session.begin()
                try session.apply([
                    .insert(
                        entity: store.position(User.self), Rows([user(2, email: "bob", company: 1)])
                    )
                ])
                try body(store, session)
                if session.isInTransaction { try session.commit() }
            }
            #expect(try store.ids(User.self).sorted() == ids)
        }
    }

    private func insertUser(
        _ row: [StoreValue], _ store: any PersistentStore, _ session: any StoreWriteSession
    ) throws -> LoneInsertion {
        try session.insertAlone(Rows([row]), into: store.position(User.self))
    }

    /// What the open transaction holds of users.
    private func users(
        _ store: any PersistentStore, _ session: any StoreWriteSession
    ) throws -> [[StoreValue]] {
        let entity = store.position(User.self)
        let request = FetchRequest(entity: entity, order: [.init(.column(0), descending: false)])
        return try collect(store.schema.entities[entity].columns) {
            try session.fetch(request, $0)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a row joins a transaction`(_ kind: StoreKind) throws {
        try withBatch(kind, leaving: [1, 2, 3, 4]) { store, session in
            #expect(try insertUser(user(3, company: 1), store, session).isInserted)
            #expect(try insertUser(user(4), store, session).isInserted)
            try session.checkReferences()
        }
    }

    /// A row that cannot be stored, and why.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: StoreError.Code
        let row: [StoreValue]
    }

    static let refusals = [
        Refusal(testDescription: "an ID that is taken", code: .uniqueViolation, row: user(2)),
        Refusal(
            testDescription: "a unique value of the same transaction", code: .uniqueViolation,
            row: user(3, email: "bob", company: 1)),
        Refusal(
            testDescription: "a missing value", code: .notNullViolation,
            row: [3, .null, .null, 1, .null, .null, .null, 1]),
        Refusal(
            testDescription: "a reference to no row", code: .foreignKeyViolation,
            row: user(3, email: "eve", company: 9)),
        Refusal(testDescription: "no number", code: .invalidValue, row: user(3, score: .nan)),
        Refusal(testDescription: "a text with NUL", code: .invalidValue, row: user(3, "a\0b")),
        Refusal(
            testDescription: "a text that is too long", code: .tooBig,
            row: user(3, String(repeating: "x", count: 3_000))),
        Refusal(
            testDescription: "a row that is too long", code: .tooBig,
            row: user(
                3, String(repeating: "x", count: 1_500), email: String(repeating: "y", count: 1_500)
            )),
        Refusal(
            testDescription: "a value of another type", code: .constraintViolation,
            row: [3, "Ada", .null, "thirty", .null, .null, .null, .null]),
    ]

    @Test(arguments: StoreKind.allCases, refusals)
    func `a refused row leaves nothing, and the transaction as it was`(
        _ kind: StoreKind, _ refusal: Refusal
    ) throws {
        try withBatch(kind, leaving: [1, 2, 3]) { store, session in
            let handle = try #require((session as? SQLiteSession)?.handle)
            let limit = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 2_000)
            let before = try users(store, session)
            guard case .refused(let error) = try insertUser(refusal.row, store, session) else {
                Issue.record("It was not refused.")
                return
            }
            sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, limit)
            #expect((error as? StoreError)?.code == refusal.code, "\(error)")
            #expect((error as? StoreError)?.entity == "user")
            #expect(session.isInTransaction)
            try session.checkReferences()
            #expect(try users(store, session) == before)
            #expect(try insertUser(user(3, email: "eve"), store, session).isInserted)
        }
    }

    @Test func `rows with texts as IDs, and those with required references, are undone`() throws {
        try withBatch(leaving: [1, 2]) { store, session in
            let (tags, badges) = (store.position(Tag.self), store.position(Badge.self))
            let rows: [(entity: Int, row: [StoreValue], code: StoreError.Code?)] = [
                (tags, ["a", "x"], nil), (tags, ["a", "y"], .uniqueViolation),
                (tags, ["b", "x"], .uniqueViolation), (badges, [1, 2, .blob([1]), 1.0], nil),
                (badges, [2, 9, .blob([2]), 2.0], .foreignKeyViolation),
                (badges, [2, 1, .blob([2]), 2.0], nil),
            ]
            for (entity, row, code) in rows {
                let insertion = try session.insertAlone(Rows([row]), into: entity)
                #expect(insertion.refusal?.code == code)
                #expect(insertion.isInserted == (code == nil))
            }
            #expect(try session.count(FetchRequest(entity: badges)) == 2)
            #expect(try session.count(FetchRequest(entity: tags)) == 1)
        }
    }

    /// The order of SQLite's program, on which all of this rests.
    @Test func `an insertion checks everything before it writes anything`() throws {
        try StoreKind.file.withStore { store in
            // Also with an index that a user has made.
            try store.transaction {
                try $0.execute("CREATE INDEX mine ON user (upper(firstname)) WHERE age > 1")
            }
            try store.writer.withSession { session in
                let session = try #require(session as? SQLiteSession)
                for entity in session.shared.requests.entities {
                    let program = try session.program(of: entity.insert)
                    let writes: Set = ["Insert", "IdxInsert"]
                    let first = try #require(program.firstIndex { writes.contains($0) })
                    let end = try #require(program[first...].firstIndex(of: "Halt"))
                    let harmless: Set = ["Integer", "Null"]
                    let rest = Set(program[first..<end]).subtracting(writes)
                    #expect(rest.subtracting(harmless) == [], "\(entity.table)")
                    #expect(program.count { $0 == "Transaction" } == 1)
                    #expect(!program.contains("Program"))
                }
            }
        }
    }

    @Test func `a failure of memory before the statement runs leaves the transaction`() throws {
        try withBatch(leaving: [1]) { store, session in
            let entity = store.position(User.self)
            let early = FailingRows(hasRun: false)
            #expect(try session.insertAlone(early, into: entity).refusal != nil)
            #expect(throws: StoreError.self) {
                _ = try session.insertAlone(FailingRows(hasRun: true), into: entity)
            }
            try session.rollback()
        }
    }

    @Test func `a row that another row follows is not undone alone`() throws {
        try withBatch(leaving: [1]) { store, session in
            #expect(throws: StoreError.self) {
                _ = try session.insertAlone(
                    Rows([user(3), user(1)]), into: store.position(User.self))
            }
            try session.rollback()
        }
    }

    @Test func `a damaged index throws, and later rows get a savepoint`() throws {
        let directory = try TemporaryDirectory()
        do {
            let store = try directory.open()
            for id in 1...200 { try store.insert(User.self, user(Int64(id), email: "\(id)")) }
            try store.close()
        }
        try directory.damageIndex("user_index_age")
        let store = try directory.open()
        let entity = store.position(User.self)
        try store.writer.withSession { session in
            try session.begin()
            #expect(try session.insertAlone(Rows([["z", .null]]), into: 4).isInserted)
            _ = try storeError(.damaged) {
                _ = try session.insertAlone(Rows([user(300, email: "300")]), into: entity)
            }
            try session.rollback()
            try session.begin()
            for row in [user(300, email: "300"), user(301)] {
                #expect(try session.insertAlone(Rows([row]), into: entity).isNotOffered)
            }
            try session.rollback()
        }
        try store.close()
    }

    @Test func `a step of one row that meets a damaged page ends the transaction`() throws {
        let directory = try TemporaryDirectory()
        do {
            let store = try directory.open()
            for id in 1...200 { try store.insert(User.self, user(Int64(id), email: "\(id)")) }
            try store.close()
        }
        try directory.damageIndex("user_index_age")
        let store = try directory.open()
        let entity = store.position(User.self)
        try store.writer.withSession { session in
            for change in [
                StoreChange.insert(entity: entity, LendableRows([user(300, email: "300")])),
                .update(
                    entity: entity, columns: [UserColumn.age],
                    LendableRows([[31, 1]], idIsLast: true)),
                .delete(entity: entity, LendableRows([[1]])),
            ] {
                try session.begin()
                _ = try storeError(.damaged) { try session.apply([change]) }
                #expect(!session.isInTransaction, "\(change)")
                try session.rollback()
            }
        }
        try store.close()
    }

    @Test func `a row that rows of a damaged file refer to is not deleted with them`() throws {
        enum Node {}
        let node = EntitySchema(
            Node.self, table: "node", id: Coding.of(Int64.self),
            columns: [
                ColumnSchema("left", Coding.of(Reference<Node>?.self), onDelete: .cascade),
                ColumnSchema("right", Coding.of(Reference<Node>?.self)),
            ])
        let directory = try TemporaryDirectory()
        try directory.open([node]).close()
        // Another program has left a reference that leads nowhere.
        var configuration = GRDB.Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: directory.file(), configuration: configuration)
        try queue.write { try $0.execute(sql: "INSERT INTO node VALUES (1, 7, NULL)") }
        try queue.close()
        let store = try directory.open([node])
        try store.writer.withSession { session in
            try session.begin()
            // SQLite counts what is broken, and the row repairs one of it.
            _ = try storeError(.damaged) {
                _ = try session.insertAlone(Rows([[7, 90, 91]]), into: 0)
            }
            try session.rollback()
        }
        #expect(try store.ids(Node.self) == [1])
        try store.close()
    }

    @Test func `rows whose insertion runs triggers get a savepoint`() throws {
        try withBatch(leaving: [1]) { store, session in
            #expect(try insertUser(user(3), store, session).isInserted)
            try session.execute(
                "CREATE TEMP TRIGGER t AFTER INSERT ON user BEGIN SELECT RAISE(FAIL, 'no'); END")
            #expect(try insertUser(user(4), store, session).isNotOffered)
            try session.rollback()
        }
        let directory = try TemporaryDirectory()
        let searched = EntitySchema(
            Company.self, table: "company", id: Coding.of(Int64.self),
            columns: [ColumnSchema("name", Coding.of(String.self))], searchable: ["name"])
        let store = try directory.open([searched, TestEntities.tag])
        try store.writer.withSession { session in
            try session.begin()
            #expect(try session.insertAlone(Rows([[1, "a"]]), into: 0).isNotOffered)
            #expect(try session.insertAlone(Rows([["a", "b"]]), into: 1).isInserted)
            try session.rollback()
        }
        try store.close()
        let declaring = try directory.open(
            [searched, TestEntities.tag], StoreOptions(declaredObjects: ["mine"]))
        try declaring.writer.withSession { session in
            try session.begin()
            #expect(try session.insertAlone(Rows([["a", "b"]]), into: 1).isNotOffered)
            try session.rollback()
        }
        try declaring.close()
    }
}

/// A row at which the backend fails.
private struct FailingRows: RowSource {
    let hasRun: Bool

    func sendRows(to sink: inout RowSink) throws {
        throw BackendFailure(code: SQLITE_NOMEM, hasRun: hasRun)
    }

    func sendIDs(to sink: inout RowSink) throws {}
}

extension LoneInsertion {
    fileprivate var isInserted: Bool { if case .inserted = self { true } else { false } }
    fileprivate var isNotOffered: Bool { if case .notOffered = self { true } else { false } }

    fileprivate var refusal: StoreError? {
        if case .refused(let error) = self { error as? StoreError } else { nil }
    }
}

extension SQLiteSession {
    /// The names of the operations of a statement's program, in order.
    fileprivate func program(of sql: String) throws -> [String] {
        // Parameters stand for values, which do not matter.
        let values = Array(repeating: 1, count: sql.count { $0 == "?" })
        return try natively { database in
            try Row.fetchAll(
                database, sql: "EXPLAIN \(sql)", arguments: StatementArguments(values)
            ).map { $0["opcode"] }
        }
    }
}

extension TemporaryDirectory {
    /// Overwrites the first bytes of an index of a store that is closed.
    fileprivate func damageIndex(_ name: String) throws {
        let queue = try DatabaseQueue(path: file())
        let (root, size) = try queue.read { database in
            let root = try Int.fetchOne(
                database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?",
                arguments: [name])
            return (
                try #require(root),
                try #require(try Int.fetchOne(database, sql: "PRAGMA page_size"))
            )
        }
        try queue.close()
        var bytes = try bytes()
        bytes.replaceSubrange((root - 1) * size..<(root - 1) * size + 8, with: Data(count: 8))
        try write(bytes)
    }
}
