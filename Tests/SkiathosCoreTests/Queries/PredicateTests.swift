import Foundation
import Skiathos
import Testing

/// Predicates of Foundation find in the store what they find in Swift.
struct PredicateTests {
    private static let ids = [1, 3, 5]
    private static let flat = Specimen.Kind.flat
    private static let round: Specimen.Kind? = .round
    private static let kinds = [Specimen.Kind.round, .flat]
    private static let names = ["a", "B"]
    private static let nothing: Int? = nil
    private static let three: Int? = 3
    private static let range = -2..<4
    private static let prices: [String: Int] = ["low": 1, "high": 7]
    private static let instant = Date(timeIntervalSinceReferenceDate: -0.25)
    private static let price = Decimal(9)
    private static let key = UUID(uuid: (127, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, 1))
    private static let parent: Specimen.ID? = 7

    private static let numbers: [Predicate<Specimen>] = [
        #Predicate { $0.number == 3 }, #Predicate { $0.number != 3 }, #Predicate { 3 < $0.number },
        #Predicate { $0.number <= $0.optionalNumber ?? 2 }, #Predicate { $0.number + 1 > 2 },
        #Predicate { $0.number * $0.number - 4 < 20 }, #Predicate { -$0.number >= 5 },
        #Predicate { $0.number / 3 == -1 }, #Predicate { $0.number % 4 == -3 },
        #Predicate { $0.size / 2 > 0.5 }, #Predicate { range.contains($0.number) },
        #Predicate { (1...4).contains($0.number) }, #Predicate { ids.contains($0.number) },
        #Predicate { row in ids.contains { $0 == row.number } },
        #Predicate { row in ids.allSatisfy { $0 > row.number } },
        #Predicate { $0.price < price }, #Predicate { $0.price == price },
        #Predicate { $0.optionalPrice == price }, #Predicate { $0.number == ids[1] },
        #Predicate { $0.number == ids.count }, #Predicate { (prices["high"] ?? 0) < $0.number },
        #Predicate { $0.number == prices["none", default: 2] },
        #Predicate { ($0.flag ? $0.number : 2) == 2 },
        #Predicate { $0.flag ? $0.number > 2 : $0.number < 2 },
        #Predicate { ($0.flag ? price : $0.price) > 9.5 },
    ]

    private static let optionals: [Predicate<Specimen>] = [
        #Predicate { $0.optionalNumber == nil }, #Predicate { $0.optionalNumber != nil },
        #Predicate { $0.optionalNumber == 3 }, #Predicate { !($0.optionalNumber == 3) },
        #Predicate { $0.optionalNumber == nothing }, #Predicate { $0.optionalNumber != three },
        #Predicate { $0.optionalText?.starts(with: "a") == true },
        #Predicate { $0.optionalText?.starts(with: "a") == false },
        #Predicate { $0.optionalText?.starts(with: "a") != true },
        #Predicate { $0.optionalText?.isEmpty == nil },
        #Predicate { $0.optionalText?.contains("a") ?? true },
        #Predicate { ($0.optionalText?.count ?? 0) > 1 },
        #Predicate { $0.optionalText?.count == 1 },
        #Predicate { if let text = $0.optionalText { text > "a" } else { false } },
        #Predicate { if let number = $0.optionalNumber { number > 2 } else { $0.flag } },
        #Predicate { $0.optionalFlag == true }, #Predicate { $0.optionalFlag != true },
        #Predicate { $0.optionalFlag ?? $0.flag }, #Predicate { $0.parent == parent },
        #Predicate { $0.parent == nil },
    ]

    // swift-format-ignore: NeverForceUnwrap
    private static let unwrapped: [Predicate<Specimen>] = [
        #Predicate { $0.number == three! },
        #Predicate { $0.optionalNumber != nil && $0.optionalNumber! > 2 },
        #Predicate { $0.optionalNumber == nil || $0.optionalNumber! > 2 },
    ]

