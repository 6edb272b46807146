import Foundation
import GRDB
import SkiathosStore
import Testing

@testable import SkiathosSQLite

@Suite struct SchemaTests {
    @Test func `tables are created as documented`() throws {
        let layouts = TableLayout.expected(by: try TestEntities.schema())
        let sql = TableLayout.creation(of: layouts)
        let expected = [
            #"CREATE TABLE "skiathos_sequence" ("entity" TEXT PRIMARY KEY NOT NULL, "highest" INTEGER NOT NULL) STRICT, WITHOUT ROWID"#,
            #"CREATE TABLE "skiathos_migration" ("name" TEXT PRIMARY KEY NOT NULL, "applied" TEXT NOT NULL) STRICT, WITHOUT ROWID"#,
            #"CREATE TABLE "skiathos_layout" ("fingerprint" TEXT PRIMARY KEY NOT NULL, "position" INTEGER NOT NULL, "applied" TEXT NOT NULL, "layout" TEXT) STRICT, WITHOUT ROWID"#,
            #"CREATE TABLE "company" ("id" INTEGER PRIMARY KEY NOT NULL, "name" TEXT NOT NULL) STRICT"#,
            #"CREATE UNIQUE INDEX "company_unique_name" ON "company" ("name")"#,
            #"CREATE TABLE "user" ("id" INTEGER PRIMARY KEY NOT NULL, "firstname" TEXT NOT NULL, "email" TEXT, "age" INTEGER NOT NULL, "score" REAL, "photo" BLOB, "balance" TEXT, "company" INTEGER REFERENCES "company"("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED) STRICT"#,
            #"CREATE UNIQUE INDEX "user_unique_email" ON "user" ("email")"#,
            #"CREATE INDEX "user_index_age" ON "user" ("age")"#,
            #"CREATE INDEX "user_index_company" ON "user" ("company")"#,
            #"CREATE TABLE "invoice" ("id" INTEGER PRIMARY KEY NOT NULL, "number" INTEGER NOT NULL, "payer" INTEGER NOT NULL REFERENCES "user"("id") ON DELETE NO ACTION DEFERRABLE INITIALLY DEFERRED) STRICT"#,
            #"CREATE UNIQUE INDEX "invoice_unique_payer_number" ON "invoice" ("payer", "number")"#,
            #"CREATE TABLE "badge" ("id" INTEGER PRIMARY KEY NOT NULL, "owner" INTEGER NOT NULL REFERENCES "user"("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, "code" BLOB NOT NULL, "rank" REAL NOT NULL) STRICT"#,
            #"CREATE UNIQUE INDEX "badge_unique_code" ON "badge" ("code")"#,
            #"CREATE UNIQUE INDEX "badge_unique_rank" ON "badge" ("rank")"#,
            #"CREATE INDEX "badge_index_owner" ON "badge" ("owner")"#,
            #"CREATE TABLE "odd ""tag"", really" ("id" TEXT PRIMARY KEY NOT NULL, "the ""order"".x" TEXT) STRICT, WITHOUT ROWID"#,
            #"CREATE UNIQUE INDEX "odd ""tag"", really_unique_the ""order"".x" ON "odd ""tag"", really" ("the ""order"".x")"#,
        ]
        #expect(sql == expected)
    }

    @Test func `an opened store finds the tables that were created`() throws {
        let queue = try DatabaseQueue()
        let layouts = TableLayout.expected(by: try TestEntities.schema())
        try queue.write { database in
            for statement in TableLayout.creation(of: layouts) {
                try database.execute(sql: statement)
            }
            try database.execute(
                sql: "CREATE VIEW v AS SELECT 1; CREATE VIRTUAL TABLE f USING fts5(t)")
            let plan = try SchemaPlanner(
                try TestEntities.schema(), [], declaredObjects: ["v", "f"]
            ).plan(
                SchemaSnapshot.introspect(database), in: database)
            #expect(plan.isEmpty)
            #expect(plan.missingBookkeeping.isEmpty)
            #expect(plan.notesLayout)
        }
    }

