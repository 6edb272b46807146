import Foundation
import Skiathos
import Testing

struct ColumnValueTests {
    private static let full: Sample = {
        var sample = Sample()
        sample.bool = true
        sample.int8 = .min
        sample.uint32 = .max
        sample.int = .min
        sample.float = .greatestFiniteMagnitude
        sample.double = 0.1 + 0.2
        sample.text = "Zoë \u{1F600} e\u{301}"
        sample.bytes = Data([0, 255, 0, 1])
        sample.date = Date(timeIntervalSinceReferenceDate: 786_543_210.123_456_7)
        sample.decimal = Decimal(string: "-12345678901234567890.0123456789") ?? .nan
        sample.mood = .merry
        sample.note = .init(title: "a", lines: ["b", "\"c\"", "d/e"])
        sample.optionalDate = .earliestStorable
        sample.optionalMood = .merry
        sample.optionalNote = .init(title: "", lines: [""])
        sample.optionalURL = URL(string: "https://example.org/a?b=c#d")
        return sample
    }()

    @Test(arguments: Place.allCases)
    func `every kind of column gives back what was stored`(_ place: Place) async throws {
        try await withStore(place) { dal in
            for sample in [Sample(), Self.full] {
                let id = try await dal.write { try Sample.insert(sample, in: $0).id }
                let found: Sample? = try await dal.read { try Sample.find(id, in: $0) }
                let copy = try #require(found)
                #expect(copy.changedColumns(from: sample).isEmpty)
                #expect(copy.note.lines == sample.note.lines)
            }
        }
    }

    @Test func `every kind of column is changed alone`() async throws {
        let changes: [(String, @Sendable (Managed<Sample>) -> Void)] = [
            ("bool", { $0.bool = true }), ("int8", { $0.int8 -= 1 }),
            ("uint32", { $0.uint32 = .max }), ("int", { $0.int += 1 }),
            ("float", { $0.float = .infinity }),
            (
                "double",
                {
                    $0.double.negate()
                    $0.double -= 1
                }
            ),
            ("text", { $0.text += "!" }), ("bytes", { $0.bytes.append(0) }),
            ("date", { $0.date += 0.001 }), ("uuid", { $0.uuid = UUID() }),
            ("decimal", { $0.decimal += 1 }), ("mood", { $0.mood = .merry }),
            ("note", { $0.note.title = "x" }), ("optionalDate", { $0.optionalDate = .now }),
            ("optionalMood", { $0.optionalMood = .calm }),
            ("optionalNote", { $0.optionalNote = .init() }),
            ("optionalURL", { $0.optionalURL = URL(string: "a") }),
        ]
        #expect(changes.count == Sample.schema.columns.count - 1)
        try await withStore { dal in
            let id = try await dal.write { try Sample.create(in: $0).id }
            for (name, change) in changes {
                let changed: [String] = try await dal.write { context in
                    let sample = try #require(try Sample.find(id, in: context))
                    let before = sample.value
                    change(sample)
                    let names = sample.changedColumns
                    // Setting the old value again leaves nothing to do.
                    try sample.discardChanges()
                    #expect(sample.changedColumns == [])
                    #expect(before.changedColumns(from: sample.value).isEmpty)
                    return names
                }
                #expect(changed == [name])
            }
        }
    }

    @Test func `a change that a type's own comparison does not see is stored`() async throws {
        try await withStore { dal in
            let id = try await dal.write { context in
                try Sample.create(in: context) {
                    $0.text = "\u{e9}"
                    $0.note.lines = ["\u{e9}"]
                }.id
            }
            try await dal.write { context in
                let sample = try #require(try Sample.find(id, in: context))
                sample.text = "e\u{301}"
                sample.note.lines = ["e\u{301}"]
            }
            let found: Sample? = try await dal.read { try Sample.find(id, in: $0) }
            #expect(found?.text.unicodeScalars.count == 2)
            #expect(found?.note.lines.first?.unicodeScalars.count == 2)
        }
    }

    @Test func `values that a column cannot hold are refused with its name`() async throws {
        let changes: [(String, @Sendable (inout Sample) -> Void)] = [
            ("double", { $0.double = .nan }), ("float", { $0.float = .nan }),
            ("text", { $0.text = "\0" }), ("decimal", { $0.decimal = .nan }),
            ("date", { $0.date = .distantFuture.addingTimeInterval(1e12) }),
            ("date", { $0.date = .latestStorable }),
            ("date", { $0.date = Date(timeIntervalSinceReferenceDate: .nan) }),
            ("optionalDate", { $0.optionalDate = .earliestStorable.addingTimeInterval(-1) }),
        ]
        try await withStore { dal in
            for (column, change) in changes {
                let error = await #expect(throws: StoreError.self) {
                    try await dal.write { context in try Sample.create(in: context) { change(&$0) }
                    }
                }
                #expect(error?.code == .invalidValue, "\(column)")
                #expect(error?.columns == [column])
            }
            let count: Int = try await dal.read { try Sample.count(in: $0) }
            #expect(count == 0)
        }
    }

    @Test func `columns of every kind can be compared and sorted`() async throws {
        try await withStore { dal in
            let ids: [Sample.ID] = try await dal.write { context in
                try [Sample(), Self.full].map { try Sample.insert($0, in: context).id }
            }
            let full = Self.full
            let conditions: [@Sendable (Sample.Columns) -> Condition<Sample>] = [
                { $0.bool == true }, { $0.int8 < 0 }, { $0.uint32 > 0 }, { $0.int == .min },
                { $0.float > 1 }, { $0.double == full.double }, { $0.text == full.text },
                { $0.bytes == full.bytes }, { $0.date > .init(timeIntervalSinceReferenceDate: 0) },
                { $0.decimal < 0 }, { $0.mood == .merry }, { $0.note == full.note },
                { $0.optionalDate < .now }, { $0.optionalMood == .merry },
                { $0.optionalNote != nil }, { $0.optionalURL == full.optionalURL },
                { $0.uuid == full.uuid && $0.bool == true }, { $0.id > ids[0] },
                { $0.id.in([ids[1]]) }, { $0.optionalMood.in([.merry, .calm]) },
            ]
            for (number, condition) in conditions.enumerated() {
                let found: [Sample.ID] = try await dal.read {
                    try Sample.ids(where: condition, in: $0)
                }
                #expect(found == [ids[1]], "condition \(number)")
            }
            let sorted: [Sample.ID] = try await dal.read {
                try Sample.ids(orderedBy: { [$0.decimal.ascending] }, in: $0)
            }
            #expect(sorted == [ids[1], ids[0]])
        }
    }
}
