import ReliabilityKit
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosSQLite

/// Statements that are found by the shape of a request are those that its SQL would find.
struct RequestShapeTests {
    private static let values: [StoreValue] = [
        .null, .integer(0), .integer(7), .real(1.5), .text(""), .text("a"), .blob([1]),
    ]
    private static let purposes: [RequestShape.Purpose] = [.select, .count, .exists]

    private static func condition(
        _ depth: Int, _ generator: inout some RandomNumberGenerator
    ) -> StorePredicate {
        switch Int.random(in: 0...(depth > 0 ? 5 : 2), using: &generator) {
        case 0...2:
            let comparison = StorePredicate.Comparison.allCases.randomElement(using: &generator)
            return .comparison(
                .column(Int.random(in: 0...6, using: &generator)), comparison ?? .equal,
                .value(values.randomElement(using: &generator) ?? .null))
        case 3: return .not(condition(depth - 1, &generator))
        case let choice:
            let count = Int.random(in: 0...3, using: &generator)
            let parts = (0..<count).map { _ in condition(depth - 1, &generator) }
            return choice == 4 ? .all(parts) : .any(parts)
        }
    }

    private static func request(_ generator: inout some RandomNumberGenerator) -> FetchRequest {
        let keys = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
            FetchRequest.Order(
                .column(Int.random(in: 0...6, using: &generator)),
                descending: .random(using: &generator))
        }
        return FetchRequest(
            entity: 1,
            predicate: .random(using: &generator) ? condition(2, &generator) : nil, order: keys,
            limit: [nil, 0, 5].randomElement(using: &generator) ?? nil,
            offset: [0, 0, 3].randomElement(using: &generator) ?? 0)
    }

    private static func text(
        _ request: FetchRequest, for purpose: RequestShape.Purpose, _ renderer: RequestRenderer
    ) throws -> SQLText {
        switch purpose {
        case .select: try renderer.select(request)
        case .count: try renderer.count(request)
        case .exists: try renderer.exists(request)
        }
    }

    @Test(.seeded)
    func `requests of one shape have the same SQL, and their parameters in its order`() throws {
        let renderer = RequestRenderer(try TestEntities.schema())
        var generator = SeededNumbers(seed: Seed.current)
        var texts: [RequestShape: String] = [:]
        for _ in 0..<5000 {
            let request = Self.request(&generator)
            for purpose in Self.purposes {
                let shape = try #require(RequestShape(request, for: purpose))
                let text = try Self.text(request, for: purpose, renderer)
                var parameters: [StoreValue] = []
                request.forEachParameter { parameters.append($0) }
                #expect(parameters == text.parameters)
                #expect(texts[shape] ?? text.sql == text.sql, "\(request)")
                texts[shape] = text.sql
            }
        }
        #expect(texts.count > 1000)
    }

    @Test func `requests whose SQL may depend on values have no shape`() {
        let column = StoreExpression.column(1)
        let predicates: [StorePredicate] = [
            .contained(column, [.text("a")]), .match(column, .suffix, .value(.text("a"))),
            .constant(true), .comparison(column, .equal, .column(2)),
            .all([.comparison(column, .equal, .value(.text("a"))), .contained(column, [])]),
            .comparison(.folded(column), .equal, .value(.text("a"))),
        ]
        for predicate in predicates {
            let request = FetchRequest(entity: 1, predicate: predicate)
            #expect(RequestShape(request, for: .select) == nil)
        }
        let sorted = FetchRequest(
            entity: 1, order: [FetchRequest.Order(.folded(column), descending: false)])
        #expect(RequestShape(sorted, for: .select) == nil)
        #expect(RequestShape(sorted, for: .count) != nil)
    }

    @Test func `a query inside the loop over one of its shape has a statement of its own`() throws {
        try StoreKind.memory.withStore { store in
            let entity = store.position(User.self)
            try store.insert(User.self, user(1), user(2), user(3))
            func request(_ least: Int64) -> FetchRequest {
                FetchRequest(
                    entity: entity,
                    predicate: .comparison(.column(0), .greaterOrEqual, .value(.integer(least))))
            }
            var pairs: [[Int64]] = []
            for _ in 0..<2 {
                try store.writer.read { session in
                    try session.fetch(request(2)) { outer in
                        while outer.next() {
                            let id = outer.row.integer(at: 0)
                            try session.fetch(request(id)) { inner in
                                while inner.next() { pairs.append([id, inner.row.integer(at: 0)]) }
                            }
                        }
                    }
                }
            }
            #expect(pairs == [[2, 2], [2, 3], [3, 3], [2, 2], [2, 3], [3, 3]])
        }
    }
}
