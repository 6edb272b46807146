#if Macros
import Foundation
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

    /// Literals of SQL that a column takes and its property never writes, and one that it could
    /// have written.
    private static let foreign: [(column: String, literals: [String], valid: String)] = [
        (
            "price",
            [
                "''", "'0x10'", "'12abc'", "'1.'", "'1.5 '", "1e20", "'1' || char(0)",
                "CAST(x'31ff' AS TEXT)", "'\(String(repeating: "7", count: 49))'",
            ], "'9.50'"
        ),
        ("ratio", ["1e300", "-1e39"], "9e999"),
        ("made", ["1e300", "9e999", "-9e999", "-1e12", "252423993600"], "-63113904000"),
        (
            "link", ["''", "'a b'", "'a' || char(0)", "CAST(x'61ff' AS TEXT)"],
            "'https://a.org/%20'"
        ),
        ("level", ["256", "-1"], "255"),
        ("isDone", ["2"], "1"),
        ("key", ["x''", "x'01'"], "x'000102030405060708090a0b0c0d0e0f'"),
        ("remark", ["''", "'{'", "'[]'"], "'{\"title\":\"\"}'"),
    ]

    @Test(arguments: Place.allCases)
    func `a value that its property never writes is an error, until the row is corrected`(
        _ place: Place
    ) async throws {
        try await Self.withGauge(place) { dal, id in
            for (column, literals, valid) in Self.foreign {
                for literal in literals {
                    try await Self.set(column, literal, in: dal)
                    let error = await #expect(throws: StoreError.self, "\(column) = \(literal)") {
                        try await dal.read { _ = try Gauge.all(in: $0) }
                    }
                    #expect(error?.code == .undecodableValue, "\(column) = \(literal)")
                    #expect(error?.columns == [column], "\(column) = \(literal)")
                    #expect(error?.rowID == .integer(id.rawValue), "\(column) = \(literal)")
                    await #expect(throws: StoreError.self, "\(column) = \(literal)") {
                        try await dal.read { _ = try Gauge.find(id, in: $0) }
                    }
                }
                try await Self.set(column, valid, in: dal)
                let count = try await dal.read { try Gauge.all(in: $0).count }
                #expect(count == 1, "\(column)")
            }
            let found = try await dal.read { try Gauge.find(id, in: $0) }
            let gauge = try #require(found)
            #expect(gauge.price == Decimal(string: "9.5"))
            #expect(gauge.ratio == .infinity)
            #expect(gauge.made == .earliestStorable)
            #expect(gauge.link?.absoluteString == "https://a.org/%20")
        }
    }

    @Test(arguments: Place.allCases)
    func `a text is read as it is stored, with its NUL, and with U+FFFD for other bytes`(
        _ place: Place
    ) async throws {
        try await Self.withGauge(place) { dal, id in
            for (literal, text) in [
                ("'a' || char(0) || 'b'", "a\0b"), ("CAST(x'61ff62' AS TEXT)", "a\u{FFFD}b"),
            ] {
                try await Self.set("label", literal, in: dal)
                let found = try await dal.read { try Gauge.find(id, in: $0)?.label }
                #expect(found == text)
            }
        }
    }

    private static func set(
        _ column: String, _ literal: String, in dal: DataAccessLayer
    ) async throws {
        try await dal.write { context in
            try context.sqlite {
                try $0.execute(sql: #"UPDATE "gauge" SET "\#(column)" = \#(literal)"#)
            }
        }
    }

    private static func withGauge(
        _ place: Place, _ body: @Sendable (DataAccessLayer, Gauge.ID) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let source =
            place == .memory ? StoreSource.inMemory : .sqlite(directory.file("gauges.sqlite"))
        try await withStore(source, entities: [Gauge.self]) { dal in
            let id = try await dal.write { try Gauge.create(in: $0).id }
            try await body(dal, id)
        }
        withExtendedLifetime(directory) {}
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

@Entity private struct Gauge {
    struct Remark: Codable { var title = "" }

    var label = ""
    var price = Decimal(0)
    var ratio: Float = 0
    var made = Date(timeIntervalSinceReferenceDate: 0)
    var link: URL?
    var level: UInt8 = 0
    var isDone = false
    var key = UUID()
    var remark = Remark()
}
#endif
