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
        for table in ShopTable.all {
            let (columns, stored) = try shop.rows(of: table)
            #expect(stored == table.expected(file, columns), "\(table.name)")
        }
        #expect(try shop.texts("SELECT count(*) || '' FROM playlistTrack") == ["8715"])
        let prices = try shop.texts("SELECT DISTINCT unitPrice FROM track ORDER BY 1")
        #expect(prices == ["0.99", "1.99"])
    }

    @Test func `references and the file hold after an import`() async throws {
        let shop = try ShopRun()
        _ = try await shop.run("1")
        #expect(try shop.texts("PRAGMA integrity_check") == ["ok"])
        let dangling = try shop.read { try Row.fetchAll($0, sql: "PRAGMA foreign_key_check") }
        #expect(dangling.isEmpty)
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
            .replacing("61000", with: "62000")
        let outcome = try await shop(changed)
        #expect(outcome.output.hasPrefix("1 inserted, 2 changed, 10 unchanged\n"))
        let genres = try shop.texts("SELECT name FROM genre ORDER BY id")
        #expect(genres == ["Rock", "Jazz", "Pop"])
        #expect(try shop.texts("SELECT name FROM artist ORDER BY id") == ["Alma", "Boz"])
        #expect(try shop.texts("SELECT milliseconds || '' FROM track") == ["62000"])
    }
}
#endif
