import GRDB
import GRDBSQLite
import SkiathosStore
import Testing

@testable import SkiathosSQLite

@Suite struct ErrorTranslationTests {
    @Test(arguments: [
        (SQLITE_FULL, StoreError.Code.diskFull), (SQLITE_IOERR | 4 << 8, .inputOutput),
        (SQLITE_CORRUPT | 1 << 8, .damaged), (SQLITE_NOTADB, .notADatabase),
        (SQLITE_READONLY | 3 << 8, .readOnly), (SQLITE_READONLY | 4 << 8, .inputOutput),
        (SQLITE_READONLY | 6 << 8, .notPermitted), (SQLITE_BUSY | 2 << 8, .busy),
        (SQLITE_LOCKED, .busy), (SQLITE_INTERRUPT, .interrupted), (SQLITE_TOOBIG, .tooBig),
        (SQLITE_CANTOPEN, .inputOutput), (SQLITE_MISUSE, .backend), (SQLITE_NOMEM, .backend),
        (SQLITE_CONSTRAINT | 1 << 8, .constraintViolation),
        (SQLITE_CONSTRAINT | 3 << 8, .foreignKeyViolation),
    ])
    func `every result code has its meaning`(code: Int32, expected: StoreError.Code) throws {
        let translation = ErrorTranslation(try TestEntities.schema(), file: nil)
        let error = translation.error(code, "words", entity: "user")
        #expect(error.code == expected)
        #expect(error.backendCode == Int(code))
        #expect(error.entity == "user")
    }

    @Test func `damage in the middle of a file is found and reported`() throws {
        let directory = try TemporaryDirectory()
        let store = try directory.open()
        let entity = store.position(User.self)
        let rows = Rows((1...2000).map { user(Int64($0), "name", age: Int64($0)) })
        try store.transaction { try $0.apply([.insert(entity: entity, rows)]) }
        try store.close()
        var bytes = try directory.bytes()
        let middle = bytes.count / 4096 / 2 * 4096
        bytes.replaceSubrange(middle..<middle + 4096, with: repeatElement(0xEE, count: 4096))
        try directory.write(bytes)
        let damaged = try directory.open()
        let problems = try? damaged.anyReader.read { try $0.integrityProblems() }
        #expect(problems?.isEmpty != true)
        try? damaged.close()
    }

    @Test func `a value of the store's own that cannot be read is damage, and is not shown`() throws
    {
        let errors = ErrorTranslation(try TestEntities.schema(), file: "a.sqlite")
        let failure = try #require(throws: RowDecodingError.self) {
            try DatabaseQueue().read { database in
                _ = try String.fetchAll(database, sql: "SELECT NULL AS secret")
            }
        }
        let error = try #require(errors.error(failure) as? StoreError)
        #expect(error.code == .damaged)
        #expect(!error.description.contains("secret"))
    }
}
