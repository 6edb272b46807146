#if Macros
import Foundation
import GRDB
import Testing

struct ShopImportsAreExact {
    @Test func `the store holds each record of the file with its ID and its exact amounts`()
        async throws
    {
        let shop = try ShopRun()
        let outcome = try await shop.run("--tabs", "1")
        #expect(outcome.exitCode == 0)
        #expect(outcome.errors == "")
        let data = Data(
            try PackageDirectory.text(of: "Examples/MusicShop/Data/chinook.json").utf8)
        let file = try #require(
            try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(file.keys.sorted() == ShopTable.all.map(\.fileName).sorted())
        try shop.read { database in
            for table in ShopTable.all {
                // The links have no ID in the file.
                let columns = try database.columns(in: table.name).map(\.name)
                    .filter { table.names[$0] != "" }
                let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
                let rows = try Row.fetchAll(
                    database, sql: "SELECT \(names) FROM \"\(table.name)\" ORDER BY id")
                let stored = rows.map { row in
                    Dictionary(uniqueKeysWithValues: columns.map { ($0, row[$0] as DatabaseValue) })
                }
                #expect(stored == table.expected(file, columns), "\(table.name)")
            }
            #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM playlistTrack") == 8715)
            let prices = "SELECT DISTINCT unitPrice FROM track ORDER BY 1"
            #expect(try String.fetchAll(database, sql: prices) == ["0.99", "1.99"])
        }
    }

    @Test func `references and the file hold after an import`() async throws {
        let shop = try ShopRun()
        _ = try await shop.run("1")
        try shop.read { database in
            #expect(try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").isEmpty)
            #expect(try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"])
        }
    }

    @Test func `importing twice changes nothing`() async throws {
        let shop = try ShopRun()
        let first = try await shop.run("1")
        #expect(first.output.hasPrefix("15607 inserted, 0 changed, 0 unchanged\n"))
        let content = try shop.content()
        let second = try await shop.run("1")
        #expect(second.output.hasPrefix("0 inserted, 0 changed, 15607 unchanged\n"))
        #expect(try shop.content() == content)
    }

    @Test func `records that have changed are updated and others stay`() async throws {
        let shop = try ShopRun()
        #expect(try await shop(ShopSample.text).output.hasPrefix(ShopSample.summary))
        let changed = ShopSample.text.replacing("\"Bo\"", with: "\"Boz\"")
            .replacing(
                "{\"GenreId\": 2, \"Name\": \"Jazz\"}", with: "{\"GenreId\": 3, \"Name\": \"Pop\"}"
            )
            .replacing("1.99", with: "2.99").replacing("61000", with: "62000")
        let outcome = try await shop(changed)
        #expect(outcome.output.hasPrefix("1 inserted, 2 changed, 10 unchanged\n"))
        try shop.read { database in
            let genres = "SELECT name FROM genre ORDER BY id"
            #expect(try String.fetchAll(database, sql: genres) == ["Rock", "Jazz", "Pop"])
            let artists = "SELECT name FROM artist ORDER BY id"
            #expect(try String.fetchAll(database, sql: artists) == ["Alma", "Boz"])
            #expect(try Int.fetchOne(database, sql: "SELECT milliseconds FROM track") == 62_000)
        }
    }
}
#endif