    private static let others: [Predicate<Specimen>] = [
        #Predicate { $0.flag }, #Predicate { !$0.flag }, #Predicate { $0.flag == false },
        #Predicate { ($0.number > 2) == $0.flag }, #Predicate { ($0.number > 2) != ($0.size > 0) },
        #Predicate { _ in true }, #Predicate { $0.flag && false }, #Predicate { $0.flag || true },
        #Predicate { $0.text.contains("a") }, #Predicate { "aBc".contains($0.text) },
        #Predicate { $0.text.starts(with: "A") }, #Predicate { $0.text.isEmpty },
        #Predicate { $0.text.count > 1 }, #Predicate { $0.text < "a" },
        #Predicate { names.contains($0.text) }, #Predicate { $0.text == names[0] },
        #Predicate { $0.kind == flat }, #Predicate { kinds.contains($0.kind) },
        #Predicate { $0.optionalKind == round },
        #Predicate { ($0.optionalKind ?? flat) == flat },
        #Predicate { $0.date >= instant }, #Predicate { $0.optionalDate == instant },
        #Predicate { $0.key == key }, #Predicate { $0.key < key },
        #Predicate { _ in names.isEmpty },
        #Predicate { $0.flag && names[0] < names[1] }, #Predicate { price > 3 && $0.flag },
    ]

    /// Rows whose texts Swift compares as the store does.
    private static func rows() -> [Specimen] {
        var generator = SpecimenGenerator(seed: 5)
        return generator.specimens(60).map { row in
            var row = row
            row.text = generator.pick(["", "a", "A", "ab", "aB", "B", "c", "\u{1F600}"])
            row.optionalText = generator.optional { $0.pick(["", "a", "A", "ab", "ba"]) }
            return row
        }
    }

    @Test func `predicates find what they find in Swift`() async throws {
        try await withStore(.memory) { dal in
            let rows = Self.rows()
            _ = try await dal.write { try Specimen.insertAll(rows, in: $0) }
            for predicate in Self.numbers + Self.optionals + Self.unwrapped + Self.others {
                let expected = try rows.filter { try predicate.evaluate($0) }.map(\.id)
                let found = try await dal.read { context in
                    try Specimen.all(matching: predicate, in: context).map(\.id).sorted()
                }
                #expect(found == expected, "\(predicate)")
            }
        }
    }

    @Test func `texts are compared by their scalars in predicates, too`() async throws {
        try await withStore(.memory) { dal in
            _ = try await dal.write { try Specimen.create(in: $0) { $0.text = "e\u{301}" } }
            let composed = "\u{e9}"
            let counts = try await dal.read { context in
                [
                    try Specimen.where(#Predicate { $0.text == composed }).count(in: context),
                    try Specimen.where(#Predicate { $0.text.contains("e") }).count(in: context),
                    try Specimen.where { $0.text == composed }.count(in: context),
                ]
            }
            #expect(counts == [0, 1, 0])
        }
    }

    @Test func `predicates go together with conditions, orders and changes`() async throws {
        try await withStore(.memory) { dal in
            let rows = Self.rows()
            _ = try await dal.write { try Specimen.insertAll(rows, in: $0) }
            let flagged = #Predicate<Specimen> { $0.flag }
            let query = Specimen.where(flagged).where { $0.number > 0 }
                .where(#Predicate { $0.size < 2 })
            let nested = Specimen.where { $0.parent.matches { _ in Condition(flagged) } }
            let found = try await dal.read { (try query.ids(in: $0), try nested.count(in: $0)) }
            #expect(
                found.0.sorted()
                    == rows.filter { $0.flag && $0.number > 0 && $0.size < 2 }.map(\.id))
            let flaggedIDs = Set(rows.filter(\.flag).map(\.id))
            #expect(found.1 == rows.count { $0.parent.map(flaggedIDs.contains) ?? false })
            let changed = try await dal.write { context in
                for row in try Specimen.all(matching: flagged, limit: 2, in: context) {
                    row.flag = false
                }
                return try Specimen.where(flagged).count(in: context)
            }
            #expect(changed == flaggedIDs.count - 2)
        }
    }

    @Test func `sort descriptors sort as they do in Swift`() async throws {
        let orders: [[SortDescriptor<Specimen>]] = [
            [SortDescriptor(\.number)], [SortDescriptor(\.optionalNumber, order: .reverse)],
            [SortDescriptor(\.optionalDate), SortDescriptor(\.price, order: .reverse)],
            [SortDescriptor(\.text, comparator: .lexical)], [SortDescriptor(\.text)],
            [SortDescriptor(\.optionalText, comparator: .lexical, order: .reverse)],
            [SortDescriptor(\.key, order: .reverse), SortDescriptor(\.size)],
        ]
        try await withStore(.memory) { dal in
            let rows = Self.rows()
            _ = try await dal.write { try Specimen.insertAll(rows, in: $0) }
            for order in orders {
                let expected = rows.sorted(using: order + [SortDescriptor(\.id)]).map(\.id)
                let found = try await dal.read { try Specimen.query.sorted(by: order).ids(in: $0) }
                #expect(found == expected, "\(order)")
            }
        }
    }
}
