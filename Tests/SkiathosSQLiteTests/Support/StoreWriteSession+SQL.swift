import GRDB
import SkiathosStore
import Testing

extension StoreWriteSession {
    /// Executes raw SQL, with the statements that GRDB keeps if that is asked for.
    func execute(_ sql: String, kept: Bool = false) throws {
        _ = try writeNatively { database in
            let database = try #require(database as? Database)
            guard kept else { return try database.execute(sql: sql) }
            try database.cachedStatement(sql: sql).execute()
        }
    }

    /// Executes raw SQL, and does not mind if it fails.
    func attempt(_ sql: String) throws {
        _ = try writeNatively { database in
            try? (database as? Database)?.execute(sql: sql)
        }
    }
}
