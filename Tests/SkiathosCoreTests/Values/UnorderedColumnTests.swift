import Skiathos
import SkiathosTesting
import TestSupport
import Testing

/// Columns whose values have no order are compared, kept unique and noticed as changed by what is
/// in them.
@Suite struct UnorderedColumnTests {
    /// The same elements in sets that iterate in orders of their own.
    private static let tags: [Set<String>] = (0..<50).map { number in
        var random = SeededNumbers(seed: UInt64(number))
        var set = Set<String>(minimumCapacity: 1 << (number % 9))
        for name in ["red", "green", "blue", "black", "white"].shuffled(using: &random) {
            set.insert(name)
        }
        return set
    }

    private static let names: [[Int8: String]] = (0..<50).map { number in
        var random = SeededNumbers(seed: UInt64(number))
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

extension Tagged: TableEntity {
    init(id: Tagged.ID) { self.id = id }

    static let table = EntityTable("tagged", id: \Tagged.id) {
        EntityColumn("tags", \.tags)
        EntityColumn("names", \.names)
    }
}

private struct Badge: Sendable {
    var id: EntityID<Badge> = .unassigned
    var tags: Set<String> = []
}

extension Badge: TableEntity {
    init(id: Badge.ID) { self.id = id }

    static let table = EntityTable("badge", id: \Badge.id) {
        EntityColumn("tags", \.tags, .unique)
    }
}
