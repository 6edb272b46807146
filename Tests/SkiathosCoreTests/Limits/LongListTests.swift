import Skiathos
import SkiathosStore
import TestSupport
import Testing

/// Long lists of other things than conditions, and long queries that are observed.
@Suite(.generousTimeLimit) struct LongListTests {
    private static let lengths = [10, 100, 1_999, 2_001, 20_000]

    private static func outcome<R: Sendable>(
        _ body: @escaping @Sendable () throws -> R
    ) -> String {
        onWorkerStack {
            do { return "\(try body())" } catch let error as StoreError {
                return error.code.rawValue
            } catch { return "\(error)" }
        }
    }

    @Test(arguments: lengths)
    func `any number of sort keys works or is refused`(_ length: Int) throws {
        try Peg.withStore { dal in
            let listed = Self.outcome {
                let query = Peg.order { peg in (1...length).map { (peg.digit * $0).descending } }
                return try dal.read { try query.all(in: $0).first?.number }
            }
            let looped = Self.outcome {
                let query = (1...length).reduce(Peg.query) { query, round in
                    query.order { ($0.digit * round).descending }
                }
                return try dal.read { try query.first(in: $0)?.number }
            }
            let expected = length < 2_000 ? "Optional(4)" : "tooComplex"
            #expect(listed == expected)
            #expect(looped == expected)
        }
    }

    @Test func `a relation whose filters were added in a loop works`() throws {
        try Peg.withStore { dal in
            let count = Self.outcome {
                let children = (1...10_000).reduce(ToMany(\Peg.parent, of: Peg.ID(1))) {
                    relation, round in
                    relation.filter { $0.digit > -round }
                }
                return try dal.read { try children.query.count(in: $0) }
            }
            #expect(count == "1")
        }
    }

    @Test func `a page may have the largest size`() throws {
        try Peg.withStore { dal in
            let pages = try dal.read { context in
                let query = Peg.order { $0.number }
                return [
                    try query.page(size: .max, in: context),
                    try query.page(size: .max - 1, in: context),
                    try query.page(size: .max, before: nil, in: context),
                ]
            }
            for page in pages {
                #expect(page.elements.map(\.number) == Array(0..<Peg.count))
                #expect(page.next == nil)
            }
        }
    }

    @Test func `closures inside of each other without an end are refused`() throws {
        @Sendable func endless(_ peg: Peg.Columns) -> Condition<Peg> {
            peg.children.exists(where: endless)
        }
        try Peg.withStore { dal in
            let outcome = Self.outcome {
                try dal.read { try Peg.where(endless).count(in: $0) }
            }
            #expect(outcome == "tooComplex")
        }
    }

    @Test(arguments: [10, 2_000])
    func `a long condition is observed`(_ length: Int) async throws {
        let dal = try await DataAccessLayer.open(.inMemory, entities: Peg.self)
        let query = (1..<length).reduce(Peg.where { $0.number == 0 }) { query, round in
            query.or(Peg.where { $0.number == round })
        }
        var values = dal.observe { try query.all(in: $0).map(\.number).sorted() }
            .makeAsyncIterator()
        #expect(try await values.next() == [])
        try await dal.write { context -> Void in
            _ = try Peg.create(in: context) { $0.number = length - 1 }
        }
        #expect(try await values.next() == [length - 1])
        try await dal.write { context -> Void in
            _ = try Peg.create(in: context) { $0.number = length }
            _ = try Peg.create(in: context) { $0.number = 3 }
        }
        #expect(try await values.next() == [3, length - 1])
        try await dal.close()
    }
}
