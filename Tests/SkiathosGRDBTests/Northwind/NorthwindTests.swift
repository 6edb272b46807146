#if Macros
import GRDB
import Skiathos
import SkiathosGRDB
import SkiathosTesting
import TestSupport
import Testing

struct NorthwindTests {
    @Test(arguments: Seed.each(1, 2), [Place.file, .memory])
    func `typed queries answer the questions of a course in SQL as SQL does`(
        _ seed: UInt64, _ place: Place
    ) async throws {
        try await withSeed(seed) {
            let directory = try TemporaryDirectory()
            let source =
                place == .memory
                ? StoreSource.inMemory : .sqlite(directory.file("northwind.sqlite"))
            try await withStore(source, entities: Northwind.entities) { dal in
                try await Northwind.fill(dal, seed: seed)
                for question in NorthwindQuestion.all {
                    let (typed, plain) = try await dal.read { context in
                        (try question.answer(context), try Self.answer(question.sql, context))
                    }
                    var (found, expected) = (typed.map(Self.line), plain.map(Self.line))
                    if !question.isOrdered {
                        found.sort()
                        expected.sort()
                    }
                    #expect(found == expected, "\(question.name)")
                }
            }
            withExtendedLifetime(directory) {}
        }
    }

    @Test func `each question is asked once, and there are thirty at least`() {
        let names = NorthwindQuestion.all.map { $0.name }
        #expect(names.count >= 30)
        #expect(Set(names).count == names.count)
    }

    private static func line(_ cells: [NorthwindQuestion.Cell]) -> String {
        cells.map { $0.description }.joined(separator: " | ")
    }

    private static func answer(
        _ sql: String, _ context: ReadContext
    ) throws -> [[NorthwindQuestion.Cell]] {
        try context.sqlite { database in
            try Row.fetchAll(database, sql: sql).map { row in
                Array(row.databaseValues).map { value in
                    switch value.storage {
                    case .null, .blob: .none
                    case .int64(let number): .number(Double(number))
                    case .double(let number): .number(number)
                    case .string(let text): .text(text)
                    }
                }
            }
        }
    }
}
#endif
