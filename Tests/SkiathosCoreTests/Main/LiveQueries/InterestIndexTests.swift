import SkiathosStore
import Testing

@testable import SkiathosCore

/// Interests that no index finds, by the columns on which they depend.
@Suite struct InterestIndexTests {
    private final class Query: AnyLiveQuery {
        var needsRows: Bool { false }
        func committed(_ changes: BatchChanges) {}
        func end() {}
    }

    private static let columnCount = 6
    private let schema: StoreSchema
    private let entity: Int

    init() throws {
        schema = try StoreSchema([User.schema, Company.schema])
        entity = try #require(schema.position(of: User.self))
    }

    @Test func `interests in sixty-three sets of columns are woken by changes of these alone`() {
        var index = InterestIndex()
        var queries: [(columns: ColumnSet, query: Query, number: Int)] = []
        for bits in 1..<UInt64(1 << Self.columnCount) {
            let (columns, query) = (ColumnSet(bits: bits), Query())
            let interest = Interest(
                ReadDependency(entity: entity, predicate: nil, columns: columns), in: schema)
            queries.append((columns, query, index.insert(interest, of: query)))
        }
        check(index, queries.map { ($0.columns, $0.query) })
        for query in queries where query.columns.contains(1) {
            index.remove(query.number, of: entity)
        }
        queries.removeAll { $0.columns.contains(1) }
        check(index, queries.map { ($0.columns, $0.query) })
        for query in queries { index.remove(query.number, of: entity) }
        check(index, [])
    }

    private func check(_ index: InterestIndex, _ queries: [(columns: ColumnSet, query: Query)]) {
        let row: [StoreValue] = (0..<8).map { .integer($0) }
        for column in 0..<Self.columnCount {
            var after = row
            after[column] = .integer(100)
            let expected = queries.filter { $0.columns.contains(column) }.map(\.query)
            #expect(woken(index, row, after, [column]) == Set(expected.map(ObjectIdentifier.init)))
        }
        let all = Set(queries.map { ObjectIdentifier($0.query) })
        #expect(woken(index, nil, row, .all) == all)
        #expect(woken(index, row, nil, .all) == all)
        #expect(woken(index, row, row, [7]) == [])
    }

    private func woken(
        _ index: InterestIndex, _ before: [StoreValue]?, _ after: [StoreValue]?,
        _ columns: ColumnSet
    ) -> Set<ObjectIdentifier> {
        let row = SkiathosCore.ChangedRow(before: before, after: after, columns: columns)
        var woken: Set<ObjectIdentifier> = []
        let batch = BatchChanges(
            number: 1, [.init(position: entity, columns: .all, rows: .known([row]))])
        index.forEachAffected(by: batch) { woken.insert(ObjectIdentifier($0)) }
        return woken
    }
}
