import GRDB
import Skiathos
import SkiathosGRDB
import SkiathosTesting
import Testing

/// Raw SQL that deletes rows through more levels than SQLite follows.
@Suite struct DeepCascadeTests {
    @Test(arguments: Place.allCases)
    func `raw SQL that is too complex is refused with its code, and leaves nothing behind`(
        _ place: Place
    ) async throws {
        let directory = try TemporaryDirectory()
        let source = place == .memory ? StoreSource.inMemory : .sqlite(directory.file("links"))
        try await withStore(source, entities: Link.self) { dal in
            try await dal.write { context in
                var last: Link.ID?
                for _ in 0..<1500 { last = try Link.create(in: context) { $0.target = last }.id }
            }
            let error = await #expect(throws: StoreError.self) {
                try await dal.write { context in
                    try context.sqlite { db in
                        try db.execute(sql: #"DELETE FROM "link" WHERE "target" IS NULL"#)
                    }
                }
            }
            #expect(error?.code == .tooComplex)
            #expect(try await dal.read { try Link.count(in: $0) } == 1500)
            let count = try await dal.write { context in
                try Link.deleteAll(where: { $0.target == nil }, in: context)
                return try Link.count(in: context)
            }
            #expect(count == 0)
        }
    }

    @Test func `raw SQL cascades as deep as before after deletions of the store`() async throws {
        try await withStore(.inMemory, entities: Link.self) { dal in
            try await dal.write { context in
                let lone = try Link.create(in: context)
                try lone.delete()
                var last: Link.ID?
                for _ in 0..<900 { last = try Link.create(in: context) { $0.target = last }.id }
                try context.sqlite { db in
                    try db.execute(sql: #"DELETE FROM "link" WHERE "target" IS NULL"#)
                }
                #expect(try Link.count(in: context) == 0)
            }
        }
    }
}

/// A row that goes with another one.
private struct Link: Sendable {
    var id: EntityID<Link> = .unassigned
    var target: Link.ID?
}

extension Link: TableEntity {
    init(id: Link.ID) { self.id = id }

    static let table = EntityTable("link", id: \Link.id) {
        EntityColumn("target", \.target, .references(onDelete: .cascade))
    }
}
