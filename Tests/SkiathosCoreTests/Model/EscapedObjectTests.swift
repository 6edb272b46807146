import Foundation
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

/// Whatever becomes of an object after its write, using it stops the program with a sentence.
@Suite(.generousTimeLimit) struct EscapedObjectTests {
    /// What is done with an object after its write.
    enum Use: String, CaseIterable, Codable, Sendable {
        case id, value, property, computed, set, setWhole, related, changedColumns, isDeleted,
            delete,
            discard
    }

    /// What its write has done with the object.
    enum Life: String, CaseIterable, Codable, Sendable {
        case fetched, changed, flushed, created, deleted, discarded, undone, failed, invalid
    }

    /// How it has left its write.
    enum Escape: String, CaseIterable, Codable, Sendable {
        case box, error, userInfo, threadDictionary, sequence
    }

    @Test(arguments: Use.allCases)
    func `every use of an object after its write traps with a sentence`(_ use: Use) async throws {
        try await Self.requireTrap(.created, .box, use)
    }

    @Test(arguments: Life.allCases)
    func `an object is not set after its write, whatever the write has done with it`(
        _ life: Life
    ) async throws {
        try await Self.requireTrap(life, .box, .set)
    }

    @Test(arguments: Escape.allCases)
    func `an object is not read after its write, however it has left the closure`(
        _ escape: Escape
    ) async throws {
        try await Self.requireTrap(.fetched, escape, .property)
    }

    @Test func `an object is not used in the next write either`() async throws {
        try await Self.requireTrap(.created, .box, .property, inNextWrite: true)
    }

    @Test func `a context that was let out of its write has ended in the next one too`()
        async throws
    {
        try await withStore(.memory) { dal in
            nonisolated(unsafe) var leaked: WriteContext?
            try await dal.write { leaked = $0 }
            let context = try #require(leaked)
            try await dal.write { next in
                try User.create(in: next)
                #expect(next !== leaked)
                let error = #expect(throws: DataAccessError.self) {
                    _ = try User.create(in: leaked ?? next)
                }
                #expect(error?.code == .contextEnded)
            }
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 1)
            withExtendedLifetime(context) {}
        }
    }

    @Test func `setting a deleted object traps with a sentence`() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try await withStore(.memory) { dal in
                try await dal.write { context in
                    let user = try User.create(in: context)
                    try user.delete()
                    user.age = 1
                }
            }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("A User that was deleted in this write was changed"))
    }

    private static func requireTrap(
        _ life: Life, _ escape: Escape, _ use: Use, inNextWrite: Bool = false
    ) async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            [
                life = life as Life, escape = escape as Escape, use = use as Use,
                inNextWrite = inNextWrite as Bool
            ] in
            try await withStore(.memory) { dal in
                guard let user = try await EscapedObjects.escape(life, escape, dal) else { return }
                guard inNextWrite else { return EscapedObjects.use(user, use) }
                nonisolated(unsafe) let held = user
                try await dal.write { context in
                    try User.create(in: context)
                    EscapedObjects.use(held, use)
                }
            }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("A User was used after its write had ended"), "\(text)")
    }
}

/// Brings objects out of their writes by the ways that the compiler does not see.
private enum EscapedObjects {
    /// Says that it is `Sendable`, and is not.
    final class Box: @unchecked Sendable {
        var object: Managed<User>?
        var rest: (any IteratorProtocol)?
    }

    struct Thrown<Content>: Error, @unchecked Sendable {
        let content: Content
    }

    private struct Refused: Error {}

    static func escape(
        _ life: EscapedObjectTests.Life, _ escape: EscapedObjectTests.Escape,
        _ dal: DataAccessLayer
    ) async throws -> Managed<User>? {
        let id = try await dal.write { try User.create(in: $0) { $0.age = 1 }.id }
        let box = Box()
        do {
            try await dal.write { context in
                guard let user = try live(life, id, context) else { return }
                switch escape {
                case .box: box.object = user
                case .error: throw Thrown(content: user)
                case .userInfo: throw NSError(domain: "test", code: 1, userInfo: ["object": user])
                case .threadDictionary:
                    Thread.current.threadDictionary["object"] = user
                    box.object = Thread.current.threadDictionary["object"] as? Managed<User>
                case .sequence: box.rest = sequence(state: user) { $0 }.makeIterator()
                }
                if life == .failed { throw Refused() }
                if life == .invalid { try User.create(id: user.id, in: context) }
            }
        } catch let error as Thrown<Managed<User>> {
            return error.content
        } catch let error as NSError where error.domain == "test" {
            return error.userInfo["object"] as? Managed<User>
        } catch is Refused {
        } catch is StoreError {}
        if var rest = box.rest { return rest.next() as? Managed<User> }
        return box.object
    }

    private static func live(
        _ life: EscapedObjectTests.Life, _ id: User.ID, _ context: WriteContext
    ) throws -> Managed<User>? {
        let user = try User.find(id, in: context)
        switch life {
        case .fetched, .failed, .invalid: break
        case .changed: user?.age = 2
        case .flushed:
            user?.age = 2
            _ = try User.count(in: context)
        case .created: return try User.create(in: context) { $0.age = 3 }
        case .deleted: try user?.delete()
        case .discarded:
            user?.age = 2
            try user?.discardChanges()
        case .undone:
            var made: Managed<User>?
            try? context.nested { inner in
                made = try User.create(in: inner) { $0.age = 4 }
                throw Refused()
            }
            return made
        }
        return user
    }

    static func use(_ user: Managed<User>, _ use: EscapedObjectTests.Use) {
        switch use {
        case .id: _ = user.id
        case .value: _ = user.value
        case .property: _ = user.age
        case .computed: _ = user.fullName
        case .set: user.age = 9
        case .setWhole: user[dynamicMember: \.self] = User()
        case .related:
            // Needs a context, which an ended write cannot give; reading the reference comes first.
            _ = user.company
        case .changedColumns: _ = user.changedColumns
        case .isDeleted: _ = user.isDeleted
        case .delete: try? user.delete()
        case .discard: try? user.discardChanges()
        }
    }
}
