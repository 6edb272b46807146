import Foundation
import Skiathos
import Testing

@testable import SkiathosCore
@testable import SkiathosStore

/// Which row a column belongs to that is used elsewhere than in its own closure.
struct RowNameTests {
    @Test func `a condition in a variable belongs to the row that it was made for`() async throws {
        try await RentalShop.with { (dal) async throws in
            let rich = Worker.where { e in
                let isRich = e.salary >= 100
                return e.reports.exists { r in isRich && r.salary < 60 }
            }
            #expect(try await rich.names(in: dal) == "Boss")
            let relation = Worker.where { e in
                let better = e.reports.filter { r in r.salary > e.salary }
                return e.reports.exists { r in better.count > 0 && r.salary < 100 }
            }
            #expect(try await relation.names(in: dal) == "Boss Bob")
            let value = Worker.where { e in
                let dearer = Worker.where { o in o.salary > e.salary }
                let count = dearer.value(for: Worker.self) { $0.id.count }
                return e.reports.exists { r in count == 2 && r.salary > 100 }
            }
            #expect(try await value.names(in: dal) == "Boss")
        }
    }

    @Test func `a function of columns is about the row whose columns it gets`() async throws {
        @Sendable func isRich(_ worker: Worker.Columns) -> Condition<Worker> { worker.salary > 100 }
        try await RentalShop.with { (dal) async throws in
            let inner = Worker.where { e in e.reports.exists { r in isRich(r) } }
            #expect(try await inner.names(in: dal) == "Boss Ada")
            let outer = Worker.where { e in e.reports.exists { _ in isRich(e) } }
            #expect(try await outer.names(in: dal) == "Ada")
        }
    }

