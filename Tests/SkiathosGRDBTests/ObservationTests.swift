import GRDB
import Skiathos
import SkiathosGRDB
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct ObservationTests {
    @Test(arguments: Place.allCases)
    func `observers learn of raw SQL that writes, and raw SQL that reads observes every write`(
        _ place: Place
    ) async throws {
        try await withNotes(place) { dal in
            var notes = dal.observe { try Note.count(in: $0) }.makeAsyncIterator()
            var raw = dal.observe { context in
                try context.sqlite {
                    try Int.fetchOne($0, sql: #"SELECT count(*) FROM "note""#) ?? 0
                }
            }.makeAsyncIterator()
            #expect(try await notes.next() == 0)
            #expect(try await raw.next() == 0)
            try await dal.write { context in
                try context.sqlite {
                    try $0.execute(sql: #"INSERT INTO "note" ("text") VALUES ('a')"#)
                }
            }
            #expect(try await notes.next() == 1)
            #expect(try await raw.next() == 1)
            try await dal.write { context in try Note.create(in: context) }
            #expect(try await raw.next() == 2)
        }
    }
}
