import Skiathos
import SkiathosTesting
import Testing

/// Objects around deleted rows, whose outcome once depended on when the write was flushed.
struct DeletionRegressionTests {
    private typealias R = Item<Root>
    private typealias B = Item<Branch>
    private typealias L = Item<Leaf>
    private typealias T = Item<Tag>

    /// A root, its branch, another branch, and a leaf and a tag.
    private static func with(_ body: @Sendable (DataAccessLayer) async throws -> Void) async throws
    {
        try await withStore(.inMemory, entities: Items.entities) { dal in
            try await dal.write { context in
                try R.create(id: "r", in: context)
                try B.create(id: "b1", in: context) { $0.parent = "r" }
                try B.create(id: "b2", in: context)
                try L.create(id: "l", in: context) { $0.parent = "b1" }
                try T.create(id: "t", in: context) { $0.parent = "b2" }
            }
            try await body(dal)
        }
    }

    @Test(arguments: [true, false])
    func `a reference that moves away and back around a deletion is kept`(
        _ hasQuery: Bool
    ) async throws {
        try await Self.with { dal in
            try await dal.write { context in
                let leaf = try #require(try L.find("l", in: context))
                leaf.parent = nil
                try B.find("b2", in: context)?.delete()
                if hasQuery { _ = try L.count(in: context) }
                leaf.parent = "b1"
            }
            let parent = try await dal.read { try L.find("l", in: $0)?.parent }
            #expect(parent == "b1")
        }
    }

    @Test func `a deleted row is not found after a new object with its ID was discarded`()
        async throws
    {
        try await Self.with { dal in
            try await dal.write { context in
                for find in [
                    { (id: T.ID) in try T.find(id, in: context) },
                    { (id: T.ID) in try T.find([id], in: context).found.first },
                ] {
                    try context.nested { inner in
                        try T.find("t", in: inner)?.delete()
                        try T.create(id: "t", in: inner).discardChanges()
                        #expect(try find("t") == nil)
                    }
                    #expect(try find("t") == nil)
                    try T.create(id: "t", in: context) { $0.parent = "b2" }
                }
                try T.find("t", in: context)?.delete()
                try T.create(id: "t", in: context).delete()
            }
            let count = try await dal.read { try T.count(in: $0) }
            #expect(count == 0)
        }
    }

    @Test(arguments: [true, false])
    func `a reference to a row gone by cascade is cleared, though its object is set again`(
        _ hasQuery: Bool
    ) async throws {
        try await Self.with { dal in
            try await dal.write { context in
                let tag = try #require(try T.find("t", in: context))
                tag.parent = "b1"
                let made = try T.create(id: "u", in: context) { $0.parent = "b1" }
                try R.find("r", in: context)?.delete()
                if hasQuery { _ = try R.count(in: context) }
                tag.count = 5
                made.count = 6
                try B.create(id: "b1", in: context)
            }
            let parents: [B.ID?] = try await dal.read { try T.all(in: $0).map(\.parent) }
            #expect(parents == [nil, nil])
        }
    }

    @Test(arguments: [true, false])
    func `a changed ID of an object that came back is refused when it is deleted`(
        _ hasQuery: Bool
    ) async throws {
        try await Self.with { dal in
            let error = await #expect(throws: DataAccessError.self) {
                try await dal.write { context in
                    let tag = try #require(try T.find("t", in: context))
                    try tag.delete()
                    if hasQuery { _ = try T.count(in: context) }
                    try tag.discardChanges()
                    tag[dynamicMember: \.id] = "other"
                    try tag.delete()
                }
            }
            #expect(error?.code == .invalidID)
        }
    }
}