    @Test func `static columns belong to the outermost row`() async throws {
        try await RentalShop.with { (dal) async throws in
            let columns = Worker.columns
            let own = Worker.where { e in
                e.reports.exists { r in r.salary > columns.salary && columns.salary == 100 }
            }
            #expect(try await own.names(in: dal) == "Boss")
            let outside = columns.manager.matches { m in m.salary < columns.salary }
            #expect(try await Worker.where { _ in outside }.names(in: dal) == "Ada Cyd Dan")
            let moved = Worker.where { e in e.reports.exists { _ in outside } }
            #expect(try await moved.names(in: dal) == "Ada")
            let other = Renter.where { c in c.rentals.exists { _ in Rental.columns.price > 3 } }
            let failure = try #require(await other.failure(in: dal))
            #expect(failure.code == "invalidRequest")
            #expect(
                failure.message.contains("the column Rental.price")
                    && failure.message.contains("no outermost row of Rental stands around"))
        }
    }

    @Test func `a query that was made outside of all closures is about its own rows`() async throws
    {
        try await RentalShop.with { (dal) async throws in
            let better = Worker.where { e in e.manager.matches { m in m.salary < e.salary } }
            // Ada, Cyd and Dan, of whom Cyd earns the least.
            let query = Worker.where { e in
                e.reports.exists { r in
                    r.salary == better.where { o in o.salary != e.salary }.value { $0.salary.min }
                }
            }
            #expect(try await query.names(in: dal) == "Bob")
            let smallest = better.value(for: Rental.self) { $0.salary.min }
            let count = try await dal.read {
                try Rental.count(where: { $0.price + 59 > smallest }, in: $0)
            }
            #expect(count == 3)
        }
    }

    @Test func `a predicate in a closure is about the row of that closure`() async throws {
        try await RentalShop.with { (dal) async throws in
            let query = Worker.where { e in
                let rich = Condition(#Predicate<Worker> { $0.salary >= 100 })
                return e.reports.exists { r in
                    rich && Condition(#Predicate<Worker> { $0.salary < 60 })
                }
            }
            #expect(try await query.names(in: dal) == "Boss")
        }
    }

    @Test func `a column of an inner closure that has ended is refused`() async throws {
        try await RentalShop.with { (dal) async throws in
            var columns: Worker.Columns?
            var condition: Condition<Worker>?
            _ = Worker.where { e in
                e.reports.exists { r in
                    columns = r
                    condition = r.salary > e.salary
                    return .always
                }
            }
            let (stale, kept) = (try #require(columns), try #require(condition))
            for query in [
                Worker.where { _ in stale.salary > 3 }, Worker.where { _ in kept },
                Worker.where { e in e.reports.exists { r in r.salary > stale.salary } },
                Worker.order { _ in stale.salary },
                Worker.where { _ in stale.reports.isEmpty },
                Worker.where { _ in stale.manager.salary == 3 },
            ] {
                let failure = try #require(await query.failure(in: dal))
                #expect(failure.code == "invalidRequest")
                #expect(
                    failure.message.contains("Worker") && failure.message.contains("has ended"),
                    "\(failure.message)")
            }
            await #expect(throws: DataAccessError.self) {
                try await dal.write { context in
                    try Worker.query.update(set: { _ in stale.salary.set(to: 1) }, in: context)
                }
            }
        }
    }

    @Test func `equal queries are equal, wherever and whenever they are made`() async throws {
        @Sendable func better() -> Query<Worker> {
            Worker.where { e in e.manager.matches { m in m.salary < e.salary } }
                .order { e in e.reports.filter { r in r.salary > e.salary }.count.descending }
        }
        let first = try better().request(at: 0)
        _ = Worker.where { e in e.reports.exists { r in r.salary > e.salary } }
        let second = try better().request(at: 0)
        #expect(first == second)
        var third: Query<Worker>?
        _ = Renter.where { _ in
            third = better()
            return .always
        }
        #expect(try third?.request(at: 0) == first)
        try await RentalShop.with { (dal) async throws in
            #expect(try await better().tail(in: dal) == better().tail(in: dal))
            let page = try await dal.read { try better().page(size: 2, in: $0) }
            let next = try await dal.read { try better().page(size: 2, after: page.next, in: $0) }
            #expect(page.elements.map(\.name) == ["Ada", "Cyd"])
            #expect(next.elements.map(\.name) == ["Dan"])
        }
        // As in any other process: of levels and names, not of numbers of closures or addresses.
        #expect(SortKeys(better(), first).signature == "13kuv7vueo7m0")
    }

    @Test func `columns that were made before are refused as columns of an inner closure`() async {
        await #expect(processExitsWith: .failure) {
            _ = Shared.where { s in s.parent.matches { p in p.parent == s.parent } }
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5])
    func `closures stand inside of each other`(_ depth: Int) async throws {
        try await RentalShop.with { (dal) async throws in
            for form in Depth.allCases {
                let query = Worker.where { form.condition(depth, $0) }
                #expect(await query.failure(in: dal) == nil, "\(form)")
            }
        }
    }

    @Test(arguments: [30, 64, 65, 1_000])
    func `too many closures inside of each other are refused`(_ depth: Int) async throws {
        try await RentalShop.with { (dal) async throws in
            for form in Depth.allCases {
                let query = Worker.where { form.condition(depth, $0) }
                let failure = try #require(await query.failure(in: dal))
                #expect(failure.code == "tooComplex", "\(failure.message)")
                #expect(failure.message.contains("inside of each other"), "\(failure.message)")
            }
        }
    }
}

extension RowNameTests {
    @Test func `a function that calls itself in closures without an end is refused`() async throws {
        @Sendable func total(_ worker: Worker.Columns) -> ColumnExpression<Worker, Int> {
            worker.reports.sum { total($0) + worker.salary }
        }
        @Sendable func known(_ worker: Worker.Columns) -> Condition<Worker> {
            worker.salary.in(
                Worker.where { known($0) }.order { total($0) }.select { $0.salary + worker.salary })
        }
        try await RentalShop.with { (dal) async throws in
            for query in [
                Worker.where { total($0) > 3 }, Worker.where { known($0) },
                Worker.order { total($0) },
            ] {
                let failure = try #require(await query.failure(in: dal))
                #expect(failure.code == "tooComplex")
                #expect(failure.message.contains("More than 64 closures"), "\(failure.message)")
            }
        }
    }

