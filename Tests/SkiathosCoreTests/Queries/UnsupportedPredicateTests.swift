import Foundation
import Skiathos
import Testing

/// What a store cannot be asked is refused by name, before any SQL.
struct UnsupportedPredicateTests {
    private static let numbers = [1, 2]
    private static let nothing: Int? = nil
    private static let names = ["a"]

    // swift-format-ignore: NeverForceUnwrap
    private static let cases: [(predicate: Predicate<Specimen>, words: String)] = [
        (#Predicate { $0.kind.rawValue == "flat" }, "A computed property of Kind that is a String"),
        (#Predicate { $0.date.timeIntervalSinceReferenceDate > 0 }, "asks a value of the row"),
        (
            #Predicate { row in numbers.filter { $0 > row.number }.isEmpty },
            "filters a collection (filter)"
        ),
        (#Predicate { ($0.number as Any) is Int }, "casts a value of the row from Int to Any"),
        (#Predicate { $0.number == nothing! }, "unwraps a captured value that is nil"),
        (#Predicate { $0.text == names[4] }, "an element that it does not have"),
        (#Predicate { names[$0.number] == "a" }, "an element of a collection"),
        (
            #Predicate { $0.summary == "a" },
            "A computed property of Specimen that is a String is no stored column of Specimen"
        ),
    ]

    @Test(arguments: cases.indices)
    func `a predicate that a store cannot compute is named before any SQL`(
        _ number: Int
    ) async throws {
        let (predicate, words) = Self.cases[number]
        try await withStore(.memory) { dal in
            let error = await #expect(throws: DataAccessError.self) {
                try await dal.read(budget: QueryBudget(statements: 0)) {
                    try Specimen.where(predicate).count(in: $0)
                }
            }
            #expect(error?.code == .unsupportedPredicate)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }

    @Test func `a predicate that divides by zero is refused`() async throws {
        let zero = 0
        try await withStore(.memory) { dal in
            for predicate in [
                #Predicate<Specimen> { $0.number / zero == 1 },
                #Predicate<Specimen> { $0.number % zero == 1 },
            ] {
                let error = await #expect(throws: DataAccessError.self) {
                    try await dal.read { try Specimen.where(predicate).count(in: $0) }
                }
                #expect(error?.code == .invalidRequest)
            }
        }
    }

    @Test func `a sort key that is no stored column is refused`() async throws {
        try await withStore(.memory) { dal in
            let query = Specimen.sorted(by: SortDescriptor(\.summary, comparator: .lexical))
            let error = await #expect(throws: DataAccessError.self) {
                try await dal.read { try query.all(in: $0) }
            }
            #expect(error?.code == .unsupportedPredicate)
            #expect(
                error?.message.contains(
                    "A computed property of Specimen that is a String is no stored column of Specimen"
                ) == true)
        }
    }
}

extension Specimen {
    fileprivate var summary: String { "\(number) \(text)" }
}
