import Skiathos
import SkiathosLocks
import TestSupport
import Testing

@testable import SkiathosCore

@Suite(.generousTimeLimit) struct WriteOriginTests {
    private struct Refused: Error {}

    /// Each way to write with a name and an author, which are its number.
    private static let forms: [@Sendable (DataAccessLayer, String) async throws -> Void] = [
        { dal, name in
            try await dal.write(as: name, by: "test") { context in
                _ = try User.add(in: context)
            }
        },
        { dal, name in
            _ = try await dal.write(as: name, by: "test") { try User.add(in: $0).id }
        },
        { dal, name in try withoutAwaiting(dal, name) },
        { dal, name in
            try await dal.write(as: name, by: "test", budget: QueryBudget(statements: 9)) {
                _ = try User.add(in: $0)
            }
        },
        { dal, name in
            await withContinuation { continuation in
                dal.write(
                    as: name, by: "test", { try User.add(in: $0).id },
                    completion: { _ in continuation.resume() })
            }
        },
        { dal, name in
            dal.enqueue(as: name, by: "test") { _ = try User.add(in: $0) }
            try await dal.flush()
        },
        { dal, name in
            try await dal.write { context in
                context.origin = WriteOrigin(name: name, author: "test")
                _ = try User.add(in: context)
            }
        },
    ]

    private static func withoutAwaiting(_ dal: DataAccessLayer, _ name: String) throws {
        try dal.write(as: name, by: "test") { try User.add(in: $0).id }
            .write(as: name, by: "test") { context, id in
                try User.find(id, in: context)?.age += 1
            }
    }

    @Test func `the changes of each form of write carry its name and its author`() async throws {
        try await withNotes { dal in
            for (number, form) in Self.forms.enumerated() {
                let feed = dal.changes(of: User.self)
                try await form(dal, "form \(number)")
                var iterator = feed.makeAsyncIterator()
                let changes = try #require(try await iterator.nextChanges())
                #expect(changes.origin == WriteOrigin(name: "form \(number)", author: "test"))
            }
        }
    }

    @Test func `the next write of the same store has no name unless it is given one`() async throws
    {
        try await withNotes { dal in
            let feed = dal.changes(of: User.self)
            try await dal.write(as: "first", by: "test") { _ = try User.add(in: $0) }
            try await dal.write { _ = try User.add(in: $0) }
            try await dal.write(by: "test") { _ = try User.add(in: $0) }
            var iterator = feed.makeAsyncIterator()
            #expect(try await iterator.nextChanges()?.origin.name == "first")
            #expect(try await iterator.nextChanges()?.origin == WriteOrigin())
            #expect(try await iterator.nextChanges()?.origin == WriteOrigin(author: "test"))
        }
    }

    @Test func `writes of one commit keep their own names`() async throws {
        try await withNotes(configuration: .patient) { dal in
            let feed = dal.changes(of: User.self)
            for name in ["a", "b", "c"] {
                try await dal.write(as: name, acknowledging: .merged) { _ = try User.add(in: $0) }
            }
            try await dal.flush()
            var iterator = feed.makeAsyncIterator()
            for name in ["a", "b", "c"] {
                #expect(try await iterator.nextChanges()?.origin == WriteOrigin(name: name))
            }
        }
    }

    @Test func `an incomplete changeset carries the name of its write`() async throws {
        try await withNotes { dal in
            try await dal.write { _ = try User.add(in: $0) }
            let feed = dal.changes(of: User.self)
            try await dal.write(as: "birthday") {
                try User.update(set: { [$0.age.set(to: 3)] }, in: $0)
            }
            var iterator = feed.makeAsyncIterator()
            #expect(try await iterator.nextChanges()?.origin.name == "birthday")
        }
    }

    @Test func `a name that is set in a nested scope goes with it if the scope is rolled back`()
        async throws
    {
        try await withNotes { dal in
            let feed = dal.changes(of: User.self)
            try await dal.write(as: "outer") { context in
                _ = try User.add(in: context)
                try? context.nested { context in
                    context.origin.name = "inner"
                    throw Refused()
                }
                #expect(context.origin == WriteOrigin(name: "outer"))
            }
            try await dal.write(as: "outer") { context in
                try context.nested { context in
                    context.origin.name = "inner"
                    _ = try User.add(in: context)
                }
            }
            var iterator = feed.makeAsyncIterator()
            #expect(try await iterator.nextChanges()?.origin.name == "outer")
            #expect(try await iterator.nextChanges()?.origin.name == "inner")
        }
    }
}
