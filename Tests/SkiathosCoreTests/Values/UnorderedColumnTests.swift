import Skiathos
import SkiathosTesting
import Testing

/// Columns whose values have no order are compared, kept unique and noticed as changed by what is
/// in them.
@Suite struct UnorderedColumnTests {
    /// The same elements in sets that iterate in orders of their own.
    private static let tags: [Set<String>] = (0..<50).map { number in
        var random = SplitMix(state: UInt64(number))
        var set = Set<String>(minimumCapacity: 1 << (number % 9))
        for name in ["red", "green", "blue", "black", "white"].shuffled(using: &random) {
            set.insert(name)
        }
        return set
    }

    private static let names: [[Int8: String]] = (0..<50).map { number in
        var random = SplitMix(state: UInt64(number))
        var names = [Int8: String](minimumCapacity: 1 << (number % 9))
        for key in (Int8(0)..<6).shuffled(using: &random) { names[key] = "\(key)" }
        return names
    }

    private func withTagged(
        _ body: @Sendable (DataAccessLayer) async throws -> Void
    ) async throws {
        try await withStore(StoreSource.inMemory, entities: [Tagged.self, Badge.self], body)
    }

    @Test func `equal sets and dictionaries are found by ==, != and in`() async throws {
        try await withTagged { dal in
            try await dal.write { context in
                for (tags, names) in zip(Self.tags, Self.names) {
                    try Tagged.create(in: context) {
                        $0.tags = tags
                        $0.names = names
                    }
                }
            }
            for (tags, names) in zip(Self.tags, Self.names) {
                let counts: [Int] = try await dal.read { context in
                    [
                        try Tagged.count(where: { $0.tags == tags }, in: context),
                        try Tagged.count(where: { $0.tags != tags }, in: context),
                        try Tagged.count(where: { $0.tags.in([tags]) }, in: context),
                        try Tagged.count(where: { $0.names == names }, in: context),
                        try Tagged.count(where: { $0.names.in([names]) }, in: context),
                    ]
                }
                #expect(counts == [50, 0, 50, 50, 50])
            }
        }
    }

    @Test func `a unique column takes a set once`() async throws {
        try await withTagged { dal in
            _ = try await dal.write { context in
                try Badge.create(in: context) { $0.tags = Self.tags[0] }.id
            }
            for tags in Self.tags {
                let error = await #expect(throws: StoreError.self) {
                    _ = try await dal.write { context in
                        try Badge.create(in: context) { $0.tags = tags }.id
                    }
                }
                #expect(error?.code == .uniqueViolation)
            }
        }
    }

    @Test func `an equal set is no change`() async throws {
        try await withTagged { dal in
            let id = try await dal.write { context in
                try Tagged.create(in: context) {
                    $0.tags = Self.tags[0]
                    $0.names = Self.names[0]
                }.id
            }
            for (tags, names) in zip(Self.tags, Self.names) {
                let changed = try await dal.write { context in
                    let tagged = try #require(try Tagged.find(id, in: context))
                    tagged.tags = tags
                    tagged.names = names
                    return tagged.changedColumns
                }
                #expect(changed.isEmpty)
            }
        }
    }
}

private struct Tagged: Sendable {
    var id: EntityID<Tagged> = .unassigned
    var tags: Set<String> = []
    var names: [Int8: String] = [:]
}

extension Tagged: Entity {
    struct Columns: Sendable {
        let tags = Column<Tagged, Set<String>>(1, Coding.of(Set<String>.self))
        let names = Column<Tagged, [Int8: String]>(2, Coding.of([Int8: String].self))
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        Tagged.self, table: "tagged", id: Coding.of(Tagged.ID.self),
        columns: [
            ColumnSchema("tags", Coding.of(Set<String>.self)),
            ColumnSchema("names", Coding.of([Int8: String].self)),
        ])

    static func column(at keyPath: PartialKeyPath<Tagged>) -> Int? {
        switch keyPath {
        case \Tagged.id: 0
        case \Tagged.tags: 1
        case \Tagged.names: 2
        default: nil
        }
    }

    init(id: Tagged.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Tagged.ID.self), at: 0)
        tags = try row.value(Coding.of(Set<String>.self), at: 1)
        names = try row.value(Coding.of([Int8: String].self), at: 2)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Tagged.ID.self), at: position)
        case 1: try parameters.bind(tags, Coding.of(Set<String>.self), at: position)
        default: try parameters.bind(names, Coding.of([Int8: String].self), at: position)
        }
    }

    func changedColumns(from other: Tagged) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(Set<String>.self).areIdentical(tags, other.tags))
        changed.insert(2, if: !Coding.of([Int8: String].self).areIdentical(names, other.names))
        return changed
    }
}

private struct Badge: Sendable {
    var id: EntityID<Badge> = .unassigned
    var tags: Set<String> = []
}

extension Badge: Entity {
    struct Columns: Sendable {
        let tags = Column<Badge, Set<String>>(1, Coding.of(Set<String>.self))
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        Badge.self, table: "badge", id: Coding.of(Badge.ID.self),
        columns: [ColumnSchema("tags", Coding.of(Set<String>.self))], unique: [["tags"]])

    static func column(at keyPath: PartialKeyPath<Badge>) -> Int? {
        switch keyPath {
        case \Badge.id: 0
        case \Badge.tags: 1
        default: nil
        }
    }

    init(id: Badge.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Badge.ID.self), at: 0)
        tags = try row.value(Coding.of(Set<String>.self), at: 1)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Badge.ID.self), at: position)
        default: try parameters.bind(tags, Coding.of(Set<String>.self), at: position)
        }
    }

    func changedColumns(from other: Badge) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(Set<String>.self).areIdentical(tags, other.tags))
        return changed
    }
}