    @Test func `an aggregate of the rows around is no value of a query`() async throws {
        try await RentalShop.with { (dal) async throws in
            let query = Worker.where { e in
                Worker.where { o in o.salary > e.salary }.value { _ in e.salary.sum } > 3
            }
            let failure = try #require(await query.failure(in: dal))
            #expect(failure.message.contains("its aggregate is one of the rows around"))
        }
    }

    @Test func `different first results in an order of a row around are refused`() async throws {
        try await RentalShop.with { (dal) async throws in
            func query(
                by key: @escaping (Worker.Columns, Worker.Columns) -> Ordering<Worker>
            )
                -> Query<Worker>
            {
                Worker.where { e in
                    e.salary.in(
                        Worker.order { o in key(o, e) }.select { $0.salary }.distinct().limit(2))
                }
            }
            let failure = await query { ($0.name.length - $1.salary).ascending }.failure(in: dal)
            #expect(failure?.code == "invalidRequest")
            #expect(try await query { o, _ in o.salary.ascending }.names(in: dal) == "Bob Cyd")
        }
    }
}

/// Conditions of closures inside of each other, each of which compares with the row around.
private enum Depth: CaseIterable {
    case exists, allSatisfy, matches, sum, value, results, selection

    func condition(_ depth: Int, _ row: Worker.Columns) -> Condition<Worker> {
        guard depth > 0 else { return row.salary > 0 }
        func inner(_ other: Worker.Columns) -> Condition<Worker> { condition(depth - 1, other) }
        return switch self {
        case .exists: row.reports.exists { $0.salary > row.salary && inner($0) }
        case .allSatisfy: row.reports.allSatisfy { $0.salary > row.salary || inner($0) }
        case .matches: row.manager.matches { !($0.salary > row.salary && inner($0)) }
        case .sum:
            row.reports.filter { $0.salary > row.salary && inner($0) }
                .sum { $0.salary + row.salary } > row.salary
        case .value:
            row.salary
                > Worker.where { $0.salary > row.salary && inner($0) }.value {
                    ($0.salary + row.salary).max
                }
        case .results:
            row.reports.sum { r in
                (r.salary > row.salary).then(r.salary, else: row.salary)
            } > 0 && row.reports.max { r in r.reports.count + row.salary } != nil
                && row.reports.exists { inner($0) }
        case .selection:
            row.salary.in(
                Worker.where { $0.salary > row.salary && inner($0) }.select { $0.salary })
        }
    }
}

/// An entity that makes its columns once.
private struct Shared: Sendable {
    var id: EntityID<Shared> = .unassigned
    var parent: Shared.ID?
}

extension Shared: Entity {
    fileprivate struct Columns: Sendable {
        let id = Column<Shared, Shared.ID>(0, Coding.of(Shared.ID.self))
        let parent = Column<Shared, Shared.ID?>(1, Coding.of(Shared.ID?.self))
    }

    static let columns = Columns()
    static func makeColumns() -> Columns { columns }
    static let schema = EntitySchema(
        Shared.self, table: "shared", id: Coding.of(Shared.ID.self),
        columns: [ColumnSchema("parent", Coding.of(Shared.ID?.self))])

    static func column(at keyPath: PartialKeyPath<Shared>) -> Int? {
        keyPath == \Shared.parent ? 1 : keyPath == \Shared.id ? 0 : nil
    }

    init(id: Shared.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Shared.ID.self), at: 0)
        parent = try row.value(Coding.of(Shared.ID?.self), at: 1)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        if column == 0 { try parameters.bind(id, Coding.of(Shared.ID.self), at: position) }
        if column == 1 { try parameters.bind(parent, Coding.of(Shared.ID?.self), at: position) }
    }

    func changedColumns(from other: Shared) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: parent != other.parent)
        return changed
    }
}
