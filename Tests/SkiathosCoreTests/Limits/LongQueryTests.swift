import Skiathos
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestSupport
import Testing

/// Queries of any length and depth find what plain Swift does, or are refused as too complex; none ends the
/// process, with the stack of a thread of Swift's concurrency.
@Suite(.generousTimeLimit) struct LongQueryTests {
    /// The error that rolls a write back.
    private struct Undone: Error {}

    /// A use of a query, which returns the numbers of the pegs that it selects, or how many there are.
    private struct Use: Sendable {
        let name: String
        var isQuick = false
        let run: @Sendable (Query<Peg>, DataAccessLayer) throws -> [Int]
    }

    private static let uses = [
        Use(name: "count", isQuick: true) { query, dal in
            [try dal.read { try query.count(in: $0) }]
        },
        Use(name: "all", isQuick: true) { query, dal in
            try dal.read { try query.all(in: $0).map(\.number) }
        },
        Use(name: "exists") { query, dal in
            [try dal.read { try query.exists(in: $0) } ? 1 : 0]
        },
        Use(name: "select") { query, dal in
            try dal.read { try query.select { $0.number }.all(in: $0) }
        },
        Use(name: "ids") { query, dal in
            try dal.read { try query.ids(in: $0).map { Int($0.rawValue) - 1 } }
        },
        Use(name: "page") { query, dal in
            try dal.read { try query.page(size: 100, in: $0).elements.map(\.number) }
        },
        Use(name: "groups") { query, dal in
            try dal.read {
                try query.grouped { $0.number }.select { $0.id.count }.all(in: $0).map(\.key)
                    .sorted()
            }
        },
        Use(name: "update", isQuick: true) { query, dal in
            try rolledBack(dal) { context in
                [try query.update(set: { $0.weight.set(to: $0.weight + 1) }, in: context)]
            }
        },
        Use(name: "update from other rows") { query, dal in
            try rolledBack(dal) { context in
                [
                    try query.update(
                        set: { $0.weight.set(to: $0.children.sum { $0.weight }) }, in: context)
                ]
            }
        },
        Use(name: "deletion") { query, dal in
            try rolledBack(dal) { [try query.deleteAll(in: $0)] }
        },
        Use(name: "limited deletion") { query, dal in
            try rolledBack(dal) { [try query.limit(100).deleteAll(in: $0)] }
        },
    ]

    private static func rolledBack(
        _ dal: DataAccessLayer, _ body: @escaping @Sendable (WriteContext) throws -> [Int]
    ) throws -> [Int] {
        let found = Lock<[Int]>([])
        do {
            try dal.write { context -> Void in
                let rows = try body(context)
                found.withLock { $0 = rows }
                throw Undone()
            }
        } catch is Undone {}
        return found.withLock { $0 }
    }

    /// The problems of a way at a length; empty if all uses are right or may be refused.
    private static func problems(
        of way: LongWay, at length: Int, in dal: DataAccessLayer, _ uses: [Use]
    ) -> [String] {
        onWorkerStack {
            let query = way.query(length)
            let numbers = (0..<Peg.count).filter { way.selects(length, $0) }
            return uses.compactMap { use in
                do {
                    let found = try use.run(query, dal).sorted()
                    if found == numbers || found == [numbers.count] { return nil }
                    if use.name == "exists", found == [numbers.isEmpty ? 0 : 1] { return nil }
                    return "\(length), \(use.name): \(found) instead of \(numbers)"
                } catch let error as StoreError
                    where error.code == .tooComplex && !way.isAlwaysPossible
                {
                    return nil
                } catch {
                    return "\(length), \(use.name): \(error)"
                }
            }
        }
    }

    @Test(arguments: LongWay.flat)
    func `conditions of any length work`(_ way: LongWay) throws {
        try Peg.withStore { dal in
            for (length, uses) in [
                (2, Self.uses), (3, Self.uses), (10, Self.uses), (100, Self.uses),
                (1_000, Self.uses.filter(\.isQuick)),
                (2_000, Self.uses.filter { $0.name == "all" }),
                (10_000, Self.uses.filter { $0.name == "count" }),
                (100_000, Self.uses.filter { $0.name == "count" }),
            ] where length <= way.longest {
                #expect(Self.problems(of: way, at: length, in: dal, uses) == [])
            }
        }
    }

    @Test(arguments: LongWay.deep)
    func `a query of any depth works or is refused`(_ way: LongWay) throws {
        try Peg.withStore { dal in
            for length in way.lengths {
                let uses = length < 30 ? Self.uses : Self.uses.filter(\.isQuick)
                let problems = Self.problems(of: way, at: length, in: dal, uses)
                #expect(problems == [])
            }
        }
    }

    @Test func `a few parts stand in SQL as they were joined`() throws {
        try Peg.withStore { dal in
            func condition(_ query: Query<Peg>) throws -> String {
                let sql = try dal.read { try query.explained(in: $0).sql }
                return sql.split(separator: "WHERE ").last.map { String($0) } ?? ""
            }
            func isNumber(_ number: Int) -> Condition<Peg> { Peg.columns.number == number }
            let one = "(\"number\" = ?)"
            let left = try condition(Peg.where { _ in isNumber(1) || isNumber(2) || isNumber(3) })
            #expect(left == "((\(one) OR \(one)) OR \(one))")
            let right = try condition(
                Peg.where { _ in isNumber(1) || (isNumber(2) || isNumber(3)) })
            #expect(right == "(\(one) OR (\(one) OR \(one)))")
        }
    }

    @Test(arguments: [3, 10, 100, 500, 501, 1_000, 10_000])
    func `a union of any number of selections works or is refused`(_ length: Int) throws {
        try Peg.withStore { dal in
            let (all, once) = onWorkerStack {
                (
                    Self.count(dal) { selections(length).reduce($0) { $0.unionAll($1) } },
                    Self.count(dal) { selections(length).reduce($0) { $0.union($1) } }
                )
            }
            let isPossible = length <= 500
            #expect(all == (isPossible ? "\(length * Peg.count)" : "tooComplex"))
            #expect(once == (isPossible ? "\(Peg.count)" : "tooComplex"))
        }
        @Sendable func selections(_ length: Int) -> some Sequence<Selection<Peg, Int>> {
            (2..<length).lazy.map { _ in Peg.select { $0.number } }
        }
    }

    private static func count(
        _ dal: DataAccessLayer, _ union: (SelectionUnion<Int>) -> SelectionUnion<Int>
    ) -> String {
        let two = Peg.select { $0.number }.unionAll(Peg.select { $0.number })
        let union = union(two)
        do {
            return try dal.read { "\(try union.all(in: $0).count)" }
        } catch let error as StoreError {
            return error.code.rawValue
        } catch {
            return "\(error)"
        }
    }
}
