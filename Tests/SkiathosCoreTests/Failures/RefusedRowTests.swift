#if Macros
import Foundation
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

/// Errors tell which of many rows was refused, and nothing of what is in it.
struct RefusedRowTests {
    /// How many rows are stored at once, so that the backend stores them one by one, by one statement, and
    /// by one that keeps a part.
    private static let counts = [1, 2, 3, 5, 40, 300]

    @Test(arguments: Place.allCases, counts)
    func `a row that cannot be created is named by its place and its ID`(
        _ place: Place, _ count: Int
    ) async throws {
        for refused in Set([0, count / 2, count - 1]).sorted() {
            try await Self.withMailboxes(place) { dal in
                let error = try await #require(throws: StoreError.self) {
                    try await dal.write { context in
                        for number in 0..<count {
                            try Mailbox.create(in: context) {
                                $0.mail = number == refused ? "secret" : "new\(number)"
                            }
                        }
                    }
                }
                try Self.check(error, "mailbox", refused, of: count)
                #expect(error.rowID == .integer(Int64(refused) + 2))
            }
        }
    }

    @Test(arguments: Place.allCases, counts)
    func `a row that cannot be changed is named by its place and its ID`(
        _ place: Place, _ count: Int
    ) async throws {
        try await Self.withMailboxes(place) { dal in
            let ids = try await dal.write { context in
                try (0..<count).map { number in
                    try Mailbox.create(in: context) { $0.mail = "old\(number)" }.id
                }
            }
            for refused in Set([0, count / 2, count - 1]).sorted() {
                let error = try await #require(throws: StoreError.self) {
                    try await dal.write { context in
                        for (number, mailbox) in try Mailbox.find(ids, in: context).found
                            .enumerated()
                        {
                            mailbox.mail = number == refused ? "secret" : "new\(number)"
                        }
                    }
                }
                try Self.check(error, "mailbox", refused, of: count)
                #expect(error.rowID == .integer(ids[refused].rawValue))
            }
        }
    }

    @Test(arguments: Place.allCases, [2, 40])
    func `a row of an entity with a search index is named as well`(
        _ place: Place, _ count: Int
    ) async throws {
        try await Self.withMailboxes(place) { dal in
            try await dal.write { context in try Article.create(in: context) { $0.title = "secret" }
            }
            let error = try await #require(throws: StoreError.self) {
                try await dal.write { context in
                    for number in 0..<count {
                        try Article.create(in: context) {
                            $0.title = number == 1 ? "secret" : "new\(number)"
                        }
                    }
                }
            }
            try Self.check(error, "article", 1, of: count)
        }
    }

    @Test(arguments: Place.allCases)
    func `a value that cannot be stored is named by the row, too`(_ place: Place) async throws {
        for count in Self.counts {
            try await Self.withMailboxes(place) { dal in
                let error = try await #require(throws: StoreError.self) {
                    try await dal.write { context in
                        for number in 0..<count {
                            try Mailbox.create(in: context) {
                                $0.mail = "new\(number)"
                                $0.weight = number == count - 1 ? .nan : 1
                            }
                        }
                    }
                }
                #expect(error.code == .invalidValue)
                #expect(error.rowPlace == StoreError.RowPlace(number: count, of: count))
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `a required reference that was never set is said to be that`(_ place: Place) async throws {
        try await Self.withMailboxes(place) { dal in
            let error = try await #require(throws: StoreError.self) {
                try await dal.write { context in
                    for _ in 0..<3 { try Letter.create(in: context) }
                }
            }
            #expect(error.code == .foreignKeyViolation)
            #expect(error.columns == ["sender"])
            #expect(error.rowID == .integer(1))
            #expect(
                error.message.contains("\"letter\".\"sender\" must refer to a row of \"mailbox\""))
            #expect(error.message.contains("was never set"))
            let dangling = try await #require(throws: StoreError.self) {
                try await dal.write { context in
                    try Letter.create(in: context) { $0.sender = 99 }
                }
            }
            #expect(dangling.message.contains("refers to a row of \"mailbox\" that is not there"))
            #expect(dangling.rowID == .integer(4))
        }
    }

    @Test(arguments: Place.allCases)
    func `the message shows a generated ID, and never a text that may be a user's`(
        _ place: Place
    ) async throws {
        try await Self.withMailboxes(place) { dal in
            let ids = (UUID(), UUID())
            let uuid = try await #require(throws: StoreError.self) {
                try await dal.write { context in
                    for id in [ids.0, ids.1] {
                        try Session.create(id: Session.ID(rawValue: id), in: context) {
                            $0.token = "secret"
                        }
                    }
                }
            }
            #expect(uuid.rowPlace == StoreError.RowPlace(number: 2, of: 2))
            #expect("\(uuid)".contains("row 2 of 2, ID \(ids.1)]"), "\(uuid)")
            #expect(!"\(uuid)".contains("secret"))
            let text = try await #require(throws: StoreError.self) {
                try await dal.write { context in
                    try Account.create(id: "ada@example.org", in: context) { $0.token = "one" }
                    try Account.create(id: "charles@example.org", in: context) { $0.token = "one" }
                }
            }
            #expect(text.rowID == .text("charles@example.org"))
            #expect(text.rowPlace == StoreError.RowPlace(number: 2, of: 2))
            #expect(!"\(text)".contains("example.org"))
        }
    }

    /// What every error says of the row.
    private static func check(
        _ error: StoreError, _ entity: String, _ position: Int, of count: Int
    ) throws {
        #expect(error.code == .uniqueViolation)
        #expect(error.rowPlace == StoreError.RowPlace(number: position + 1, of: count))
        let words = "\(error)"
        let id = try #require(error.rowID)
        guard case .integer(let number) = id else {
            Issue.record("The ID is \(id).")
            return
        }
        let place = count > 1 ? ", row \(position + 1) of \(count)" : ""
        #expect(words.contains("[\(entity)."))
        #expect(words.contains("\(place), ID \(number)]"), "\(words)")
        #expect(!words.contains("secret"))
    }

    /// Opens a store that has the mailbox "secret" already.
    private static func withMailboxes(
        _ place: Place, _ body: @Sendable (DataAccessLayer) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let source =
            place == .memory ? StoreSource.inMemory : .sqlite(directory.file("rows.sqlite"))
        try await withStore(
            source,
            entities: [
                Mailbox.self, Article.self, Letter.self, Session.self, Account.self,
            ]
        ) { dal in
            try await dal.write { context in try Mailbox.create(in: context) { $0.mail = "secret" }
            }
            try await body(dal)
        }
        withExtendedLifetime(directory) {}
    }
}

@Entity private struct Mailbox {
    @Unique var mail = ""
    var weight = 1.0
}

@Entity private struct Article {
    @Unique @Searchable var title = ""
}

@Entity private struct Letter {
    @References(onDelete: .deny) var sender: Mailbox.ID = .unassigned
}

@Entity(id: UUID.self) private struct Session {
    @Unique var token = ""
}

@Entity(id: String.self) private struct Account {
    @Unique var token = ""
}
#endif