    @Test func `index names never clash`() throws {
        let entity = EntitySchema(
            User.self, table: "a", id: Coding.of(Int64.self),
            columns: ["b", "b_c", "c"].map { ColumnSchema($0, Coding.of(Int.self)) },
            unique: [["b_c"], ["b", "c"], ["b", "c"], ["id"]], indexed: ["b", "c", "c", "id"])
        let clash = EntitySchema(
            Company.self, table: "A_unique_b_c", id: Coding.of(Int64.self), columns: [])
        let schema = try TestEntities.schema([entity, clash])
        let store = try StoreSource.inMemory.open(schema, StoreOptions())
        try store.close()
        let names = TableLayout.creation(of: TableLayout.expected(by: schema))
            .filter { $0.contains("INDEX") }
        #expect(
            names == [
                #"CREATE UNIQUE INDEX "a_unique_b_c_2" ON "a" ("b_c")"#,
                #"CREATE UNIQUE INDEX "a_unique_b_c_3" ON "a" ("b", "c")"#,
                #"CREATE INDEX "a_index_c" ON "a" ("c")"#,
            ])
    }

    @Test func `other entities are refused with a plan, and the file is left as it was`() throws {
        let directory = try TemporaryDirectory()
        try directory.open().close()
        let bytes = try directory.bytes()
        let changed = EntitySchema(
            User.self, table: "user", id: Coding.of(Int64.self),
            columns: [
                ColumnSchema("firstname", Coding.of(String?.self)),
                ColumnSchema("email", Coding.of(String?.self)),
                ColumnSchema("age", Coding.of(Double.self)),
                ColumnSchema("score", Coding.of(Double?.self)),
                ColumnSchema("nick", Coding.of(String.self)),
                ColumnSchema("balance", Coding.of(Decimal?.self)),
                ColumnSchema("company", Coding.of(Reference<Company>?.self), onDelete: .cascade),
                ColumnSchema("boss", Coding.of(Reference<User>?.self)),
            ], unique: [["email", "age"]], indexed: ["balance"])
        let tag = EntitySchema(
            Tag.self, table: "label", id: Coding.of(Data.self), columns: [])
        let error = try storeError(.schemaMismatch) {
            _ = try directory.open([
                TestEntities.company, changed, TestEntities.invoice, TestEntities.badge, tag,
            ])
        }
        let plan = error.message.split(separator: "\n").dropFirst(2)
        let expected = [
            #"1. add column "nick" to "user""#,
            #"2. add column "boss" to "user""#,
            #"3. create table "label""#,
            #"4. rebuild "user": make "firstname" optional; change the delete rule of "company" to CASCADE"#,
            #"5. drop the index on "age" of "user""#,
            #"6. drop the index on "email" of "user""#,
            #"7. make "email", "age" of "user" unique"#,
            #"8. add an index on "balance" to "user""#,
            #"9. add an index on "boss" to "user""#,
            "That cannot be done:",
            #"- The column "user"."age" changes from INTEGER NOT NULL to REAL NOT NULL. Let a step that has 'user.age' among its converts give every row its new value."#,
            #"- The file has a column "user"."photo" that the entity lacks. Say which property it has become with @Renamed, or let a step drop 'user.photo'."#,
            #"- The file has a table "odd ""tag"", really" that no entity has. Say which entity it has become with renamedFrom, or let a step drop 'odd "tag", really'."#,
        ]
        #expect(plan.map(String.init) == expected)
        #expect(error.message.contains("left as it was"))
        #expect(try directory.bytes() == bytes)
    }

    @Test func `fewer entities are refused, and more are added`() throws {
        let directory = try TemporaryDirectory()
        try directory.open([TestEntities.company, TestEntities.user]).close()
        #expect(
            try storeError(.schemaMismatch) { _ = try directory.open([TestEntities.company]) }
                .message.contains(#"a table "user" that no entity has"#))
        try directory.open().close()
        try directory.open(TestEntities.all.reversed()).close()
        #expect(
            try storeError(.newerStore) {
                _ = try directory.open([TestEntities.user, TestEntities.company])
            }.message.contains("newer version of the program"))
    }
}
