#if Macros
import GRDB
import Skiathos
import SkiathosGRDB
import SkiathosTesting
import Testing

/// Errors about stored values that no property can take.
struct UndecodableRowTests {
    @Test(arguments: Place.allCases)
    func `a value that cannot be read is named by column and row, and is not shown`(
        _ place: Place
    ) async throws {
        try await Self.withSignals(place) { dal in
            let ids = try await dal.write { context in
                try [Signal.Colour.red, .green, .red].map { colour in
                    try Signal.create(in: context) { $0.colour = colour }.id
                }
            }
            try await dal.write { context in
                try context.sqlite {
                    try $0.execute(
                        sql: #"UPDATE "signal" SET "colour" = 'secret' WHERE "colour" = 'green'"#)
                }
            }
            let readings: [@Sendable (ReadContext) throws -> Void] = [
                { _ = try Signal.all(in: $0) },
                { _ = try Signal.find(ids[1], in: $0) },
                { _ = try Signal.find(ids, in: $0) },
                { try Signal.query.each(in: $0) { _ in } },
            ]
            for (number, reading) in readings.enumerated() {
                let error = try await #require(throws: StoreError.self, "\(number)") {
                    try await dal.read { try reading($0) }
                }
                #expect(error.code == .undecodableValue)
                #expect(error.columns == ["colour"])
                #expect(error.rowID == .integer(ids[1].rawValue))
                #expect("\(error)".contains("[signal.colour, ID \(ids[1])]"), "\(error)")
                #expect(error.message.contains("Correct the row with SQL"))
                #expect(!"\(error)".contains("secret"))
            }
            // The second result of a selection is not the second column.
            let selected = try await #require(throws: StoreError.self) {
                _ = try await dal.read {
                    try Signal.select { ($0.id, $0.colour) }.all(in: $0)
                }
            }
            #expect(selected.code == .undecodableValue)
            #expect(selected.entity == "signal")
            #expect(selected.columns == [])
            try await dal.write { try Signal.deleteAll(in: $0) }
        }
    }

    private static func withSignals(
        _ place: Place, _ body: @Sendable (DataAccessLayer) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let source =
            place == .memory ? StoreSource.inMemory : .sqlite(directory.file("signals.sqlite"))
        try await withStore(source, entities: [Signal.self], body)
        withExtendedLifetime(directory) {}
    }
}

@Entity private struct Signal {
    enum Colour: String { case red, green }

    var delay = 0
    var colour: Colour = .red
}
#endif
