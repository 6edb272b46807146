import GRDB
import Skiathos
import SkiathosGRDB
import SkiathosTesting
import Testing

/// Walks of a write, as raw SQL sees them.
@Suite struct WalkTests {
    private struct Enough: Error {}

    @Test(arguments: Place.allCases, [false, true])
    func `a walk leaves no temporary table, however it ends`(
        _ place: Place, _ isNested: Bool
    ) async throws {
        try await withNotes(place) { dal in
            try await dal.write { context in
                for number in 0..<3000 { try Note.create(in: context) { $0.text = "\(number)" } }
                func walk(upTo most: Int) throws {
                    var count = 0
                    try Note.each(batchSize: 100, in: context) { note in
                        note.text += "!"
                        count += 1
                        if count == most { throw Enough() }
                    }
                }
                try walk(upTo: .max)
                #expect(throws: Enough.self) {
                    if isNested {
                        try context.nested { _ in try walk(upTo: 150) }
                    } else {
                        try walk(upTo: 150)
                    }
                }
                let tables = try context.sqlite {
                    try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_temp_schema")
                }
                #expect(tables == 0)
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `a walk leaves out rows that raw SQL deletes before their turn`(
        _ place: Place
    ) async throws {
        try await withNotes(place) { dal in
            let texts = try await dal.write { context in
                for number in 0..<40 { try Note.create(in: context) { $0.text = "\(number)" } }
                var texts: [String] = []
                try Note.each(batchSize: 15, in: context) { note in
                    texts.append(note.text)
                    let next = note.id.rawValue + 1
                    try context.sqlite { db in
                        try db.execute(
                            sql: #"DELETE FROM "note" WHERE "id" = ?"#, arguments: [next])
                    }
                }
                return texts
            }
            #expect(texts == stride(from: 0, to: 40, by: 2).map { "\($0)" })
        }
    }
}
