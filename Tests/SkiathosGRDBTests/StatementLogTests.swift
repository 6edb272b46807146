import GRDB
import Skiathos
import SkiathosGRDB
import SkiathosLocks
import SkiathosTesting
import Synchronization
import Testing

@Suite struct StatementLogTests {
    @Test(arguments: Place.allCases)
    func `raw SQL is logged with the call that it belongs to, and after a trace of its own`(
        _ place: Place
    ) async throws {
        let log = Lock<[LoggedStatement]>([])
        var configuration = Skiathos.Configuration()
        configuration.statementLog = .all { statement in log.withLock { $0.append(statement) } }
        let directory = try TemporaryDirectory()
        let source =
            place == .memory ? StoreSource.inMemory : .sqlite(directory.file("test.sqlite"))
        let line = #line + 3
        try await withStore(source, entities: Note.self, Tag.self, configuration: configuration) {
            dal in
            try await dal.write { try Self.add(2, in: $0) }
            try await dal.write { context in
                try context.sqlite { database in
                    database.trace { _ in }
                    try database.execute(sql: #"UPDATE "note" SET "text" = ?"#, arguments: ["x"])
                }
                try context.sqlite { try $0.execute(sql: #"DELETE FROM "note""#) }
            }
        }
        let statements = log.withLock { $0 }
        let insertions = statements.filter { $0.sql == #"INSERT INTO "note" ("text") VALUES (?)"# }
        #expect(insertions.map(\.place) == Array(repeating: "\(#fileID):\(line)", count: 2))
        #expect(insertions.allSatisfy { $0.access == .write })
        #expect(statements.contains { $0.sql == #"DELETE FROM "note""# })
    }

    private static func add(_ count: Int, in context: WriteContext) throws {
        try context.sqlite { database in
            for number in 0..<count {
                try database.execute(
                    sql: #"INSERT INTO "note" ("text") VALUES (?)"#, arguments: ["\(number)"])
            }
        }
    }
}
