#if Macros
import Foundation
import GRDB
import Skiathos
import SkiathosGRDB
import SkiathosTesting
import Testing

@Entity struct Parcel {
    var made = Date(timeIntervalSinceReferenceDate: 0)
    var price = Decimal(0)
    var key = UUID()
    var isDone = false
    var size = Size()
}

@Embedded struct Size: Codable { var height = 0 }

/// What the documents say about stored values in raw SQL.
@Suite struct StoredValueTests {
    private func withParcels(_ body: @Sendable (DataAccessLayer) async throws -> Void) async throws
    {
        try await withStore(.inMemory, entities: [Parcel.self]) { dal in
            // 2026-03-01T12:00:00Z
            let noon = Date(timeIntervalSince1970: 1_772_366_400)
            try await dal.write { context in
                for (price, height) in [("9.5", 1), ("10", 2), ("100.25", 3)] {
                    try Parcel.create(in: context) {
                        $0.made = noon.addingTimeInterval(Double(height) * 86_400)
                        $0.price = Decimal(string: price) ?? 0
                        $0.isDone = height == 2
                        $0.size.height = height
                    }
                }
            }
            try await body(dal)
        }
    }

    private func ids(
        _ dal: DataAccessLayer, _ condition: String, _ arguments: StatementArguments = []
    ) async throws -> [Int64] {
        try await dal.read { context in
            try context.sqlite { db in
                try Int64.fetchAll(
                    db, sql: "SELECT id FROM parcel WHERE \(condition) ORDER BY id",
                    arguments: arguments)
            }
        }
    }

    @Test func `dates are compared as seconds since the beginning of 2001`() async throws {
        try await withParcels { dal in
            let late = try await ids(dal, "made >= unixepoch('2026-03-03') - 978307200")
            #expect(late == [2, 3])
            let second = try await dal.read { try Parcel.find(2, in: $0)?.made }
            let same = try await ids(
                dal, "made = ?", [try #require(second).timeIntervalSinceReferenceDate])
            #expect(same == [2])
            let asDate = try await ids(dal, "made = ?", [second])
            #expect(asDate == [])
            let shown = try await dal.read { context in
                try context.sqlite {
                    try String.fetchOne(
                        $0,
                        sql:
                            "SELECT datetime(made + 978307200, 'unixepoch') FROM parcel WHERE id = 1"
                    )
                }
            }
            #expect(shown == "2026-03-02 12:00:00")
        }
    }

    @Test func `decimal numbers are compared by their collation, and added up exactly`()
        async throws
    {
        try await withParcels { dal in
            let plain = try await ids(dal, "price > '9.5'")
            #expect(plain == [])
            let byValue = try await ids(dal, "price > '9.5' COLLATE skiathos_decimal")
            #expect(byValue == [2, 3])
            let sums = try await dal.read { context in
                try context.sqlite {
                    try String.fetchOne(
                        $0,
                        sql: """
                            SELECT skiathos_decimal_total(price) || ' '
                                || max(price COLLATE skiathos_decimal) FROM parcel
                            """)
                }
            }
            #expect(sums == "119.75 100.25")
        }
    }

    @Test func `other values are compared as they are stored`() async throws {
        try await withParcels { dal in
            let done = try await ids(dal, #""isDone" = 1"#)
            let high = try await ids(dal, "json_extract(size, '$.height') > 1")
            #expect(done == [2] && high == [2, 3])
            let key = try await dal.read { try Parcel.find(3, in: $0)?.key }
            let same = try await ids(dal, #""key" = ?"#, [key])
            #expect(same == [3])
        }
    }

    @Test func `rows of a file that is no store are fetched from it and upserted`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("old.sqlite")
        try await DatabaseQueue(path: path).write { db in
            try db.execute(
                sql: """
                    CREATE TABLE old_parcels (number INTEGER PRIMARY KEY, euros TEXT);
                    INSERT INTO old_parcels VALUES (2, '7.25'), (8, '8.5');
                    """)
        }
        let error = await #expect(throws: StoreError.self) {
            try await DataAccessLayer.open(.sqlite(path), entities: Parcel.self).close()
        }
        #expect(error?.code == .foreignDatabase)
        try await withParcels { dal in
            let parcels = try await DatabaseQueue(path: path).read { db in
                try Row.fetchAll(db, sql: "SELECT number, euros FROM old_parcels").map { row in
                    Parcel(
                        price: Decimal(string: row["euros"]) ?? 0,
                        id: Parcel.ID(rawValue: row["number"]))
                }
            }
            for (inserted, updated) in [(1, 1), (0, 0)] {
                let report = try await dal.write { try Parcel.upsert(parcels, by: \.id, in: $0) }
                #expect(report.inserted.count == inserted && report.updated.count == updated)
            }
            let prices = try await dal.read { context in
                try Parcel.find([2, 8], in: context).found.map(\.price)
            }
            #expect(prices == [Decimal(string: "7.25"), Decimal(string: "8.5")])
        }
    }
}
#endif
